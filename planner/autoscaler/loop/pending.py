"""Pods without a node, tracked through cluster events so that no loop has to search all pods."""

import numpy as np

from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase

# Looking up a member of an enum costs a call in Python 3.11.
_ADDED = ClusterEventKind.POD_ADDED


class PendingPods:
    """The pods that are not bound, in order of creation."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        pods = cluster.pods
        self._pods: dict[int, None] = {
            pod: None for pod in range(pods.count) if pods.phase[pod] == PodPhase.PENDING and pods.node[pod] == NONE
        }
        self._is_buffer = np.zeros(0, dtype=np.bool_)
        """By template whether its pods stand for room of a capacity buffer."""
        kinds = (_ADDED, ClusterEventKind.POD_BOUND, ClusterEventKind.POD_GONE)
        cluster.subscribe(self._on_event, kinds, self._on_many)

    def close(self) -> None:
        """Stop listening to the cluster."""
        self._cluster.unsubscribe(self._on_event)

    def unschedulable(self) -> list[int]:
        """Pods marked unschedulable, without nomination and not in deletion, and those of capacity buffers."""
        if not self._pods:
            return []
        pods, specs, known = self._cluster.pods, self._cluster.pod_specs, len(self._is_buffer)
        if len(specs) > known:
            self._is_buffer = np.append(self._is_buffer, [spec.scaling.is_buffer for spec in specs[known:]])
        rows = np.fromiter(self._pods, dtype=np.int64, count=len(self._pods))
        waits = (pods.unschedulable_us[rows] != NONE) | self._is_buffer[pods.spec[rows]]
        waits &= (pods.nominated[rows] == NONE) & (pods.deletion_us[rows] == NONE)
        found: list[int] = rows[waits].tolist()
        return found

    def _on_event(self, event: ClusterEvent) -> None:
        if event.kind is _ADDED:
            self._pods[event.pod] = None
        else:
            self._pods.pop(event.pod, None)

    def _on_many(self, changes: PodChanges) -> None:
        if changes.kind is _ADDED:
            self._pods.update(dict.fromkeys(changes.pods))
        else:
            for pod in changes.pods:
                self._pods.pop(pod, None)
