"""Views of the nodes of a run, made again only where something has changed."""

from typing import NamedTuple

from planner.karpenter.cluster_view import NodeView, PodView
from planner.karpenter.control.claims import Claim, ClaimMachine, ClaimPhase, claim_phase, claim_view
from planner.karpenter.control.pod_views import POD_CHANGES, PodViews
from planner.matching.taints import CORDON_TAINT
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster

_CHANGES = (*POD_CHANGES, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)


class _Known(NamedTuple):
    view: NodeView
    requested: bytes
    phase: ClaimPhase | None = None


class NodeViews:
    """The nodes of a cluster as Karpenter sees them."""

    def __init__(self, cluster: Cluster, pods: PodViews) -> None:
        self._cluster = cluster
        self._pods = pods
        self._known: dict[int, _Known] = {}
        """By row of the node."""
        cluster.subscribe(self._on_change, _CHANGES)

    def _on_change(self, event: ClusterEvent) -> None:
        self._known.pop(event.node, None)

    def of_claim(self, claim: Claim, node: int) -> NodeView:
        """The node of a claim."""
        phase = claim_phase(claim, self._cluster.clock.now_us)
        known, requested = self._known.get(node), self._cluster.nodes.requested[node].tobytes()
        if known is not None and known.phase == phase and known.requested == requested:
            return known.view
        pods = self._pods_on(node)
        return self._kept(node, _Known(claim_view(claim, self._machine(node, pods), phase), requested, phase))

    def of_other(self, node: int) -> NodeView:
        """A node that Karpenter did not launch."""
        known, requested = self._known.get(node), self._cluster.nodes.requested[node].tobytes()
        if known is not None and known.requested == requested:
            return known.view
        return self._kept(node, _Known(self._other(node, self._pods_on(node)), requested))

    def _kept(self, node: int, made: _Known) -> NodeView:
        """Remembered until something happens on the node, unless its pods change by themselves."""
        if self._pods.are_steady(node):
            self._known[node] = made
        return made.view

    def _pods_on(self, node: int) -> tuple[PodView, ...]:
        return self._pods.on_node(node) if self._cluster.nodes.exists[node] else ()

    def _other(self, node: int, pods: tuple[PodView, ...]) -> NodeView:
        made = self._machine(node, pods)
        return NodeView(
            self._cluster.node_name(node),
            self._cluster.node_labels(node),
            made.taints,
            made.capacity,
            made.allocatable,
            is_ready=made.is_ready,
            pods=pods,
            requested=made.requested,
        )

    def _machine(self, node: int, pods: tuple[PodView, ...]) -> ClaimMachine:
        cluster, nodes = self._cluster, self._cluster.nodes
        spec, exists = cluster.node_specs[nodes.spec[node]], bool(nodes.exists[node])
        taints = cluster.node_taints(node) if exists else spec.taints
        if nodes.unschedulable[node]:
            taints = (*taints, CORDON_TAINT)
        allocatable = nodes.allocatable[node].copy() if exists else spec.allocatable
        is_ready, requested = bool(nodes.ready[node]), nodes.requested[node].copy()
        return ClaimMachine(taints, spec.capacity, allocatable, is_ready, pods, requested)
