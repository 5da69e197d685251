"""Which pods of a node would have to move, from the simulated state."""

from collections.abc import Sequence

from planner.autoscaler.scaledown.budgets import BudgetTracker
from planner.autoscaler.scaledown.drain_rules.pod import DrainContext, DrainPod
from planner.autoscaler.scaledown.drain_rules.registry import NodeDrain, node_drain
from planner.plan.cluster_autoscaler import ClusterAutoscalerSettings
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.scaling import ControllerKind
from planner.state.specs import PodSpec

SYSTEM_NAMESPACE = "kube-system"


def drain_pod(cluster: Cluster, pod: int, budgets: tuple[int, ...] = ()) -> DrainPod:
    """The pod as the drain rules see it."""
    pods = cluster.pods
    spec = cluster.pod_specs[pods.spec[pod]]
    marks, deletion_us = spec.scaling, int(pods.deletion_us[pod])
    return DrainPod(
        controller=_controller(spec),
        controller_exists=marks.controller_exists,
        controller_replicas=int(cluster.workloads.desired[spec.workload]),
        safe_to_evict=marks.safe_to_evict,
        is_mirror=marks.is_mirror,
        is_terminal=marks.is_terminal,
        is_kube_system=spec.namespace == SYSTEM_NAMESPACE,
        created_us=int(pods.created_us[pod]),
        deletion_stamp_us=None if deletion_us == NONE else deletion_us + spec.grace_us,
        grace_us=spec.grace_us,
        budgets=budgets,
        local_volumes=marks.local_volumes,
        safe_local_volumes=marks.safe_local_volumes,
    )


def _controller(spec: PodSpec) -> ControllerKind:
    return ControllerKind.DAEMON_SET if spec.is_daemon else spec.scaling.controller


class NodePods:
    """Pods and drain verdict of nodes; kept until something about the node changes."""

    def __init__(self, cluster: Cluster, settings: ClusterAutoscalerSettings, budgets: BudgetTracker) -> None:
        self._cluster = cluster
        self._settings = settings
        self._budgets = budgets
        self._cursor = cluster.node_changes.cursor
        self._known: dict[int, tuple[tuple[int, ...], NodeDrain]] = {}
        self._ordinary: dict[tuple[int, int], DrainPod] = {}

    def refresh(self) -> None:
        """Forget the nodes that changed; once per loop."""
        self._budgets.restart()
        changed = self._cluster.node_changes.since(self._cursor)
        self._cursor = self._cluster.node_changes.cursor
        if changed is None:
            self._known.clear()
            return
        for node in changed:
            self._known.pop(node, None)

    def drain(self, node: int, extra: Sequence[int], now_us: int) -> tuple[tuple[int, ...], NodeDrain]:
        """The node's pods in order of creation, `extra` ones last, and what removing the node does to them.

        Expendable pods are absent, as in the whole simulation.
        """
        known = self._known.get(node)
        if known is not None and not extra:
            return known
        pods = (*(pod for pod in sorted(self._cluster.node_pods[node]) if not self._is_expendable(pod)), *extra)
        views = [self._view(pod) for pod in pods]
        answer = pods, node_drain(views, self._context(now_us))
        if not extra and not any(self._depends_on_more(view) for view in views):
            self._known[node] = answer
        return answer

    def _depends_on_more(self, view: DrainPod) -> bool:
        """On the clock, on the state of a budget, or on the size of a workload."""
        counts_replicas = self._settings.min_replica_count > 0
        return counts_replicas or view.is_kube_system or view.deletion_stamp_us is not None or bool(view.budgets)

    def _context(self, now_us: int) -> DrainContext:
        settings = self._settings
        return DrainContext(
            now_us,
            self._budgets.left,
            settings.skip_nodes_with_custom_controller_pods,
            settings.skip_nodes_with_system_pods,
            settings.skip_nodes_with_local_storage,
            settings.min_replica_count,
            settings.blocking_system_pod_distruption_timeout,
        )

    def _is_expendable(self, pod: int) -> bool:
        return bool(self._cluster.pods.priority[pod] < self._settings.expendable_pods_priority_cutoff)

    def _view(self, pod: int) -> DrainPod:
        pods, budgets = self._cluster.pods, self._budgets.covering(pod)
        if budgets or pods.deletion_us[pod] != NONE:
            return drain_pod(self._cluster, pod, budgets)
        shape = int(pods.spec[pod])
        key = (shape, int(self._cluster.workloads.desired[pods.workload[pod]]))
        view = self._ordinary.get(key)
        if view is None:
            view = drain_pod(self._cluster, pod)
            if not view.is_kube_system:
                self._ordinary[key] = view
        return view
