"""Groups of pods as they were formed before: where other pods count but each is as it was, its figures are known.

Pods of services come and go all the time, and the groups before and after differ in little but how many pods they have.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from planner.workloads.load.demand import Demands, Ints
from planner.workloads.load.step.pod_groups import Bools, PodGroups

_OF_A_POD = (
    "is_one_each", "servers", "spare_milli", "capacity_rate", "service_s", "floor_load", "shared", "finishing",
    "without_queue", "_longest", "limit", "times_out", "latest_start_s", "latest_s", "calm_shrinks", "idle",
    "working_rows", "throttled", "loses", "some_lose", "some_time_out", "by_table",
)  # fmt: skip
"""Figures of `PodGroups` that do not depend on how many pods there are."""
_MOST_KNOWN = 64


class KnownGroups:
    """Makes the groups of workloads, and remembers the latest of each shape."""

    def __init__(self, demands: Demands, scalar_twins: bool) -> None:
        """`demands`: of all workloads. `scalar_twins`: as of `PodGroups`."""
        self._demands = demands
        self._scalar_twins = scalar_twins
        self._known: dict[tuple[bytes, ...], PodGroups] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Copies learn it anew."""
        return vars(self) | {"_known": {}}

    def of(
        self, positions: Ints, service: Ints, count: Ints, capacity_milli: Ints, cores_milli: Ints, takes: Bools
    ) -> PodGroups:
        """Groups of the workloads at `positions`; the other columns are as those of `PodGroups`."""
        shape = (positions, service, capacity_milli, cores_milli, takes)
        key = tuple([column.tobytes() for column in shape])
        known = self._known.pop(key, None)
        if known is None:
            demands = self._demands.take(positions)
            found = PodGroups.of(demands, service, count, capacity_milli, cores_milli, takes, self._scalar_twins)
            if len(self._known) >= _MOST_KNOWN:
                del self._known[next(iter(self._known))]
        else:
            found = self._with_count(known, positions, count)
        self._known[key] = found
        return found

    def _with_count(self, known: PodGroups, positions: Ints, count: Ints) -> PodGroups:
        pods = np.bincount(known.service, count * known.takes, minlength=len(positions)).astype(np.int64)
        found = replace(known, count=count, pods=pods[known.service])
        figures, own = vars(known), vars(found)
        own.update((name, figures[name]) for name in _OF_A_POD if name in figures)
        if "laws" in figures and self._demands.split_at_random[positions].all():
            own["laws"] = replace(known.laws, pods=np.maximum(found.pods, 1))
            if "bounded_queues" in figures:
                own["bounded_queues"] = known.bounded_queues
        return found
