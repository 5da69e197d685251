"""Views of the pods of a run, made again only where something has changed."""

from collections.abc import Iterable

from planner.karpenter.cluster_view import PodView
from planner.karpenter.pods.annotations import keeps_node
from planner.karpenter.pods.volumes import volume_alternatives
from planner.karpenter.requirements.requirement import one_of
from planner.karpenter.requirements.requirements import Requirements
from planner.plan.model.node_groups import ZONE_LABEL
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.scaling import ControllerKind
from planner.units import US_PER_MIN, US_PER_S

POD_CHANGES = (
    ClusterEventKind.POD_BOUND,
    ClusterEventKind.POD_RUNNING,
    ClusterEventKind.POD_DELETING,
    ClusterEventKind.POD_GONE,
    ClusterEventKind.POD_READINESS,
    ClusterEventKind.POD_RESIZED,
    ClusterEventKind.NODE_ADDED,
)


class PodViews:
    """The pods of each node as Karpenter sees them."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._by_node: dict[int, tuple[PodView, ...]] = {}
        self._bound: dict[int, PodView] = {}
        self._bare: dict[int, None] = {}
        """Nodes without a pod that surely needs another node."""
        self._unsure: dict[int, None] = {}
        """Nodes that may have come among them, or left them."""
        cluster.subscribe(self._on_change, POD_CHANGES)

    def _on_change(self, event: ClusterEvent) -> None:
        self._by_node.pop(event.node, None)
        self._bound.pop(event.pod, None)
        self._unsure[event.node] = None

    def on_node(self, node: int) -> tuple[PodView, ...]:
        """The pods that are bound to a node."""
        known = self._by_node.get(node)
        if known is None:
            pods = self._cluster.node_pods[node]
            known = tuple(self._bound.get(pod) or self._bound_view(pod) for pod in pods)
            if all(pod in self._bound for pod in pods):
                self._by_node[node] = known
        return known

    def are_steady(self, node: int) -> bool:
        """Whether the pods of a node, as read last, stay the same until an event."""
        return node in self._by_node or not self._cluster.nodes.exists[node]

    def _bound_view(self, pod: int) -> PodView:
        view = self.view(pod)
        if not self._depends_on_time(view):
            self._bound[pod] = view
        return view

    def bare_nodes(self) -> Iterable[int]:
        """Nodes of which no pod surely needs another one: those of DaemonSets and kubelets do not, and those that end
        may not.
        """
        for node in self._unsure:
            if self._is_bare(node):
                self._bare[node] = None
            else:
                self._bare.pop(node, None)
        self._unsure.clear()
        return self._bare

    def _is_bare(self, node: int) -> bool:
        pods, specs = self._cluster.pods, self._cluster.pod_specs
        return not any(
            pods.deletion_us[pod] == NONE and not (spec.is_daemon or spec.scaling.is_mirror)
            for pod in self._cluster.node_pods[node]
            for spec in (specs[pods.spec[pod]],)
        )

    def _depends_on_time(self, pod: PodView) -> bool:
        return not pod.is_active or pod.spec.template.do_not_disrupt not in ("", "true")

    def view(self, pod: int) -> PodView:
        """One pod."""
        cluster, pods, now_us = self._cluster, self._cluster.pods, self._cluster.clock.now_us
        spec = cluster.pod_specs[pods.spec.item(pod)]
        started_us, deletion_us = pods.running_us.item(pod), pods.deletion_us.item(pod)
        mark = spec.template.do_not_disrupt
        end_us = deletion_us + spec.running.grace_us + US_PER_MIN
        return PodView(
            row=pod,
            uid=f"{spec.namespace}/{cluster.pod_name(pod)}",
            spec=spec,
            created_us=pods.created_us.item(pod) // US_PER_S * US_PER_S,
            is_active=deletion_us == NONE,
            is_ready=bool(pods.ready[pod]) or pods.phase[pod] != PodPhase.RUNNING,
            is_stateful=spec.scaling.controller is ControllerKind.STATEFUL_SET,
            is_static=spec.scaling.is_mirror,
            keeps_node=mark != "" and keeps_node(mark, None if started_us == NONE else started_us, now_us),
            is_stuck=deletion_us != NONE and now_us > end_us,
            deletion_cost=spec.template.deletion_cost,
            volumes=_volumes(spec.placement.volume_zone),
        )


def _volumes(zone: str) -> tuple[Requirements, ...]:
    return volume_alternatives([[{ZONE_LABEL: one_of(zone)}]]) if zone else ()
