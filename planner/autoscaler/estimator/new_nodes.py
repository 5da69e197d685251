"""The nodes that an estimate has added so far."""

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.estimator.new_node_rules import NewNodeRules
from planner.autoscaler.snapshot.round_robin import Counts, SearchCursor
from planner.state.resources import Amounts
from planner.state.specs import PodSpec


class NewNodes:
    """New nodes with their free room. An empty node, if any, is the newest one."""

    def __init__(
        self, fresh: Amounts, limit: int | None, cursor: SearchCursor, before: int, rules: NewNodeRules | None
    ) -> None:
        self.fresh = fresh
        self.free: NDArray[np.int64] = np.zeros((0, len(fresh)), dtype=np.int64)
        self.newest_is_empty = False
        self.may_add = True
        """False once the limit was met."""
        self._limit = limit
        self._cursor = cursor
        self._before = before
        self._rules = rules
        self._extrapolated = 0

    def __len__(self) -> int:
        return len(self.free)

    @property
    def used(self) -> int:
        """Nodes that hold a pod. The real program counts old nodes too that took one after a skew."""
        old = 0 if self._rules is None else self._rules.old_nodes_used
        return len(self.free) - self.newest_is_empty + self._extrapolated + old

    @property
    def before(self) -> int:
        """Nodes listed before the new ones."""
        return self._before

    def search_start(self) -> int:
        """The new node at which the next search among new nodes begins."""
        return max(self._cursor.position % (self._before + len(self.free)) - self._before, 0)

    def list_start(self) -> int:
        """Where the next search among all nodes begins."""
        return self._cursor.position % (self._before + len(self.free))

    def found_at(self, node: int) -> None:
        """A search ended at a new node (or, counted negative from the first new one, at an old one)."""
        self._cursor.position = self._before + node + 1

    def has_room(self, node: int, need: Amounts) -> bool:
        """Whether one more pod fits, resources only."""
        return bool((self.free[node] >= need)[need > 0].all())

    def take(self, counts: Counts, first: int, need: Amounts, spec: PodSpec | None) -> None:
        """Equal pods take room on the nodes from `first` on."""
        self.free[first : first + len(counts)] -= counts[:, None] * need[None, :]
        if first + len(counts) == len(self.free) and counts[-1]:
            self.newest_is_empty = False
        if self._rules is not None and spec is not None and self._rules.counts_any(spec):
            for node, count in enumerate(counts.tolist(), first):
                if count:
                    self._rules.put(spec, node, count)

    def put(self, node: int, need: Amounts, spec: PodSpec) -> None:
        """One pod takes room on a node."""
        self.take(np.ones(1, dtype=np.int64), node, need, spec)

    def grow(self, wanted: int) -> int:
        """Add up to `wanted` nodes; how many the limit allowed."""
        room = wanted if self._limit is None else max(self._limit - len(self.free) - self._extrapolated, 0)
        if room < wanted:
            self.may_add = False
        added = min(wanted, room)
        if added:
            self.free = np.concatenate([self.free, np.repeat(self.fresh[None, :], added, axis=0)])
            self.newest_is_empty = True
            if self._rules is not None:
                self._rules.add_nodes(added)
        return added

    def extrapolate(self, wanted: int) -> int:
        """Nodes that are only counted; how many the limit allows."""
        more = wanted if self._limit is None else min(wanted, self._limit - len(self.free))
        self._extrapolated += more
        return more
