"""Pods that are already on a node when the run begins, such as those of an imported cluster."""

from collections.abc import Iterator, Mapping

from planner.nodes.binding.kubelet_fit import no_room
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase

_PENDING = PodPhase.PENDING  # looking up a member of an enum costs a call in Python 3.11


class StartPlacement:
    """Binds the first pods of workloads before any scheduler looks at them.

    Only room and host ports count: the other rules held when the scheduler placed the pods, and may not hold now. A pod
    for which no node of the list has room is left to the scheduler, and so is every pod made after the first instant.
    """

    def __init__(self, cluster: Cluster, wanted: Mapping[int, Mapping[str, int]]) -> None:
        """`wanted`: of workload rows, names of nodes with the number of pods there."""
        self._cluster = cluster
        self._places = {row: _one_by_one(nodes) for row, nodes in wanted.items()}
        self.new: list[int] = []
        """Pods to look at in the next pass."""
        self._rows: dict[str, int] = {}
        if wanted:
            cluster.subscribe(self._on_change, (ClusterEventKind.POD_ADDED, ClusterEventKind.NODE_ADDED))

    def _on_change(self, event: ClusterEvent) -> None:
        if self._cluster.clock.now_us > 0:
            return
        if event.kind is ClusterEventKind.NODE_ADDED:
            self._rows[self._cluster.node_name(event.node)] = event.node
        elif event.workload in self._places:
            self.new.append(event.pod)

    def reconcile(self) -> bool:
        """Bind new pods, in order of creation; whether anything was bound."""
        if not self.new:
            return False
        pods, self.new = self.new, []
        bound = [self._bind(pod) for pod in pods if self._waits(pod)]
        return any(bound)

    def _waits(self, pod: int) -> bool:
        """Pods that a DaemonSet or a template has given a node, and gated ones, are not for this."""
        pods = self._cluster.pods
        spec = self._cluster.pod_specs[pods.spec[pod]]
        is_free = pods.phase[pod] == _PENDING and pods.node[pod] == NONE and not pods.gated[pod]
        return bool(is_free and not spec.placement.node_name and not spec.is_daemon)

    def _bind(self, pod: int) -> bool:
        cluster = self._cluster
        spec = cluster.pod_specs[cluster.pods.spec[pod]]
        for name in self._places[int(cluster.pods.workload[pod])]:
            node = self._rows.get(name, NONE)
            if node != NONE and no_room(cluster, spec, node) is None:
                cluster.bind(pod, node)
                return True
        return False


def _one_by_one(nodes: Mapping[str, int]) -> Iterator[str]:
    for name, pods in nodes.items():
        for _ in range(pods):
            yield name
