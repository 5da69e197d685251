"""The order in which nodes are searched, and how many of them (kube-scheduler 1.36, backend/cache/node_tree.go)."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.cycle.select import NameOrder
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.specs import REGION_LABEL, ZONE_LABEL

BETA_REGION_LABEL = "failure-domain.beta.kubernetes.io/region"
BETA_ZONE_LABEL = "failure-domain.beta.kubernetes.io/zone"
ALL_BELOW = 100
ZoneKey = tuple[str, str]


def zone_key(labels: Mapping[str, str]) -> ZoneKey:
    """Region and zone of a node; the old labels take precedence."""
    region = labels.get(BETA_REGION_LABEL, labels.get(REGION_LABEL, ""))
    zone = labels.get(BETA_ZONE_LABEL, labels.get(ZONE_LABEL, ""))
    return region, zone


def nodes_to_find(nodes: int, percentage: int) -> int:
    """How many feasible nodes are wanted; percentage 0 adapts to the size of the cluster."""
    if nodes < ALL_BELOW:
        return nodes
    share = percentage or max(5, 50 - nodes // 125)
    return max(ALL_BELOW, nodes * share // 100)


class NodeOrder:
    """Nodes by zone in order of first appearance; the list takes one of each zone in turn."""

    def __init__(self) -> None:
        self._zones: dict[ZoneKey, dict[int, None]] = {}
        self._zone_of: dict[int, ZoneKey] = {}
        self._rows: NDArray[np.int64] | None = None

    def add(self, node: int, zone: ZoneKey) -> None:
        """A node joins at the end of its zone."""
        self._zones.setdefault(zone, {})[node] = None
        self._zone_of[node] = zone
        self._rows = None

    def remove(self, node: int) -> None:
        """A node leaves; an empty zone is forgotten. Unknown nodes are ignored."""
        zone = self._zone_of.pop(node, None)
        if zone is None:
            return
        del self._zones[zone][node]
        if not self._zones[zone]:
            del self._zones[zone]
        self._rows = None

    def update(self, node: int, zone: ZoneKey) -> None:
        """A node whose zone changed moves to the end of the new one."""
        if self._zone_of.get(node) != zone:
            self.remove(node)
            self.add(node, zone)

    def __len__(self) -> int:
        return len(self._zone_of)

    @property
    def twice(self) -> NDArray[np.int64]:
        """The list twice in a row, so that a search from any start is one slice."""
        if self._rows is None:
            zones = [list(nodes) for nodes in self._zones.values()]
            longest = max(map(len, zones), default=0)
            once = [nodes[turn] for turn in range(longest) for nodes in zones if turn < len(nodes)]
            self._rows = np.array(once + once, dtype=np.int64)
        return self._rows

    @property
    def rows(self) -> NDArray[np.int64]:
        """Node rows in order."""
        return self.twice[: len(self)]


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

    def looked_at_all(self) -> None:
        """A search has gone all the way round: it ends where it began, among the nodes that are left."""
        self.start %= max(len(self.order), 1)

    def _on_event(self, event: ClusterEvent) -> None:
        if event.kind == ClusterEventKind.NODE_ADDED:
            self.order.add(event.node, zone_key(self._cluster.node_labels(event.node)))
        else:
            self.order.remove(event.node)
