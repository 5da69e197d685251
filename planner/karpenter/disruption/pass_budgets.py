"""Budgets of all pools at the time of a pass.

Source: Karpenter 1.13, pkg/controllers/disruption/helpers.go (BuildDisruptionBudgetMapping).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.pools.budget_schedule import CountedNode, left_to_disrupt
from planner.karpenter.pools.pool_rules import PoolRules


def allowed_by_pool(view: ClusterView, pools: Iterable[PoolRules], reason: str, now: datetime) -> Mapping[str, int]:
    """Nodes that may be disrupted for a reason, by pool."""
    counted = [
        CountedNode(node.pool, not node.is_ready or node.is_going)
        for node in view.nodes
        if node.is_managed and node.is_initialized and not node.is_instance_terminating
    ]
    return {pool.name: left_to_disrupt(pool.budgets, pool.name, counted, reason, now) for pool in pools}
