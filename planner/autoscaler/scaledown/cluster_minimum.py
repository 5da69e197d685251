"""What the cluster may lose of cores, memory and GPUs (`--cores-total`, `--memory-total`, `--gpu-total`)."""

from planner.autoscaler.scaleup.quota import Amounts, node_amounts
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster


def above_minimum(cluster: Cluster, settings: ClusterAutoscalerSettings, snapshot: Snapshot) -> dict[str, int]:
    """What the cluster has above its minimums: nodes in deletion are gone already, those on their way count.

    Only what has a minimum. Source: Cluster Autoscaler 1.36.1, resourcequotas/tracker.go.
    """
    least = {"cpu": settings.cores_total_min, "memory": settings.memory_total_min}
    least |= {limit.type: limit.min for limit in settings.gpu_total}
    above = {name: -bound for name, bound in least.items() if bound}
    if above:
        staying = snapshot.rows[~cluster.nodes.deleting[snapshot.rows]].tolist()
        on_their_way = (node_amounts(each.node, cluster.axis, settings.gpu_label) for each in snapshot.upcoming)
        sizes = [*(node_size(cluster, settings, node) for node in staying), *on_their_way]
        above = {name: left + sum(size.get(name, 0) for size in sizes) for name, left in above.items()}
    return above


def node_size(cluster: Cluster, settings: ClusterAutoscalerSettings, node: int) -> Amounts:
    """What goes with a node, by row."""
    return node_amounts(cluster.node_specs[cluster.nodes.spec[node]], cluster.axis, settings.gpu_label)
