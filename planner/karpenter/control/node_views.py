"""Views of the nodes of a run, made again only where something has changed."""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import NamedTuple

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.control.claims import (
    FOREVER_US,
    Claim,
    ClaimMachine,
    ClaimPhase,
    ClaimRegister,
    claim_phase,
    claim_view,
)
from planner.karpenter.control.pod_views import POD_CHANGES, PodViews, ViewedPods
from planner.matching.taints import CORDON_TAINT
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster

_CHANGES = (*POD_CHANGES, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)


class _Known(NamedTuple):
    view: NodeView
    pods: ViewedPods | None
    """None before the node exists."""
    phase: tuple[ClaimPhase, int] | None = None
    """As the claim knew it."""


class NodeViews:
    """The nodes of a cluster as Karpenter sees them."""

    def __init__(self, cluster: Cluster, pods: PodViews) -> None:
        self._cluster = cluster
        self._pods = pods
        self._known: dict[int, _Known] = {}
        """By row of the node, as the rest."""
        self._claims: dict[int, Claim] = {}
        self._seen: list[NodeView] = []
        """The nodes of all claims, as they were seen last;"""
        self.names: list[str] = []
        """their names;"""
        self.places: dict[str, int] = {}
        """where each claim is among them, which is where it is among all nodes, too,"""
        self._extent = (0, 0)
        """and how many claims there had been and were then."""
        self._until_us: dict[int, int] = {}
        """When the phases of claims whose views are known end,"""
        self._ends: list[tuple[int, int]] = []
        """and a heap of these moments with the nodes, and of such that count no longer."""
        self._cursor = cluster.node_changes.cursor
        cluster.subscribe(self._on_change, _CHANGES)

    def _on_change(self, event: ClusterEvent) -> None:
        if self._pods.is_unseen(event):
            return
        self._forget(event.node)
        if event.kind is ClusterEventKind.NODE_GONE:
            self._claims.pop(event.node, None)

    def _forget(self, node: int) -> None:
        self._known.pop(node, None)
        self._forget_view(node)

    def of_claims(
        self, claims: Mapping[str, Claim], rows: Mapping[str, int], register: ClaimRegister
    ) -> list[NodeView]:
        """The nodes of all claims; `rows` by name of the claim, which is never used again."""
        self._forget_changed()
        self._forget_late()
        if self._extent != (extent := (len(rows), len(claims))):
            self._extent, self.names = extent, list(claims)
            self.places = dict(zip(self.names, range(len(self.names)), strict=True))
            self._seen = [claim.known_view or self.of_claim(claim, rows[claim.name]) for claim in claims.values()]
        else:
            for name, claim in register.unseen.items():
                if name in self.places:
                    self._seen[self.places[name]] = claim.known_view or self.of_claim(claim, rows[name])
        register.unseen.clear()
        return self._seen.copy()

    def of_claim(self, claim: Claim, node: int) -> NodeView:
        """The node of a claim."""
        phase = claim_phase(claim, self._cluster.clock.now_us)
        known = self._present(node)
        if known is None or known.phase is None or known.phase[0] != phase:
            pods = self._pods_on(node)
            known = _Known(claim_view(claim, self._machine(node, pods), phase), pods, claim.known_phase)
        else:
            known = _Known(known.view, known.pods, claim.known_phase)
        self._known[node], self._claims[node] = known, claim
        claim.known_view, claim.register.unseen[claim.name] = known.view, claim
        self._until_us[node] = until_us = FOREVER_US if claim.known_phase is None else claim.known_phase[1]
        if until_us < FOREVER_US:
            heappush(self._ends, (until_us, node))
        return known.view

    def of_other(self, node: int) -> NodeView:
        """A node that Karpenter did not launch."""
        known = self._present(node)
        if known is None:
            pods = self._pods_on(node)
            known = self._known[node] = _Known(self._other(node, pods), pods)
        return known.view

    def _present(self, node: int) -> _Known | None:
        """What is known of a node, unless it has changed since, or its pods by themselves."""
        self._forget_changed()
        known = self._known.get(node)
        is_late = known is not None and known.pods is not None and known.pods.until_us < self._cluster.clock.now_us
        return None if is_late else known

    def _forget_changed(self) -> None:
        log = self._cluster.node_changes
        if self._cursor != log.cursor:
            changed, self._cursor = log.since(self._cursor), log.cursor
            for row in list(self._known) if changed is None else changed:
                self._forget(row)

    def _forget_view(self, node: int) -> None:
        if self._until_us.pop(node, None) is not None:
            claim = self._claims[node]
            claim.known_view = None
            claim.register.unseen[claim.name] = claim

    def _forget_late(self) -> None:
        """Look again at claims whose phase, or whose pods, change by themselves."""
        now_us = self._cluster.clock.now_us
        late = self._pods.passed(now_us)
        while self._ends and self._ends[0][0] <= now_us:
            until_us, node = heappop(self._ends)
            if self._until_us.get(node) == until_us:
                late.append(node)
        for node in late:
            self._forget_view(node)

    def _pods_on(self, node: int) -> ViewedPods | None:
        return ViewedPods(self._pods, node) if self._cluster.nodes.exists[node] else None

    def _other(self, node: int, pods: ViewedPods | None) -> NodeView:
        made = self._machine(node, pods)
        return NodeView(
            self._cluster.node_name(node),
            self._cluster.node_labels(node),
            made.taints,
            made.capacity,
            made.allocatable,
            is_ready=made.is_ready,
            pods=made.pods,
            requested=made.requested,
        )

    def _machine(self, node: int, pods: ViewedPods | None) -> ClaimMachine:
        cluster, nodes = self._cluster, self._cluster.nodes
        spec, exists = cluster.node_specs[nodes.spec[node]], bool(nodes.exists[node])
        taints = cluster.node_taints(node) if exists else spec.taints
        if nodes.unschedulable[node]:
            taints = (*taints, CORDON_TAINT)
        allocatable = nodes.allocatable[node].copy() if exists else spec.allocatable
        is_ready, requested = bool(nodes.ready[node]), nodes.requested[node].copy()
        return ClaimMachine(taints, spec.capacity, allocatable, is_ready, () if pods is None else pods, requested)
