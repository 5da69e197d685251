"""Which pods of a node would have to move, from the simulated state."""

from collections.abc import Sequence

from planner.autoscaler.scaledown.drain_rules.pod import ControllerKind, DrainContext, DrainPod
from planner.autoscaler.scaledown.drain_rules.registry import NodeDrain, node_drain
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

SYSTEM_NAMESPACE = "kube-system"


def drain_pod(cluster: Cluster, pod: int) -> DrainPod:
    """The pod as the drain rules see it. Its controller always exists: only workloads make pods."""
    pods = cluster.pods
    spec = cluster.pod_specs[pods.spec[pod]]
    deletion_us = int(pods.deletion_us[pod])
    return DrainPod(
        controller=_controller(spec),
        controller_replicas=int(cluster.workloads.desired[spec.workload]),
        is_kube_system=spec.namespace == SYSTEM_NAMESPACE,
        created_us=int(pods.created_us[pod]),
        deletion_stamp_us=None if deletion_us == NONE else deletion_us + spec.grace_us,
        grace_us=spec.grace_us,
    )


def _controller(spec: PodSpec) -> ControllerKind:
    return ControllerKind.DAEMON_SET if spec.is_daemon else ControllerKind.REPLICA_SET


class NodePods:
    """Pods and drain verdict of nodes; kept until something about the node changes."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._cursor = cluster.node_changes.cursor
        self._known: dict[int, tuple[tuple[int, ...], NodeDrain]] = {}
        self._ordinary: dict[int, DrainPod] = {}

    def refresh(self) -> None:
        """Forget the nodes that changed; once per loop."""
        changed = self._cluster.node_changes.since(self._cursor)
        self._cursor = self._cluster.node_changes.cursor
        if changed is None:
            self._known.clear()
            return
        for node in changed:
            self._known.pop(node, None)

    def drain(self, node: int, extra: Sequence[int], now_us: int) -> tuple[tuple[int, ...], NodeDrain]:
        """The node's pods in order of creation, `extra` ones last, and what removing the node does to them."""
        known = self._known.get(node)
        if known is not None and not extra:
            return known
        pods = (*sorted(self._cluster.node_pods[node]), *extra)
        views = [self._view(pod) for pod in pods]
        answer = pods, node_drain(views, DrainContext(now_us))
        if not extra and not any(view.is_kube_system or view.deletion_stamp_us is not None for view in views):
            self._known[node] = answer  # depends on no clock
        return answer

    def _view(self, pod: int) -> DrainPod:
        pods = self._cluster.pods
        if pods.deletion_us[pod] != NONE:
            return drain_pod(self._cluster, pod)
        shape = int(pods.spec[pod])
        view = self._ordinary.get(shape)
        if view is None:
            view = drain_pod(self._cluster, pod)
            if not view.is_kube_system:
                self._ordinary[shape] = view
        return view
