"""CPU that running pods use and could use: by kind where a node has room for all, else pod by pod.

docs/model.md, "CPU". CPU is milli-CPU.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.workloads.cpu.contention import burst_capacity, share_cpu_by_node
from planner.workloads.cpu.running_pods import Ints, Kinds
from planner.workloads.cpu.warm_up import WarmUps

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """What pods ask for, by workload row."""

    constant: Ints
    """Besides requests, idle use, the work of Jobs and what the containers of the template use all the time."""
    idle: Ints
    """A serving pod without requests."""
    work: Ints
    needed: Ints
    """The busiest serving pod for its load and backlog, idle use included."""


class PodCpu(NamedTuple):
    """What pods use besides requests, and what serving pods could use at most for requests and when idle."""

    besides: Ints
    capacity: Ints
    before_work: Ints
    """What is used before the work of a Job."""
    slower: Floats
    """CPU of a request of a serving pod, in multiples of that of a warm one."""


class PodsAtNodes(NamedTuple):
    """Running pods: rows, kinds and nodes, and what those that serve need for load and backlog, idle use included."""

    rows: Ints
    kind: Ints
    node: Ints
    needed: Ints


def cpu_of_pods(
    pods: PodsAtNodes, kinds: Kinds, asked: Asked, cores: Ints, cluster: Cluster, warm_up: WarmUps, contention: bool
) -> PodCpu:
    """`cores`: CPU of every node. Without `contention` a pod has as much as if it were alone on its node."""
    workload, limit, weight = kinds.workload[pods.kind], kinds.limit_milli[pods.kind], kinds.weight[pods.kind]
    serving = np.flatnonzero(kinds.serving[pods.kind])
    served = workload[serving]
    slower = warm_up.factors(cluster, pods.rows[serving], served)
    before_work = (
        asked.constant[workload] + kinds.constant_milli[pods.kind] + warm_up.burst(cluster, pods.rows, workload)
    )
    constant = before_work + np.minimum(asked.work[workload], cores[pods.node])
    demand = constant.copy()
    demand[serving] += warm_up.asked(pods.needed[serving], served, slower)
    demand = np.minimum(limit, demand)
    if contention:
        granted = share_cpu_by_node(demand, weight, pods.node, cores)
        reach = _coarse(burst_capacity(demand, granted, weight, limit, pods.node, cores), limit)
    else:
        granted, reach = demand, np.minimum(limit, cores[pods.node])
    capacity = np.maximum(0, reach - constant)
    besides = granted.copy()
    besides[serving] = np.minimum(granted[serving], constant[serving] + asked.idle[served])
    capacity[serving] = warm_up.left(capacity[serving], served, slower)
    factors = np.ones(len(pods.rows))
    if slower is not None:
        factors[serving] = slower
    return PodCpu(besides, capacity, before_work, factors)


class KindsCpu:
    """The same for pods on nodes that are not crowded, by kind, whatever their load."""

    def __init__(self, kinds: Kinds, asked: Asked) -> None:
        self.kinds = kinds
        self._constant = (asked.constant + asked.work)[kinds.workload] + kinds.constant_milli
        self.capacity: Ints = np.maximum(0, kinds.limit_milli - self._constant)
        """What serving pods could use at most for requests and when idle."""
        idle = self._constant + asked.idle[kinds.workload] * kinds.serving
        self.besides: Ints = np.minimum(kinds.limit_milli, idle)
        """What each pod uses besides requests."""
        self.before_work: Ints = asked.constant[kinds.workload] + kinds.constant_milli
        """What is used before the work of a Job."""

    def most_needed(self, reference: Ints) -> Floats:
        """What serving pods of each kind may need so that none asks for more than this; inf where their limit sees to
        that."""
        return np.where(self.kinds.limit_milli <= reference, np.inf, reference - self._constant)

    def demand(self, needed: Ints) -> Ints:
        """What each pod asks for, and gets, if serving pods need so much, by workload row."""
        kinds = self.kinds
        own = needed[kinds.workload] * kinds.serving
        return np.asarray(np.minimum(kinds.limit_milli, self._constant + own), np.int64)


def _coarse(capacity: Ints, limit: Ints) -> Ints:
    """Capacities below the limit in steps of at most 5 %: pods of like capacity are served as one group."""
    step = np.where(capacity >= 1000, 50, np.where(capacity >= 100, 5, 1))
    return np.asarray(np.where(capacity < limit, capacity // step * step, capacity), np.int64)
