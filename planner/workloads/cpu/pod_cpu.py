"""CPU that running pods use and could use: by kind where a node has room for all, else pod by pod.

docs/model.md, "CPU". CPU is milli-CPU.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from planner.state.cluster import Cluster
from planner.workloads.cpu.contention import burst_capacity, share_cpu_by_node
from planner.workloads.cpu.running_pods import Ints, Kinds
from planner.workloads.cpu.warm_up import WarmUps

_COARSE_MILLI = 50


@dataclass(frozen=True)
class Asked:
    """What pods ask for, by workload row."""

    constant: Ints
    """Besides requests and the work of Jobs."""
    work: Ints
    needed: Ints
    """A serving pod for its load and backlog."""
    find_wanted: Callable[[], Ints]

    @cached_property
    def wanted(self) -> Ints:
        """A serving pod for its load alone; seldom asked for."""
        return self.find_wanted()


class PodCpu(NamedTuple):
    """What pods use, and what serving pods could use at most for requests and when idle."""

    used: Ints
    capacity: Ints
    before_work: Ints
    """What is used before the work of a Job."""


class PodsAtNodes(NamedTuple):
    """Running pods: rows, kinds and nodes."""

    rows: Ints
    kind: Ints
    node: Ints


def cpu_of_pods(
    pods: PodsAtNodes, kinds: Kinds, asked: Asked, cores: Ints, cluster: Cluster, warm_up: WarmUps, contention: bool
) -> PodCpu:
    """`cores`: CPU of every node. Without `contention` a pod has as much as if it were alone on its node."""
    workload, limit, weight = kinds.workload[pods.kind], kinds.limit_milli[pods.kind], kinds.weight[pods.kind]
    serving = np.flatnonzero(kinds.serving[pods.kind])
    served = workload[serving]
    slower = warm_up.factors(cluster, pods.rows[serving], served)
    before_work = asked.constant[workload] + warm_up.burst(cluster, pods.rows, workload)
    constant = before_work + np.minimum(asked.work[workload], cores[pods.node])
    demand = constant.copy()
    demand[serving] += warm_up.asked(asked.needed[served], served, slower)
    demand = np.minimum(limit, demand)
    if contention:
        granted = share_cpu_by_node(demand, weight, pods.node, cores)
        reach = _coarse(burst_capacity(demand, granted, weight, limit, pods.node, cores), limit)
    else:
        granted, reach = demand, np.minimum(limit, cores[pods.node])
    capacity = np.maximum(0, reach - constant)
    # The metrics see the work of the present load, never more than what the pod got.
    worked = warm_up.asked(asked.wanted[served], served, slower) + constant[serving]
    if contention:
        worked = np.minimum(worked, capacity[serving] + constant[serving])
    used = granted.copy()
    used[serving] = np.minimum(worked, (granted if contention else limit)[serving])
    capacity[serving] = warm_up.left(capacity[serving], served, slower)
    return PodCpu(used, capacity, before_work)


class KindsCpu:
    """The same for pods on nodes that are not crowded, by kind; what is seldom asked for is found when it is."""

    def __init__(self, kinds: Kinds, asked: Asked, contention: bool) -> None:
        self._kinds, self._asked, self._contention = kinds, asked, contention
        self.constant = (asked.constant + asked.work)[kinds.workload]
        self.demand = np.minimum(kinds.limit_milli, self.constant + asked.needed[kinds.workload] * kinds.serving)
        """What each pod asks for, and gets."""

    @property
    def capacity(self) -> Ints:
        """What serving pods could use at most for requests and when idle."""
        return np.maximum(0, self._kinds.limit_milli - self.constant)

    @property
    def used(self) -> Ints:
        """What each pod uses."""
        kinds, limit = self._kinds, self._kinds.limit_milli
        worked = self.constant + self._asked.wanted[kinds.workload]
        most = np.minimum(np.maximum(limit, self.constant), self.demand) if self._contention else limit
        return np.asarray(np.where(kinds.serving, np.minimum(worked, most), self.demand), np.int64)

    @property
    def before_work(self) -> Ints:
        """What is used before the work of a Job."""
        return self._asked.constant[self._kinds.workload]


def _coarse(capacity: Ints, limit: Ints) -> Ints:
    """Capacities below the limit in steps of 50m: pods of like capacity are served as one group."""
    return np.asarray(np.where(capacity < limit, capacity // _COARSE_MILLI * _COARSE_MILLI, capacity), np.int64)
