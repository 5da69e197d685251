"""How many nodes one estimate may add (spec/cluster-autoscaler.md section 5)."""


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
