"""Limits of pools: what may still be launched.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/scheduler.go (updateRemainingResources, subtractMax,
filterByRemainingResources) and provisioner.go (Create).
"""

from collections.abc import Hashable, Mapping

import numpy as np

from planner.karpenter.catalogue.catalogue import NO_TYPES, Catalogue, TypeSet
from planner.karpenter.failures import Failure
from planner.karpenter.pools.pool_rules import PoolRules
from planner.state.resources import Amounts, ResourceAxis

NODES = "nodes"
"""The pseudo resource that counts nodes."""


class RemainingLimits:
    """What a pool has left in a round."""

    def __init__(self, pool: PoolRules, axis: ResourceAxis) -> None:
        limited = [(axis.names.index(name), most) for name, most in pool.limits.items() if name in axis.names]
        self._columns = np.array([column for column, _ in limited], dtype=np.int64)
        self._remaining = np.zeros(len(axis), dtype=np.int64)
        for column, most in limited:
            self._remaining[column] = most
        self._nodes: int | None = pool.limits.get(NODES)

    @property
    def left(self) -> Hashable:
        """Equal where the same may still be launched."""
        return self._remaining[self._columns].tobytes(), self._nodes

    def take_nodes(self, capacity: Amounts, count: int) -> None:
        """Nodes of the pool, of this capacity together, exist or are on their way."""
        self._remaining -= capacity
        if self._nodes is not None:
            self._nodes -= count

    def take_most(self, catalogue: Catalogue, types: TypeSet) -> None:
        """A node of one of some types will be launched: the largest counts, but not the number of nodes."""
        if len(self._columns):
            self._remaining -= catalogue.most(types)

    def usable(self, catalogue: Catalogue, types: TypeSet) -> TypeSet | Failure:
        """The types that may still be launched, or the limit that allows none."""
        if self._nodes == 0:
            return Failure.NODE_LIMIT
        if self._nodes is not None and self._nodes < 0:
            return Failure.LIMITS
        left = types & catalogue.within(self._columns, self._remaining) if len(self._columns) else types
        return Failure.LIMITS if left == NO_TYPES else left


def exceeded(pool: PoolRules, usage: Mapping[str, int]) -> str | None:
    """The first resource of which a pool uses more than its limit, `nodes` included; a launch is refused then."""
    return next((name for name, most in pool.limits.items() if usage.get(name, 0) > most), None)
