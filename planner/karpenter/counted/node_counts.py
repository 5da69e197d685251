"""The pods that each node would leave behind, counted when they are asked for, and again only where a node has changed.

Nodes whose pods came or went lately are no candidates, so that most are never asked for.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.counted.pod_kinds import KindCounts, PodKind
from planner.karpenter.provisioning.node_rooms import Rows
from planner.karpenter.view_changes import changed_places

NO_PODS = -1
_MIXED = -2
"""Pods of several kinds, or such of which not only the number matters."""
_UNKNOWN = -3


class NodeCounts:
    """The pods of the nodes of a round, by row."""

    def __init__(
        self,
        nodes: Sequence[NodeView],
        count: Callable[[NodeView], KindCounts | None],
        before: "NodeCounts | None" = None,
    ) -> None:
        """`before`: of an earlier view, counted by the same rule."""
        self._nodes = tuple(nodes)  # the list of the round may change
        self._count = count
        self._kind_of: dict[int, PodKind] = {} if before is None else before._kind_of
        self._kinds: NDArray[np.int64] = np.full(len(nodes), _UNKNOWN)
        self._numbers: NDArray[np.int64] = np.zeros(len(nodes), dtype=np.int64)
        if before is not None:
            self._take_over(before)

    def _take_over(self, before: "NodeCounts") -> None:
        """Figures of nodes that are as they were."""
        if len(self._nodes) == len(before._nodes):
            self._kinds[:], self._numbers[:] = before._kinds, before._numbers
            self._kinds[changed_places(before._nodes, self._nodes)] = _UNKNOWN
            return
        row_of = dict(zip(before._nodes, range(len(before._nodes)), strict=True))
        earlier = np.array([row_of.get(node, -1) for node in self._nodes], dtype=np.int64)
        is_same = earlier >= 0
        self._kinds[is_same] = before._kinds[earlier[is_same]]
        self._numbers[is_same] = before._numbers[earlier[is_same]]

    def kinds(self, rows: Rows) -> NDArray[np.int64]:
        """Numbers of the kinds of all pods of some nodes; negative where a node has none, or not one kind."""
        found = self._kinds[rows]
        unknown = rows[found == _UNKNOWN]
        if not len(unknown):
            return found
        for row in unknown.tolist():
            self._kinds[row], self._numbers[row] = self._only(self._count(self._nodes[row]))
        return self._kinds[rows]

    def numbers(self, rows: Rows) -> NDArray[np.int64]:
        """How many pods of their one kind some nodes have."""
        self.kinds(rows)
        return self._numbers[rows]

    def _only(self, counts: KindCounts | None) -> tuple[int, int]:
        if counts is None or len(counts) > 1:
            return _MIXED, 0
        for kind, number in counts:
            self._kind_of[kind.number] = kind
            return kind.number, number
        return NO_PODS, 0

    def kind(self, number: int) -> PodKind:
        """A kind of which some node has pods."""
        return self._kind_of[number]

    def together(self, rows: Rows) -> KindCounts | None:
        """How many pods of each kind some nodes have; None unless each has pods of one kind only, or none."""
        kinds = self.kinds(rows)
        if (kinds == _MIXED).any():
            return None
        totals = np.bincount(kinds - NO_PODS, weights=self._numbers[rows]).astype(np.int64)
        return tuple((self._kind_of[at + NO_PODS], totals.item(at)) for at in np.flatnonzero(totals).tolist())
