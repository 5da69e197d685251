"""The nodes of a view as places for pods, made once for all rounds over the view.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/existingnode.go. What depends only on labels and taints
is decided once for all nodes that share them.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.pools.pool_rules import PoolRules
from planner.karpenter.provisioning.limits import RemainingLimits
from planner.karpenter.provisioning.round_basis import RoundBasis
from planner.karpenter.requirements.requirements import Requirements, compatible
from planner.karpenter.topology.node_filter import tolerates_all
from planner.karpenter.view_changes import changed_places
from planner.state.resources import Amounts
from planner.state.specs import HOSTNAME_LABEL

Rows = NDArray[np.int64]
NO_ROWS: Rows = np.arange(0)


class NodeRooms:
    """Nodes in the order in which a round tries them, initialized ones first, then by name."""

    def __init__(self, nodes: Sequence[NodeView], basis: RoundBasis, before: "NodeRooms | None" = None) -> None:
        """`nodes` stay as they are. `before`: of an earlier view, whose figures are taken over for nodes that have not
        changed.
        """
        self._basis = basis
        self._given = nodes
        changed = None if before is None else self._changed_since(before)
        if before is None or changed is None:
            self._read(before if before is not None and before._basis is basis else None)
        else:
            self._take_over(before, changed)
        self.is_overdrawn: NDArray[np.bool_] = np.asarray((self.room < 0).any(axis=1))
        """A node with a negative amount of anything takes nothing."""

    def _read(self, before: "NodeRooms | None") -> None:
        order, old = self._order([] if before is None else before.nodes, [] if before is None else before.names)
        count = len(order)
        self.nodes: list[NodeView] = list(map(self._given.__getitem__, order))
        self.row_of: dict[str, int] = dict(zip(self.names, range(count), strict=True))
        self.row_at: Rows = np.zeros(count, dtype=np.int64)
        """By place among the nodes that were given."""
        self.row_at[order] = np.arange(count)
        self._numbers: dict[Hashable, int] = {} if before is None else before._numbers
        """Of all kinds that there have been."""
        self.kinds: NDArray[np.int64] = np.zeros(count, dtype=np.int64)
        """By row: equal for nodes with the same labels but for the hostname, and the same taints for good."""
        self.room: NDArray[np.int64] = np.zeros((count, len(self._basis.axis)), dtype=np.int64)
        rows, new = np.flatnonzero(old >= 0), np.flatnonzero(old < 0).tolist()
        if before is not None:
            self.room[rows], self.kinds[rows] = before.room[old[rows]], before.kinds[old[rows]]
        read = [self.nodes[row] for row in new]
        self.kinds[new] = [self._numbers.setdefault(node.kind, len(self._numbers)) for node in read]
        self.room[new] = self._rooms(read)
        first = np.full(len(self._numbers), count)
        np.minimum.at(first, self.kinds, np.arange(count))
        is_there = first < count
        self._examples: list[int] = first[is_there].tolist()
        self._example_of: Rows = (np.cumsum(is_there) - 1)[self.kinds]
        self._suiting: dict[int, tuple[PodStage, NDArray[np.bool_]]] = {}

    def _order(self, known: Sequence[NodeView], known_names: Sequence[str]) -> tuple[list[int], Rows]:
        """Places of the given nodes in the order of the rows, and the row that each had among the known ones, or -1.

        Known nodes stay in their order; the others, which are few, are put between them.
        """
        row_of = dict(zip(known, range(len(known)), strict=True))
        rows = np.fromiter(map(row_of.get, self._given, repeat(-1)), np.int64, len(self._given))
        ranks = np.argsort(rows, kind="stable")
        there = ranks[np.count_nonzero(rows < 0) :]
        order, old = there.tolist(), rows[there].tolist()
        self.names: list[str] = list(map(known_names.__getitem__, old))
        """By row."""
        self.begun: int = bisect_left(order, True, key=lambda at: not self._given[at].is_initialized)
        """Rows before this one are initialized."""
        for at in np.flatnonzero(rows < 0).tolist():
            node = self._given[at]
            begin, end = (0, self.begun) if node.is_initialized else (self.begun, len(order))
            row = bisect_left(self.names, node.name, begin, end)
            self.names.insert(row, node.name)
            order.insert(row, at)
            old.insert(row, -1)
            self.begun += node.is_initialized
        return order, np.array(old, dtype=np.int64)

    def _changed_since(self, before: "NodeRooms") -> list[NodeView] | None:
        """Nodes that are not as they were; None if other nodes take part, or in another order."""
        if before._basis is not self._basis or len(before._given) != len(self._given):
            return None
        places, given = changed_places(before._given, self._given), self._given
        return [given[at] for at in places] if all(_is_alike(before._given[at], given[at]) for at in places) else None

    def _take_over(self, before: "NodeRooms", changed: Sequence[NodeView]) -> None:
        self.nodes, self.names, self.row_of = list(before.nodes), before.names, before.row_of
        self.row_at, self.begun = before.row_at, before.begun
        self._numbers, self.kinds, self._suiting = before._numbers, before.kinds, before._suiting
        self._examples, self._example_of = before._examples, before._example_of
        self.room = before.room.copy()
        if changed:
            rows = [self.row_of[node.name] for node in changed]
            self.room[rows] = self._rooms(changed)
            for row, node in zip(rows, changed, strict=True):
                self.nodes[row] = node

    def _rooms(self, nodes: Sequence[NodeView]) -> NDArray[np.int64]:
        """What nodes have left once all their daemons are there."""
        room: NDArray[np.int64] = np.array([node.available for node in nodes], dtype=np.int64).reshape(
            -1, len(self._basis.axis)
        )
        if not self._basis.daemons:
            return room
        wanted = np.array([self._basis.expected(node) for node in nodes], dtype=np.int64).reshape(room.shape)
        there = np.array([node.daemon_requests for node in nodes], dtype=np.int64).reshape(room.shape)
        missing = np.maximum(wanted - there, 0)
        missing[np.array([node.untold for node in nodes], dtype=np.bool_).reshape(room.shape)] = 0
        room -= missing
        return room

    def without(self, names: Iterable[str]) -> Rows:
        """Rows of the nodes but for some; names of other nodes do not count."""
        gone = [row for name in names if (row := self.row_of.get(name)) is not None]
        return np.delete(np.arange(len(self.nodes)), gone)

    def suiting(self, stage: PodStage) -> NDArray[np.bool_]:
        """The nodes whose taints are tolerated and whose labels suit."""
        known = self._suiting.get(stage.number)
        if known is None:
            if HOSTNAME_LABEL in stage.needs:
                found = np.array([suits(node, node.needs, stage) for node in self.nodes], dtype=np.bool_)
            else:
                examples = [self.nodes[row] for row in self._examples]
                kinds = np.array([suits(node, node.needs, stage) for node in examples], dtype=np.bool_)
                found = kinds[self._example_of]
            known = self._suiting[stage.number] = stage, found
        return known[1]

    def limits(self, without: Iterable[str]) -> dict[str, RemainingLimits]:
        """What limits leave to each pool if some nodes were gone."""
        found = {pool.name: RemainingLimits(pool, self._basis.axis) for pool in self._basis.pools}
        for pool, (capacity, count) in self._used.items():
            found[pool].take_nodes(capacity, count)
        for name in without:
            row = self.row_of.get(name)
            if row is not None and self.nodes[row].pool in self._used:
                found[self.nodes[row].pool].take_nodes(-self.nodes[row].capacity, -1)
        return found

    @cached_property
    def _used(self) -> dict[str, tuple[Amounts, int]]:
        """Capacity and number of the nodes of each pool that has limits."""
        limited = {pool.name: [n.capacity for n in self.nodes if n.pool == pool.name] for pool in self._limited}
        return {name: (np.sum(own, axis=0), len(own)) for name, own in limited.items() if own}

    @property
    def _limited(self) -> Iterable[PoolRules]:
        return (pool for pool in self._basis.pools if pool.limits)


def _is_alike(old: NodeView, new: NodeView) -> bool:
    """Whether a node has the same name and place in the order, and suits the same pods."""
    if old.name != new.name or old.is_initialized != new.is_initialized:
        return False
    is_plain = old.labels is new.labels and old.taints == new.taints and old.startup_taints == new.startup_taints
    return (is_plain and old.pool == new.pool) or old.kind == new.kind


def suits(node: NodeView, labels: Requirements, stage: PodStage) -> bool:
    """Whether a node with such labels can take pods of a stage as far as taints and labels go."""
    return tolerates_all(stage.pod.tolerations, node.scheduling_taints) and compatible(labels, stage.needs)
