"""Which nodes may be disrupted.

Source: Karpenter 1.13, pkg/controllers/disruption/types.go (NewCandidate), pkg/controllers/state/statenode.go
(ValidateNodeDisruptable, ValidatePodsDisruptable).
"""

from collections.abc import Container, Mapping
from enum import StrEnum

import numpy as np

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.commands import DisruptionMethod, RankedCandidates
from planner.karpenter.disruption.move_costs import NO_COST, cost_row, in_order
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL
from planner.plan.model.node_groups import ZONE_LABEL


class Blocker(StrEnum):
    """What keeps a node from being disrupted, in the words of Karpenter's events."""

    IN_COMMAND = "Candidate is already being disrupted"
    NOT_MANAGED = "Node isn't managed by karpenter"
    NO_NODE = "Nodeclaim does not have an associated node"
    NOT_INITIALIZED = "Node isn't initialized"
    GOING = "Node is deleting or marked for deletion"
    NOMINATED = "Node is nominated for a pending pod"
    KEPT = 'Disruption is blocked through the "karpenter.sh/do-not-disrupt" annotation'
    NO_POOL = "NodePool not found"
    POD_KEPT = 'Pod has "karpenter.sh/do-not-disrupt" annotation'
    PDB = "Pdb prevents pod evictions"
    SEVERAL_PDBS = "Eviction does not support multiple PDBs"
    UNKNOWN_TYPE = "Instance Type not found"
    NO_OFFERING_LABELS = "Node does not have the labels of its capacity type and zone"
    CONSOLIDATION_OFF = "NodePool has consolidation disabled"
    ONLY_WHEN_EMPTY = "NodePool has non-empty consolidation disabled"
    RECENT_PODS = "Pods came or went within consolidateAfter"
    NOT_EMPTY = "Node has pods"
    BUFFER = "Node has buffer pods"
    NOT_DRIFTED = "Node has not drifted"
    BUDGET = "No allowed disruptions due to blocking budget"


PASSING = (Blocker.IN_COMMAND, Blocker.NO_NODE, Blocker.NOT_INITIALIZED, Blocker.GOING)
"""A node comes or goes, as other decisions say."""


def blocker(
    view: ClusterView, node: NodeView, pools: Mapping[str, PoolRules], method: DisruptionMethod
) -> Blocker | None:
    """What keeps a node from being a candidate of any method; drift with a grace period overrides its pods."""
    found = _node_blocker(node, pools)
    if found is not None:
        return found
    if method is DisruptionMethod.DRIFT and node.termination_grace_us is not None:
        return None
    return pod_blocker(view, node)


def _node_blocker(node: NodeView, pools: Container[str]) -> Blocker | None:
    if node.in_command:
        return Blocker.IN_COMMAND
    if not node.is_managed:
        return Blocker.NOT_MANAGED
    if not node.is_initialized:
        return Blocker.NOT_INITIALIZED if node.is_registered else Blocker.NO_NODE
    if node.is_going:
        return Blocker.GOING
    if node.is_nominated:
        return Blocker.NOMINATED
    if node.keeps_itself:
        return Blocker.KEPT
    return None if node.pool in pools else Blocker.NO_POOL


def pod_blocker(view: ClusterView, node: NodeView) -> Blocker | None:
    """What of its pods keeps a node: annotations first, then budgets without headroom."""
    if view.may_keep and node.has_keepers:
        return Blocker.POD_KEPT
    for pod in node.evictable if view.budgets else ():
        covering = view.budgets_of(pod)
        if len(covering) > 1:
            return Blocker.SEVERAL_PDBS
        if any(budget.allowed <= 0 and not budget.lets_go(pod) for budget in covering):
            return Blocker.PDB
    return None


def method_blocker(node: NodeView, pool: PoolRules, catalogue: Catalogue, method: DisruptionMethod) -> Blocker | None:
    """What keeps a node from being a candidate of one method."""
    if method is DisruptionMethod.DRIFT:
        return None if node.drifted_us is not None else Blocker.NOT_DRIFTED
    is_off = pool.consolidate_after_us is None
    if method is DisruptionMethod.EMPTINESS:
        if is_off:
            return Blocker.CONSOLIDATION_OFF
        if node.holds_buffer:
            return Blocker.BUFFER
        return Blocker.NOT_EMPTY if node.reschedulable else _resting(node)
    if catalogue.number_of(node.instance_type) is None:
        return Blocker.UNKNOWN_TYPE
    if CAPACITY_TYPE_LABEL not in node.labels or ZONE_LABEL not in node.labels:
        return Blocker.NO_OFFERING_LABELS
    if is_off:
        return Blocker.CONSOLIDATION_OFF
    return Blocker.ONLY_WHEN_EMPTY if pool.only_when_empty else _resting(node)


def _resting(node: NodeView) -> Blocker | None:
    return None if node.is_consolidatable else Blocker.RECENT_PODS


def why_kept(
    view: ClusterView,
    node: NodeView,
    pools: Mapping[str, PoolRules],
    catalogue: Catalogue,
    method: DisruptionMethod,
) -> Blocker | None:
    """What keeps a node from being a candidate of a method."""
    found = blocker(view, node, pools, method)
    return method_blocker(node, pools[node.pool], catalogue, method) if found is None else found


def candidates(
    view: ClusterView, pools: Mapping[str, PoolRules], catalogue: Catalogue, method: DisruptionMethod, now_us: int
) -> RankedCandidates:
    """The nodes that a method may disrupt, the cheapest to move first, equal ones by name."""
    found = [
        node
        for node in view.nodes
        if (node.drifted_us is not None if method is DisruptionMethod.DRIFT else node.is_consolidatable)
        and why_kept(view, node, pools, catalogue, method) is None
    ]
    found.sort(key=lambda node: node.name)
    return in_order(found, np.array([cost_row(node) for node in found]).reshape(-1, len(NO_COST)), now_us)
