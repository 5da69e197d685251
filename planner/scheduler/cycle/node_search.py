"""What the scheduler's profiles share: the node list, the names, and where the next search starts."""

from planner.scheduler.cycle.node_order import NodeOrder, zone_key
from planner.scheduler.cycle.select import NameOrder
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster


class NodeSearch:
    """Follows nodes that come and go; `start` moves on with every search."""

    def __init__(self, cluster: Cluster) -> None:
        self.order = NodeOrder()
        self.names = NameOrder(cluster)
        self.start = 0
        self._cluster = cluster
        for node in range(cluster.nodes.count):
            if cluster.nodes.exists[node]:
                self.order.add(node, zone_key(cluster.node_labels(node)))
        cluster.subscribe(self._on_event, (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_GONE))

    def _on_event(self, event: ClusterEvent) -> None:
        if event.kind == ClusterEventKind.NODE_ADDED:
            self.order.add(event.node, zone_key(self._cluster.node_labels(event.node)))
        else:
            self.order.remove(event.node)
