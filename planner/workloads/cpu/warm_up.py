"""Pods that have just started use more: their containers' start-up, and more CPU for a request until they are warm.

docs/model.md, "CPU".
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.workloads.cpu.running_pods import NOT_RUNNING, Moved
from planner.workloads.served_workload import ServedWorkload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_STAGES = 8.0
"""In which a slow-down falls to 1; pods in the same one are alike."""


class WarmUps:
    """By workload row how long its pods are slow and how slow, and how long they use more; often nothing at all."""

    def __init__(self, workloads: Sequence[ServedWorkload], count: int) -> None:
        self._duration_us, self._idle, self._burst_us, self._burst = np.zeros((4, count), np.int64)
        self._slow_down = np.ones(count)
        for item in workloads:
            self._duration_us[item.row] = item.demand.warm_up.duration
            self._slow_down[item.row] = item.demand.warm_up.slow_down
            self._idle[item.row] = item.demand.idle_cpu
            self._burst[item.row], self._burst_us[item.row] = item.burst
        self._longest_us = np.maximum(self._duration_us, np.where(self._burst > 0, self._burst_us, 0))
        self._acts = bool(self._longest_us.any())
        self._young: Ints = np.zeros(0, np.int64)

    def nodes_of_young(self, cluster: Cluster, moved: Moved | None) -> Ints:
        """Nodes that have pods that are not like the others of their kind yet; pods of a warm start always are."""
        if not self._acts:
            return self._young
        if moved is not None:
            self._young = np.union1d(self._young, moved.rows[moved.after != NOT_RUNNING])
        pods = cluster.pods
        rows = self._young
        since_us = np.maximum(pods.running_us[rows], pods.first_ready_us[rows])
        young = (since_us > 0) & (cluster.clock.now_us - since_us < self._longest_us[pods.workload[rows]])
        self._young = rows[young & (pods.node[rows] >= 0)]
        return np.unique(pods.node[self._young]).astype(np.int64)

    def burst(self, cluster: Cluster, rows: Ints, workload: Ints) -> Ints | int:
        """CPU that each pod uses for its start-up now."""
        if not self._acts:
            return 0
        running_us = cluster.pods.running_us[rows]
        starts = (cluster.clock.now_us - running_us < self._burst_us[workload]) & (running_us > 0)
        return np.asarray(np.where(starts, self._burst[workload], 0), np.int64)

    def factors(self, cluster: Cluster, rows: Ints, workload: Ints) -> Floats | None:
        """CPU of a request in multiples for each pod. None: one for all."""
        if not self._acts:
            return None
        ready_us, duration_us = cluster.pods.first_ready_us[rows], self._duration_us[workload]
        since_us = cluster.clock.now_us - ready_us
        cold = (ready_us > 0) & (since_us < duration_us)
        if not cold.any():
            return None
        passed = (np.floor(_STAGES * since_us / np.maximum(duration_us, 1)) + 0.5) / _STAGES
        return np.where(cold, 1.0 + (self._slow_down[workload] - 1.0) * (1.0 - passed), 1.0)

    def asked(self, milli: Ints, workload: Ints, slower: Floats | None) -> Ints:
        """CPU that each serving pod asks for, from that of a warm pod."""
        if slower is None:
            return milli
        idle = self._idle[workload]
        return np.asarray(idle + np.ceil((milli - idle) * slower), np.int64)

    def left(self, capacity: Ints, workload: Ints, slower: Floats | None) -> Ints:
        """Capacities of serving pods, in terms of the CPU of warm ones."""
        if slower is None:
            return capacity
        idle = self._idle[workload]
        spare = np.maximum(0, capacity - idle)
        return np.asarray(np.minimum(capacity, idle + np.floor(spare / slower).astype(np.int64)))
