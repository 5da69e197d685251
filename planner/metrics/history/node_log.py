"""Keeps when nodes turned not ready, were cordoned, came under pressure and so on."""

from array import array

import numpy as np
from numpy.typing import NDArray

from planner.record.history import NodeMark
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster

_KINDS = (
    ClusterEventKind.NODE_ADDED,
    ClusterEventKind.NODE_CHANGED,
    ClusterEventKind.NODE_DELETING,
    ClusterEventKind.NODE_POWER,
)
_PRESSURES = frozenset(f"node.kubernetes.io/{what}-pressure" for what in ("memory", "disk", "pid"))


class NodeLog:
    """Listens to the cluster; nothing is kept of changes that leave a node's marks as they are."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._time_us, self._node, self._marks = array("q"), array("i"), array("b")
        self._last: dict[int, int] = {}
        cluster.subscribe(self._on_change, _KINDS)

    @property
    def columns(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
        """Copies of time, node row and marks."""
        return np.array(self._time_us, np.int64), np.array(self._node, np.int32), np.array(self._marks, np.int8)

    def _on_change(self, event: ClusterEvent) -> None:
        node = event.node
        marks = self._marks_of(node)
        if marks != self._last.get(node, 0):
            self._last[node] = marks
            self._time_us.append(self._cluster.clock.now_us)
            self._node.append(node)
            self._marks.append(marks)

    def _marks_of(self, node: int) -> int:
        cluster, nodes = self._cluster, self._cluster.nodes
        marks = 0 if nodes.ready[node] else NodeMark.NOT_READY.value
        marks |= NodeMark.SILENT.value if nodes.silent[node] else 0
        marks |= NodeMark.CORDONED.value if nodes.unschedulable[node] else 0
        marks |= NodeMark.DELETING.value if nodes.deleting[node] else 0
        if any(taint.key in _PRESSURES for taint in cluster.node_taints(node)):
            marks |= NodeMark.PRESSURE.value
        return marks
