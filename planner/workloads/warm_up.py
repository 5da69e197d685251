"""Pods that have just turned ready need more CPU for a request (spec/load-latency-cost.md section 2)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.workloads.running_pods import RunningPods
from planner.workloads.services import ServedWorkload

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class WarmUps:
    """By workload row how long its pods are slow and how slow; does nothing where no workload warms up."""

    def __init__(self, workloads: Sequence[ServedWorkload], count: int) -> None:
        self._duration_us, self._idle = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._slow_down = np.ones(count)
        for item in workloads:
            self._duration_us[item.row] = item.demand.warm_up.duration
            self._slow_down[item.row] = item.demand.warm_up.slow_down
            self._idle[item.row] = item.demand.idle_cpu
        self._acts = bool(self._duration_us.any())

    def factors(self, cluster: Cluster, pods: RunningPods) -> Floats | None:
        """CPU of a request in multiples for each serving pod; pods of a warm start are warm. None: all are."""
        if not self._acts:
            return None
        ready_us = cluster.pods.first_ready_us[pods.rows[pods.serving]]
        row = pods.serving_workload
        cold = (ready_us > 0) & (cluster.clock.now_us - ready_us < self._duration_us[row])
        return np.where(cold, self._slow_down[row], 1.0) if cold.any() else None

    def asked(self, milli: Ints, pods: RunningPods, slower: Floats | None) -> Ints:
        """CPU that each serving pod asks for, from that of a warm pod of each workload row."""
        asked = milli[pods.serving_workload]
        if slower is None:
            return asked
        idle = self._idle[pods.serving_workload]
        return np.asarray(idle + np.ceil((asked - idle) * slower), np.int64)

    def left(self, capacity: Ints, pods: RunningPods, slower: Floats | None) -> Ints:
        """Capacities of all running pods, told in the CPU of warm ones."""
        if slower is None:
            return capacity
        idle = self._idle[pods.serving_workload]
        told = capacity.copy()
        spare = np.maximum(0, capacity[pods.serving] - idle)
        told[pods.serving] = np.minimum(capacity[pods.serving], idle + np.floor(spare / slower).astype(np.int64))
        return told
