"""Existing nodes in the order of their names, in which the autoscaler lists them."""

import numpy as np
from numpy.typing import NDArray

from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster


class NodesByName:
    """The list of nodes, brought up to date when nodes come or go; what a node is called never changes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._names: list[str] = []
        self._rows = np.zeros(0, dtype=np.int64)
        self._is_stale = True
        cluster.subscribe(self._on_event, (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_GONE))

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._cluster.unsubscribe(self._on_event)

    def rows(self) -> NDArray[np.int64]:
        """The existing nodes."""
        if self._is_stale:
            exists = self._cluster.nodes.exists
            is_new = exists.copy()
            is_new[self._rows] = False
            # The old list is in order, which makes sorting it again cheap.
            listed = [*self._rows[exists[self._rows]].tolist(), *np.flatnonzero(is_new).tolist()]
            self._rows = np.array(self.by_name(listed), dtype=np.int64)
            self._is_stale = False
        return self._rows

    def by_name(self, nodes: list[int]) -> list[int]:
        """Nodes in list order."""
        names = self._names
        names += [self._cluster.node_name(node) for node in range(len(names), self._cluster.nodes.count)]
        return sorted(nodes, key=names.__getitem__)

    def _on_event(self, event: ClusterEvent) -> None:
        self._is_stale = True
