"""What the nodes of a run cost, and which workload that cost belongs to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.metrics.cost import Billing, nodes_cost, reserved_us, split_node_cost
from planner.plan.model.pricing import BilledFrom, Pricing
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.resources import CPU, MEMORY
from planner.units import US_PER_H

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RunCosts:
    """Costs of a finished run, in the plan's currency.

    A node is billed from its request (or from Ready, if the pool says so) until it is gone.
    """

    cluster: Cluster
    until_us: int
    pricing: Sequence[Pricing] = ()
    """How each node group is paid for; on demand where the plan does not say."""

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
        """Cost of each node row; reserved time at the reserved price."""
        return self._node_costs[0]

    @cached_property
    def unused_reservations(self) -> Floats:
        """Cost of each group's reserved nodes while they did not exist."""
        return self._node_costs[1]

    @cached_property
    def _node_costs(self) -> tuple[Floats, Floats]:
        nodes, count = self.cluster.nodes, self.cluster.groups.count
        by_spec = np.array([spec.price_per_hour for spec in self.cluster.node_specs] or [0.0])
        prices, by_node, unused = by_spec[nodes.spec], np.zeros(nodes.count), np.zeros(count)
        for group in range(count):
            paid = self.pricing[group] if group < len(self.pricing) else Pricing()
            rows = np.flatnonzero(nodes.group == group)
            begin_us = nodes.requested_us[rows]
            if paid.billed_from is BilledFrom.READY:  # one that never was ready costs nothing
                ready_us = nodes.first_ready_us[rows]
                begin_us = np.where(ready_us == NONE, self.node_until_us[rows], ready_us)
            covered = reserved_us(begin_us, self.node_until_us[rows], paid.reserved_nodes)
            billing = Billing(paid.granularity, paid.minimum)
            by_node[rows] = nodes_cost(prices[rows], begin_us, self.node_until_us[rows], billing, covered)
            by_node[rows] += covered / US_PER_H * paid.reserved_price_per_hour
            idle_us = paid.reserved_nodes * self.until_us - int(covered.sum())
            unused[group] = idle_us / US_PER_H * paid.reserved_price_per_hour
        return by_node, unused

    @cached_property
    def by_group(self) -> Floats:
        """Cost of each node group, unused reservations included."""
        return self.per_group(self.by_node) + self.unused_reservations

    def per_group(self, values: Floats) -> Floats:
        """Sum of a value per node row over each node group."""
        sums = np.bincount(self.cluster.nodes.group, weights=values, minlength=self.cluster.groups.count)
        return sums.astype(np.float64)

    @property
    def total(self) -> float:
        """Cost of the run."""
        return float(self.by_node.sum() + self.unused_reservations.sum())

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
        bound_us = np.maximum(0, pods.bound_us[placed])
        lasted_us = (np.where(ended == NONE, self.until_us, ended) - bound_us).astype(np.float64)
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

    @cached_property
    def by_namespace(self) -> dict[str, float]:
        """Cost of the workloads of each namespace, in order of their first workload."""
        found: dict[str, float] = {}
        for name, cost in zip(self.cluster.workload_namespaces, self.by_workload.tolist(), strict=True):
            found[name] = found.get(name, 0.0) + cost
        return found

    @property
    def idle(self) -> float:
        """Cost that no request covers."""
        return max(0.0, self.total - float(self.by_workload.sum()))
