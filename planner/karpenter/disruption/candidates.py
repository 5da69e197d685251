"""Which nodes may be disrupted.

Source: Karpenter 1.13, pkg/controllers/disruption/types.go (NewCandidate), pkg/controllers/state/statenode.go
(ValidateNodeDisruptable, ValidatePodsDisruptable).
"""

from collections.abc import Container, Iterable, Mapping

import numpy as np

from planner.karpenter.budget_view import BudgetView
from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.blockers import Blocker, Hindrance
from planner.karpenter.disruption.commands import DisruptionMethod, RankedCandidates
from planner.karpenter.disruption.move_costs import NO_COST, cost_row, in_order
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL
from planner.plan.model.node_groups import ZONE_LABEL

_RECENT_PODS = Hindrance(Blocker.RECENT_PODS)


def hindrance(
    view: ClusterView, node: NodeView, pools: Mapping[str, PoolRules], method: DisruptionMethod
) -> Hindrance | None:
    """What keeps a node from being a candidate of any method; drift with a grace period overrides its pods."""
    found = _node_blocker(node, pools)
    if found is not None:
        return Hindrance(found)
    if method is DisruptionMethod.DRIFT and node.termination_grace_us is not None:
        return None
    return pod_hindrance(view, node)


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


def pod_hindrance(view: ClusterView, node: NodeView) -> Hindrance | None:
    """What of its pods keeps a node: annotations first, then budgets without headroom."""
    if view.may_keep and node.keeper is not None:
        return Hindrance(Blocker.POD_KEPT, (node.keeper.uid,))
    for pod in node.evictable if view.budgets else ():
        covering = view.budgets_of(pod)
        if len(covering) > 1:
            return _held_by(Blocker.SEVERAL_PDBS, covering)
        if any(budget.allowed <= 0 and not budget.lets_go(pod) for budget in covering):
            return _held_by(Blocker.PDB, covering)
    return None


def _held_by(blocker: Blocker, budgets: Iterable[BudgetView]) -> Hindrance:
    return Hindrance(blocker, tuple(f"{budget.namespace}/{budget.name}" for budget in budgets))


def method_hindrance(
    node: NodeView, pool: PoolRules, catalogue: Catalogue, method: DisruptionMethod
) -> Hindrance | None:
    """What keeps a node from being a candidate of one method."""
    if method is DisruptionMethod.DRIFT:
        return None if node.drifted_us is not None else Hindrance(Blocker.NOT_DRIFTED)
    is_off = pool.consolidate_after_us is None
    if method is DisruptionMethod.EMPTINESS:
        if is_off:
            return Hindrance(Blocker.CONSOLIDATION_OFF, (pool.name,))
        if node.holds_buffer:
            return Hindrance(Blocker.BUFFER)
        return _resting(node) if node.is_empty else Hindrance(Blocker.NOT_EMPTY)
    if catalogue.number_of(node.instance_type) is None:
        return Hindrance(Blocker.UNKNOWN_TYPE, (node.instance_type,))
    if CAPACITY_TYPE_LABEL not in node.labels or ZONE_LABEL not in node.labels:
        return Hindrance(Blocker.NO_OFFERING_LABELS)
    if is_off:
        return Hindrance(Blocker.CONSOLIDATION_OFF, (pool.name,))
    return Hindrance(Blocker.ONLY_WHEN_EMPTY, (pool.name,)) if pool.only_when_empty else _resting(node)


def _resting(node: NodeView) -> Hindrance | None:
    return None if node.is_consolidatable else _RECENT_PODS


def why_kept(
    view: ClusterView,
    node: NodeView,
    pools: Mapping[str, PoolRules],
    catalogue: Catalogue,
    method: DisruptionMethod,
) -> Hindrance | None:
    """What keeps a node from being a candidate of a method."""
    found = hindrance(view, node, pools, method)
    return method_hindrance(node, pools[node.pool], catalogue, method) if found is None else found


def candidates(
    view: ClusterView, nodes: Iterable[NodeView], provider: KarpenterProvider, method: DisruptionMethod, now_us: int
) -> RankedCandidates:
    """Those of some nodes that a method may disrupt, the cheapest to move first, equal ones by name."""
    pools, catalogue = provider.pool_of, provider.catalogue
    found = [node for node in nodes if _may_be(node, method) and why_kept(view, node, pools, catalogue, method) is None]
    found.sort(key=lambda node: node.name)
    names = view.names if found else ()
    place_of = dict(zip(names, range(len(names)), strict=True))
    places = np.array([place_of[node.name] for node in found], dtype=np.int64)
    rows = np.array([cost_row(node) for node in found]).reshape(-1, len(NO_COST))
    return in_order(view.nodes, names, places, rows, now_us)


def _may_be(node: NodeView, method: DisruptionMethod) -> bool:
    """What is told fastest of what a candidate of a method must be."""
    if method is DisruptionMethod.DRIFT:
        return node.drifted_us is not None
    return node.is_consolidatable and not (method is DisruptionMethod.EMPTINESS and node.reschedulable)
