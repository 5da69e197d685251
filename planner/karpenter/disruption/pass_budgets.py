"""Budgets of all pools at the time of a pass.

Source: Karpenter 1.13, pkg/controllers/disruption/helpers.go (BuildDisruptionBudgetMapping).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.pools.budget_schedule import (
    ClosedTime,
    DisruptionBudget,
    closed_time,
    left_to_disrupt,
)
from planner.karpenter.pools.pool_rules import PoolRules


class ClosedPools:
    """Remembers until when budgets of 0 close pools, so that schedules are seldom read."""

    def __init__(self) -> None:
        self._known: dict[tuple[tuple[DisruptionBudget, ...], str], ClosedTime] = {}

    def are_closed(self, pools: Iterable[PoolRules], reason: str, now: datetime) -> bool:
        """Whether no pool lets any node go for a reason."""
        return all(self._closed(pool, reason, now) for pool in pools)

    def _closed(self, pool: PoolRules, reason: str, now: datetime) -> bool:
        key = pool.budgets, reason
        known = self._known.get(key)
        if known is None or (known.until is not None and known.until <= now):
            known = self._known[key] = closed_time(pool.budgets, reason, now)
        return known.is_closed


def allowed_by_pool(view: ClusterView, pools: Iterable[PoolRules], reason: str, now: datetime) -> Mapping[str, int]:
    """Nodes that may be disrupted for a reason, by pool."""
    sizes = view.pool_sizes
    return {pool.name: left_to_disrupt(pool.budgets, *sizes.get(pool.name, (0, 0)), reason, now) for pool in pools}
