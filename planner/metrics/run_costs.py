"""What the nodes of a run cost, and which workload that cost belongs to."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.metrics.cost import Billing, nodes_cost, split_node_cost
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.resources import CPU, MEMORY
from planner.units import US_PER_H

Floats = NDArray[np.float64]
BILLING = Billing()


@dataclass(frozen=True)
class RunCosts:
    """Costs of a finished run, in the plan's currency. A node is billed from its request until it is gone."""

    cluster: Cluster
    until_us: int

    @cached_property
    def node_until_us(self) -> NDArray[np.int64]:
        """When each node row's billing ends."""
        removed = self.cluster.nodes.removed_us
        return np.where(removed == NONE, self.until_us, removed)

    @cached_property
    def node_hours(self) -> Floats:
        """Hours from each node row's request until it was gone, not rounded as the billed time is."""
        return np.asarray((self.node_until_us - self.cluster.nodes.requested_us) / US_PER_H)

    @cached_property
    def by_node(self) -> Floats:
        """Cost of each node row."""
        nodes = self.cluster.nodes
        prices = np.array([spec.price_per_hour for spec in self.cluster.node_specs] or [0.0])
        return nodes_cost(prices[nodes.spec], nodes.requested_us, self.node_until_us, BILLING)

    def per_group(self, values: Floats) -> Floats:
        """Sum of a value per node row over each node group."""
        sums = np.bincount(self.cluster.nodes.group, weights=values, minlength=self.cluster.groups.count)
        return sums.astype(np.float64)

    @property
    def total(self) -> float:
        """Cost of the run."""
        return float(self.by_node.sum())

    @cached_property
    def by_workload(self) -> Floats:
        """Cost of each workload row by its pods' share of their nodes; what is left over is `idle`.

        A pod counts with its requests averaged over the node's life: half the time on it is half the request.
        """
        cluster, pods = self.cluster, self.cluster.pods
        cost = np.zeros(cluster.workloads.count)
        placed = np.flatnonzero(pods.last_node != NONE)
        placed = placed[np.argsort(pods.last_node[placed], kind="stable")]
        ended = pods.ended_us[placed]
        lasted_us = (np.where(ended == NONE, self.until_us, ended) - pods.bound_us[placed]).astype(np.float64)
        requests = np.array([spec.request[[CPU, MEMORY]].tolist() for spec in cluster.pod_specs] or [[0, 0]])
        bounds = np.searchsorted(pods.last_node[placed], np.arange(cluster.nodes.count + 1))
        for node in range(cluster.nodes.count):
            mine = slice(bounds[node], bounds[node + 1])
            rows = placed[mine]
            life = max(1, int(self.node_until_us[node] - cluster.nodes.requested_us[node]))
            held = (requests[pods.spec[rows]] * (lasted_us[mine] / life)[:, None]).astype(np.int64)
            cpu, memory = cluster.nodes.allocatable[node, [CPU, MEMORY]].tolist()
            split = split_node_cost(float(self.by_node[node]), held[:, 0], held[:, 1], cpu, memory)
            cost += np.bincount(pods.workload[rows], weights=split.by_pod, minlength=len(cost))
        return cost

    @property
    def idle(self) -> float:
        """Cost that no request covers."""
        return max(0.0, self.total - float(self.by_workload.sum()))
