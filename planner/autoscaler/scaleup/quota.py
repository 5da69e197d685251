"""How much one scale-up may add: nodes of a group, cores and memory of the cluster (`cores-total`, `memory-total`)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class QuotaRoom:
    """What may still be added: whole cores and bytes."""

    cores: int
    memory_bytes: int

    def nodes(self, capacity_cpu_milli: int, capacity_memory_bytes: int) -> int:
        """How many nodes of this capacity fit; cores of a node are rounded up to whole ones."""
        cores = node_cores(capacity_cpu_milli)
        rooms = [self.cores // cores] if cores else []
        if capacity_memory_bytes:
            rooms.append(self.memory_bytes // capacity_memory_bytes)
        return max(min(rooms), 0) if rooms else 0

    def after(self, capacity_cpu_milli: int, capacity_memory_bytes: int, nodes: int) -> "QuotaRoom":
        """What is left when so many nodes have been added."""
        cores, memory = nodes * node_cores(capacity_cpu_milli), nodes * capacity_memory_bytes
        return QuotaRoom(self.cores - cores, self.memory_bytes - memory)

    def exceeded(self, capacity_cpu_milli: int, capacity_memory_bytes: int, nodes: int = 1) -> list[str]:
        """Which resources so many more nodes would exceed."""
        over = []
        if nodes * node_cores(capacity_cpu_milli) > self.cores:
            over.append("cpu")
        if nodes * capacity_memory_bytes > self.memory_bytes:
            over.append("memory")
        return over


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
