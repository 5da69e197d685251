"""Budgets of all pools at the time of a pass.

Source: Karpenter 1.13, pkg/controllers/disruption/helpers.go (BuildDisruptionBudgetMapping).
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.pools.budget_schedule import (
    ClosedTime,
    DisruptionBudget,
    closed_time,
    left_to_disrupt,
)
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.view_changes import changed_places


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


class PoolSize(NamedTuple):
    """The nodes of a pool that have started up and whose machines stay."""

    nodes: int = 0
    disrupted: int = 0
    """Those of them that go or are not Ready."""


class PoolSizes:
    """Sizes of pools, counted again only where a node has changed."""

    def __init__(self) -> None:
        self._nodes: Sequence[NodeView] = ()
        self._sizes: dict[str, PoolSize] = {}

    def of(self, nodes: Sequence[NodeView]) -> Mapping[str, PoolSize]:
        """The sizes of all pools that have nodes; `nodes` stay as they are."""
        if nodes is self._nodes:
            return self._sizes
        if len(nodes) == len(self._nodes):
            changed = changed_places(self._nodes, nodes)
            self._count((self._nodes[at] for at in changed), -1)
            self._count((nodes[at] for at in changed), 1)
        else:
            before, now = dict.fromkeys(self._nodes), dict.fromkeys(nodes)
            self._count((node for node in before if node not in now), -1)
            self._count((node for node in now if node not in before), 1)
        self._nodes = nodes
        return self._sizes

    def _count(self, nodes: Iterable[NodeView], sign: int) -> None:
        for node in nodes:
            if node.is_initialized and not node.is_instance_terminating:
                count, disrupted = self._sizes.get(node.pool, _NO_NODES)
                is_disrupted = node.is_going or not node.is_ready
                self._sizes[node.pool] = PoolSize(count + sign, disrupted + sign * is_disrupted)


_NO_NODES = PoolSize()


def allowed_by_pool(
    sizes: Mapping[str, PoolSize], pools: Iterable[PoolRules], reason: str, now: datetime
) -> Mapping[str, int]:
    """Nodes that may be disrupted for a reason, by pool."""
    return {pool.name: left_to_disrupt(pool.budgets, *sizes.get(pool.name, _NO_NODES), reason, now) for pool in pools}
