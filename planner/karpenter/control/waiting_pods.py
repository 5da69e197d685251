"""Pods that Karpenter looks for room for."""

from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE


class WaitingPods:
    """Those that kube-scheduler found no room for and that still wait."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._known: dict[int, None] = {}
        cluster.subscribe(self._on_unschedulable, (ClusterEventKind.POD_UNSCHEDULABLE,))

    def rows(self) -> list[int]:
        """All of them."""
        self._known = {pod: None for pod in self._known if self.has(pod)}
        return list(self._known)

    def has(self, pod: int) -> bool:
        """Whether a pod is one of them."""
        pods = self._cluster.pods
        is_in_need = pods.unschedulable_us[pod] != NONE and pods.node[pod] == NONE and pods.nominated[pod] == NONE
        is_alive = pods.deletion_us[pod] == NONE and pods.ended_us[pod] == NONE
        return bool(is_in_need and is_alive and not self._cluster.pod_specs[pods.spec[pod]].is_daemon)

    def _on_unschedulable(self, event: ClusterEvent) -> None:
        self._known[event.pod] = None
