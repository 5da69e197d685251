"""Static pods: a kubelet runs them from files on its node, past the API server, the scheduler and every controller.

What the API shows of them are mirror pods, which come with their node and go with it (Kubernetes 1.36,
pkg/kubelet/pod/mirror_client.go). Deleting a mirror pod does not stop the static pod, so nothing here ends one.
"""

from collections.abc import Callable, Sequence

from planner.nodes.binding.kubelet_fit import no_room
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.nodes import NotAdmitted
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec

_EVENTS = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_GONE)


class StaticPods:
    """Starts the static pods of a node as it joins, before any other pod can take its room."""

    def __init__(self, cluster: Cluster, specs: Sequence[PodSpec], decide: Callable[[Decision], None]) -> None:
        self._cluster = cluster
        self._specs = specs
        self._decide = decide
        self.new: list[int] = []
        """Nodes that joined since the latest pass."""
        self.gone = False
        """Whether any went."""
        if specs:
            cluster.subscribe(self._on_change, _EVENTS)

    def _on_change(self, event: ClusterEvent) -> None:
        if event.kind is ClusterEventKind.NODE_ADDED:
            self.new.append(event.node)
        else:
            self.gone = True

    def reconcile(self) -> bool:
        """Start the pods of new nodes, in the order in which these joined; whether there were any."""
        if not self.new and not self.gone:
            return False
        nodes, self.new, self.gone = self.new, [], False
        for spec in self._specs:
            mine = [node for node in nodes if self._is_mine(spec, node)]
            self._run(spec, mine)
            count = int(self._cluster.workloads.active[spec.workload])
            if count != self._cluster.workloads.desired[spec.workload]:
                self._cluster.set_replicas(spec.workload, count)
        return bool(nodes)

    def _is_mine(self, spec: PodSpec, node: int) -> bool:
        nodes = self._cluster.nodes
        return bool(nodes.exists[node]) and int(nodes.group[node]) in spec.scaling.static_groups

    def _run(self, spec: PodSpec, nodes: Sequence[int]) -> None:
        fitting = []
        for node in nodes:
            lack = no_room(self._cluster, spec, node)
            if lack is None:
                fitting.append(node)
            else:
                self._refuse(spec, node, lack)
        if fitting:
            first = self._cluster.create_pods(spec.index, len(fitting), pinned=fitting)
            for pod, node in enumerate(fitting, start=first):
                self._cluster.bind(pod, node)

    def _refuse(self, spec: PodSpec, node: int, lack: str) -> None:
        cluster = self._cluster
        name, on = cluster.workload_names[spec.workload], cluster.node_name(node)
        self._decide(Decision(cluster.clock.now_us, Actor.KUBELET, Verdict.REFUSED, name, on, NotAdmitted(lack)))
