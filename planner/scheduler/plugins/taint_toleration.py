"""Refuse nodes with hard taints the pod does not tolerate, prefer those without soft ones (sections 4 and 10.2)."""

import numpy as np

from planner.scheduler.interface import Rows, SchedulerContext, StaticFilter
from planner.scheduler.matching import untolerated_soft_taints
from planner.scheduler.plugin_names import PluginName
from planner.scheduler.reasons import Reason
from planner.scheduler.resource_rules import Ints, normalised
from planner.state.specs import PodSpec


class TaintToleration:
    """NoSchedule and NoExecute refuse, PreferNoSchedule costs points."""

    name = PluginName.TAINT_TOLERATION
    looks_at_pods = False

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context
        self._soft: dict[int, Ints] = {}

    def prepare(self, spec: PodSpec) -> StaticFilter | None:
        """Nodes with an untolerated hard taint."""
        refused = ~self._context.static.taint_mask(spec)
        return StaticFilter((refused, Reason.UNTOLERATED_TAINT)) if refused.any() else None

    def score(self, spec: PodSpec, rows: Rows) -> Ints:
        """100 without untolerated soft taints, less the more there are."""
        by_set = self._soft_by_set(spec)
        if not by_set.any():
            return np.full(len(rows), 100, dtype=np.int64)
        return normalised(by_set[self._context.cluster.nodes.taint_set[rows]], reverse=True)

    def _soft_by_set(self, spec: PodSpec) -> Ints:
        sets, known = self._context.cluster.taint_sets.values, self._soft.get(spec.index)
        if known is None or len(known) < len(sets):
            counts = [untolerated_soft_taints(spec.tolerations, taints) for taints in sets]
            known = self._soft[spec.index] = np.array(counts, dtype=np.int64)
        return known
