"""What the metrics of one instant are computed from: the cluster's tables and the load of each workload."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.metrics.load_table import LoadTable
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MemoryUsed:
    """Working sets of running pods, bytes, summed by node row and by workload row."""

    by_node: Floats
    by_workload: Floats


def amounts_by_group(
    amounts: NDArray[np.int64], group: NDArray[np.int32], chosen: NDArray[np.bool_], groups: int
) -> Floats:
    """Sums of the amounts of the chosen nodes, a row a group; `amounts`: a row a node."""
    if switch.in_use():
        from planner.kernels.metrics.group_sums import group_sums

        return group_sums(amounts, group, chosen, groups).T
    rows = np.flatnonzero(chosen)
    columns = [np.bincount(group[rows], column, groups) for column in amounts[rows].T]
    return np.array(columns, np.float64).T


class NodeSums:
    """What the nodes offer, hold and cost, whatever the load."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster

    @cached_property
    def allocatable(self) -> Floats:
        """What the ready nodes of each group offer; shape (groups, resources)."""
        nodes = self.cluster.nodes
        return self._amounts_by_group(nodes.allocatable, nodes.ready)

    @cached_property
    def requested(self) -> Floats:
        """What the pods on the nodes of each group request; shape (groups, resources)."""
        nodes = self.cluster.nodes
        return self._amounts_by_group(nodes.requested, nodes.exists)

    def _amounts_by_group(self, amounts: NDArray[np.int64], chosen: NDArray[np.bool_]) -> Floats:
        return amounts_by_group(amounts, self.cluster.nodes.group, chosen, self.cluster.groups.count)

    @cached_property
    def instances(self) -> NDArray[np.bool_]:
        """Nodes requested and not removed, booting ones included."""
        return np.asarray(self.cluster.nodes.removed_us == NONE)

    @cached_property
    def prices(self) -> Floats:
        """Price per hour of each node row, in the plan's currency."""
        by_spec = np.array([spec.price_per_hour for spec in self.cluster.node_specs] or [0.0])
        return np.asarray(by_spec[self.cluster.nodes.spec])


@dataclass(frozen=True)
class ClusterSample:
    """The cluster at one instant."""

    cluster: Cluster
    load: LoadTable
    node_cpu_used_milli: Floats | None = None
    """CPU used per node row; None spreads each workload's use evenly over its running pods."""
    queued: Mapping[str, int] = field(default_factory=dict)
    """Pods by pool of the scheduling queue: active, backoff and unschedulable; also gated ones, which are in none."""
    memory: MemoryUsed | None = None
    """None where the plan does not say how much memory pods use."""

    @cached_property
    def node_sums(self) -> NodeSums:
        """Sums over nodes, without the load."""
        return NodeSums(self.cluster)

    @property
    def allocatable(self) -> Floats:
        """What the ready nodes of each group offer; shape (groups, resources)."""
        return self.node_sums.allocatable

    @property
    def requested(self) -> Floats:
        """What the pods on the nodes of each group request; shape (groups, resources)."""
        return self.node_sums.requested

    def by_group(self, values: Floats, nodes: NDArray[np.bool_] | None = None) -> Floats:
        """Sum of a value per node over the chosen nodes of each group, or all of them."""
        cluster, group = self.cluster, self.cluster.nodes.group
        if nodes is not None:
            rows = np.flatnonzero(nodes)
            group, values = group[rows], values[rows]
        sums = np.bincount(group, weights=values, minlength=cluster.groups.count)
        return sums.astype(np.float64)

    @property
    def instances(self) -> NDArray[np.bool_]:
        """Nodes requested and not removed, booting ones included."""
        return self.node_sums.instances

    @property
    def prices(self) -> Floats:
        """Price per hour of each node row, in the plan's currency."""
        return self.node_sums.prices

    @cached_property
    def used_by_node(self) -> Floats:
        """CPU used per node row, milli-CPU."""
        if self.node_cpu_used_milli is not None:
            return self.node_cpu_used_milli
        pods = self.cluster.pods
        running = np.flatnonzero((pods.phase == PodPhase.RUNNING) & (pods.node != NONE))
        workload = pods.workload[running]
        count = np.maximum(np.bincount(workload, minlength=self.cluster.workloads.count), 1)
        each = self.load.cpu_used_milli / count
        used = np.bincount(pods.node[running], weights=each[workload], minlength=self.cluster.nodes.count)
        return used.astype(np.float64)

    @cached_property
    def unschedulable_pods(self) -> int:
        """Pods with the condition Unschedulable that still wait for a node."""
        if not self.cluster.workloads.unbound.any():  # spares the scan of all pods ever created
            return 0
        pods = self.cluster.pods
        waiting = (pods.phase == PodPhase.PENDING) & (pods.node == NONE) & (pods.unschedulable_us != NONE)
        return int((waiting & (pods.deletion_us == NONE)).sum())
