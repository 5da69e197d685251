"""Refuse nodes with untolerated hard taints, prefer those without soft ones (kube-scheduler 1.36, tainttoleration)."""

import numpy as np

from planner.matching.taints import untolerated_soft_taints
from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import MAX_SCORE, Ints, normalised
from planner.scheduler.interface import Rows, SchedulerContext, StaticFilter
from planner.scheduler.reasons import Reason
from planner.state.specs import PodSpec


class TaintToleration:
    """NoSchedule and NoExecute refuse, PreferNoSchedule costs points."""

    name = PluginName.TAINT_TOLERATION
    looks_at_pods = False
    is_node_local = True

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context
        self._soft: dict[int, tuple[int, Ints | None]] = {}
        self._best: Ints = np.zeros(0, dtype=np.int64)
        self._in_use: tuple[int, Ints] = (-1, self._best)
        """As of a version of the nodes."""

    def may_refuse(self, spec: PodSpec) -> bool:
        """Any pod; taints come and go."""
        return True

    def may_score(self, spec: PodSpec) -> bool:
        """Every pod."""
        return True

    def uniform(self, spec: PodSpec) -> int | None:
        """All points where no node has a soft taint the pod does not tolerate."""
        by_set = self._soft_by_set(spec)
        return MAX_SCORE if by_set is None or not by_set[self._sets_in_use()].any() else None

    def soft_taints(self, spec: PodSpec) -> Ints | None:
        """How many soft taints of each node row the pod does not tolerate; None where no node has any."""
        by_set = self._soft_by_set(spec)
        return None if by_set is None else by_set[self._context.cluster.nodes.taint_set]

    def prepare(self, spec: PodSpec) -> StaticFilter | None:
        """Nodes with an untolerated hard taint."""
        refused = ~self._context.static.taint_mask(spec)
        return StaticFilter((refused, Reason.UNTOLERATED_TAINT)) if refused.any() else None

    def score(self, spec: PodSpec, rows: Rows) -> Ints:
        """100 without untolerated soft taints, less the more there are."""
        by_set = self._soft_by_set(spec)
        if by_set is None:
            if len(self._best) < len(rows):
                self._best = np.full(2 * len(rows), MAX_SCORE, dtype=np.int64)
            return self._best[: len(rows)]
        return normalised(by_set[self._context.cluster.nodes.taint_set[rows]], reverse=True)

    def _sets_in_use(self) -> Ints:
        """Taint sets that a node has."""
        version, nodes = self._context.nodes_version(), self._context.cluster.nodes
        if self._in_use[0] != version:
            self._in_use = version, np.flatnonzero(np.bincount(nodes.taint_set[nodes.exists]))
        return self._in_use[1]

    def _soft_by_set(self, spec: PodSpec) -> Ints | None:
        """Untolerated soft taints per taint set; None if there are none anywhere."""
        sets, known = self._context.cluster.taint_sets.values, self._soft.get(spec.index)
        if known is None or known[0] < len(sets):
            counts = [untolerated_soft_taints(spec.placement.tolerations, taints) for taints in sets]
            known = (len(sets), np.array(counts, dtype=np.int64) if any(counts) else None)
            self._soft[spec.index] = known
        return known[1]
