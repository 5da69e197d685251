"""Memory that follows time and load: profiles of working sets, and what requests in flight take."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from planner.nodes.kubelet.memory_use import PodMemory
from planner.plan.model.plan import Plan
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.workloads.load_profiles import RateOverTime


@dataclass(frozen=True, slots=True)
class _MemoryLevel:
    """A workload whose memory moves."""

    row: int
    base: RateOverTime | None
    """Bytes over time, apart from requests in flight."""
    per_request: int


class MemoryLevels:
    """Sets the memory of such workloads at the end of each load step; it holds until the next one."""

    def __init__(self, plan: Plan, cluster: Cluster, memory: PodMemory, in_flight: Callable[[int], float]) -> None:
        """`in_flight`: requests that a workload row holds."""
        self._cluster = cluster
        self._memory = memory
        self._in_flight = in_flight
        self._levels = tuple(_levels(plan))

    def follow(self, now_us: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Bring the levels up to this instant; running pods whose memory has changed."""
        changed = [level.row for level in self._levels if self._set(level, now_us)]
        if not changed:
            return np.zeros(0, np.int64)
        pods = self._cluster.pods
        running = np.flatnonzero(pods.phase == PodPhase.RUNNING)
        return running[np.isin(pods.workload[running], changed)]

    def _set(self, level: _MemoryLevel, now_us: int) -> bool:
        ready = int(self._cluster.workloads.ready[level.row])
        busy = level.per_request * self._in_flight(level.row) / ready if level.per_request and ready else 0.0
        base = None if level.base is None else level.base.at(now_us)
        return self._memory.set_levels(level.row, base, float(np.rint(busy)))


def _levels(plan: Plan) -> Iterator[_MemoryLevel]:
    serving = frozenset(plan.serving_rows())
    for row, item in enumerate(plan.workloads):
        profile = None if item.use is None else item.use.memory
        per_request = 0 if item.memory_use is None else item.memory_use.per_in_flight_request
        if profile is not None or (per_request and row in serving):
            base = None if profile is None else RateOverTime(profile)
            yield _MemoryLevel(row, base, per_request if row in serving else 0)
