"""How much one scale-up may add: nodes of a group, cores, memory and GPUs of the cluster (`cores-total`,
`memory-total`, `gpu-total`)."""

from collections.abc import Mapping
from dataclasses import dataclass

from planner.autoscaler.groups.gpus import gpu_columns, gpus_of
from planner.state.resources import CPU, MEMORY, ResourceAxis
from planner.state.specs import NodeSpec

Amounts = Mapping[str, int]
"""Whole cores (`cpu`), bytes (`memory`), and GPUs by their type; what is bounded, or what a node has of it."""
_NO_BOUND = 1 << 31


@dataclass(frozen=True, slots=True)
class QuotaRoom:
    """What may still be added of everything that is bounded (Cluster Autoscaler 1.36.1, resourcequotas/tracker.go)."""

    left: Amounts

    def nodes(self, size: Amounts) -> int:
        """How many nodes with these amounts fit."""
        return max(min((self.left[name] // size[name] for name in self._bounded(size)), default=_NO_BOUND), 0)

    def after(self, size: Amounts, nodes: int) -> "QuotaRoom":
        """What is left when so many nodes have been added."""
        return QuotaRoom({name: left - nodes * size.get(name, 0) for name, left in self.left.items()})

    def exceeded(self, size: Amounts, nodes: int = 1) -> list[str]:
        """Which resources so many more nodes would exceed."""
        return [name for name in self._bounded(size) if nodes * size[name] > self.left[name]]

    def _bounded(self, size: Amounts) -> list[str]:
        return [name for name, amount in size.items() if amount > 0 and name in self.left]


def node_amounts(node: NodeSpec, axis: ResourceAxis, gpu_label: str) -> dict[str, int]:
    """What a node counts for the bounds; cores are rounded up, GPUs have the type that their label says."""
    amounts = {"cpu": node_cores(int(node.capacity[CPU])), "memory": int(node.capacity[MEMORY])}
    kind = node.labels.get(gpu_label)
    if kind and gpu_columns(axis):
        amounts[kind] = gpus_of(node, axis)
    return amounts


def node_cores(capacity_cpu_milli: int) -> int:
    """Whole cores of a node, rounded up."""
    return -(-capacity_cpu_milli // 1000)


def node_limit(max_nodes_per_scaleup: int, group_room: int, max_nodes_total: int, current_nodes: int) -> int | None:
    """The most nodes an estimate may add; None is no bound.

    A bound of 0 in a setting means no bound, but no room left in the group (with its similar groups)
    or in the cluster means no node at all.
    """
    cluster_room = max_nodes_total - current_nodes if max_nodes_total > 0 else None
    if group_room <= 0 or (cluster_room is not None and cluster_room <= 0):
        return 0
    bounds = [bound for bound in (max_nodes_per_scaleup or None, group_room, cluster_room) if bound is not None]
    return min(bounds)
