"""Memory that follows time and load: profiles of working sets, and what requests in flight take."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.nodes.kubelet.memory_use import PodMemory
from planner.plan.model.plan import Plan
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase
from planner.workloads.load_profiles import RateOverTime

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class MemoryLevels:
    """Sets the memory of such workloads at the end of each load step; it holds until the next one."""

    def __init__(self, plan: Plan, cluster: Cluster, memory: PodMemory, held_of: Callable[[Ints], Floats]) -> None:
        """`held_of`: requests that each of these pod rows holds."""
        self._cluster = cluster
        self._memory = memory
        self._held_of = held_of
        self._profiles = {
            row: RateOverTime(item.use.memory)
            for row, item in enumerate(plan.workloads)
            if item.use is not None and item.use.memory is not None
        }
        self._per_request = np.zeros(cluster.workloads.count)
        """Bytes, by workload row."""
        for row in plan.serving_rows():
            use = plan.workloads[row].memory_use
            self._per_request[row] = 0 if use is None else use.per_in_flight_request
        self._follows_load = bool(self._per_request.any())

    def follow(self, now_us: int) -> Ints:
        """Bring the levels up to this instant; running pods whose memory has changed."""
        changed = [row for row, profile in self._profiles.items() if self._memory.set_base(row, profile.at(now_us))]
        if not changed and not self._follows_load:
            return np.zeros(0, np.int64)
        pods = self._cluster.pods
        running = np.flatnonzero(pods.phase == PodPhase.RUNNING)
        workload = pods.workload[running]
        moved = np.isin(workload, changed)
        if self._follows_load:
            serving = np.flatnonzero(self._per_request[workload])
            rows = running[serving]
            busy = np.rint(self._per_request[workload[serving]] * self._held_of(rows))
            moved[serving] |= self._memory.set_busy(rows, busy)
        return running[moved]
