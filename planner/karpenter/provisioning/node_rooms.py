"""The nodes of a view as places for pods, made once for all rounds over the view.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/existingnode.go. What depends only on labels and taints
is decided once for all nodes that share them.
"""

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import repeat
from operator import attrgetter

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
_name, _is_initialized = attrgetter("name"), attrgetter("is_initialized")


class NodeRooms:
    """Nodes in the order in which a round tries them, initialized ones first, then by name."""

    def __init__(self, nodes: Iterable[NodeView], basis: RoundBasis, before: "NodeRooms | None" = None) -> None:
        """`before`: of an earlier view, whose figures are taken over for nodes that have not changed."""
        self._basis = basis
        self._given = list(nodes)
        changed = None if before is None else self._changed_since(before)
        if before is None or changed is None:
            self._read(before if before is not None and before._basis is basis else None)
        else:
            self._take_over(before, changed)
        self.is_overdrawn: NDArray[np.bool_] = np.asarray((self.room < 0).any(axis=1))
        """A node with a negative amount of anything takes nothing."""

    def _read(self, before: "NodeRooms | None") -> None:
        names, are_begun = list(map(_name, self._given)), list(map(_is_initialized, self._given))
        by_name = sorted(range(len(names)), key=names.__getitem__)
        order = [*(at for at in by_name if are_begun[at]), *(at for at in by_name if not are_begun[at])]
        self.nodes = list(map(self._given.__getitem__, order))
        self.begun: int = sum(are_begun)
        """Rows before this one are initialized."""
        self.row_of: dict[str, int] = dict(zip(map(names.__getitem__, order), range(len(order)), strict=True))
        self.row_at: Rows = np.zeros(len(order), dtype=np.int64)
        """By place among the nodes that were given."""
        self.row_at[order] = np.arange(len(order))
        self._numbers: dict[Hashable, int] = {} if before is None else before._numbers
        """Of all kinds that there have been."""
        numbers: NDArray[np.int64] = np.zeros(len(self.nodes), dtype=np.int64)
        self.room: NDArray[np.int64] = np.zeros((len(self.nodes), len(self._basis.axis)), dtype=np.int64)
        new = list(range(len(self.nodes)))
        if before is not None:
            new = self._take_rows(before, numbers)
        read = [self.nodes[row] for row in new]
        numbers[new] = [self._numbers.setdefault(node.kind, len(self._numbers)) for node in read]
        self.room[new] = self._rooms(read)
        self.kinds = numbers
        """By row: equal for nodes with the same labels but for the hostname, and the same taints for good."""
        _, examples, self._example_of = np.unique(numbers, return_index=True, return_inverse=True)
        self._examples: list[int] = examples.tolist()
        self._suiting: dict[int, tuple[PodStage, NDArray[np.bool_]]] = {}

    def _take_rows(self, before: "NodeRooms", numbers: NDArray[np.int64]) -> list[int]:
        """Figures of nodes that are as they were; the rows of the others."""
        row_of = dict(zip(before.nodes, range(len(before.nodes)), strict=True))
        at = np.fromiter(map(row_of.get, self.nodes, repeat(-1)), np.int64, len(self.nodes))
        is_same = at >= 0
        rows = np.flatnonzero(is_same)
        old = at[rows]
        self.room[rows], numbers[rows] = before.room[old], before.kinds[old]
        return np.flatnonzero(np.logical_not(is_same)).tolist()

    def _changed_since(self, before: "NodeRooms") -> list[NodeView] | None:
        """Nodes that are not as they were; None if other nodes take part, or in another order."""
        if before._basis is not self._basis or len(before._given) != len(self._given):
            return None
        places, given = changed_places(before._given, self._given), self._given
        return [given[at] for at in places] if all(_is_alike(before._given[at], given[at]) for at in places) else None

    def _take_over(self, before: "NodeRooms", changed: Sequence[NodeView]) -> None:
        self.nodes, self.row_of, self.begun = list(before.nodes), before.row_of, before.begun
        self.row_at = before.row_at
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
