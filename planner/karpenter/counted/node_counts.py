"""The pods that each node would leave behind, counted again only where a node has changed."""

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
        self._kind_of: dict[int, PodKind] = {} if before is None else before._kind_of
        self.kinds: NDArray[np.int64] = np.full(len(nodes), NO_PODS)
        """Number of the kind of all pods of a node; negative where there is none, or not one."""
        self.numbers: NDArray[np.int64] = np.zeros(len(nodes), dtype=np.int64)
        """How many there are of it."""
        new: Sequence[int] = range(len(nodes)) if before is None else self._take_over(before)
        for row in new:
            self.kinds[row], self.numbers[row] = self._only(count(nodes[row]))

    def _take_over(self, before: "NodeCounts") -> Sequence[int]:
        """Figures of nodes that are as they were; the rows of the others."""
        if len(self._nodes) == len(before._nodes):
            self.kinds[:], self.numbers[:] = before.kinds, before.numbers
            return changed_places(before._nodes, self._nodes)
        row_of = dict(zip(before._nodes, range(len(before._nodes)), strict=True))
        earlier = np.array([row_of.get(node, -1) for node in self._nodes], dtype=np.int64)
        is_same = earlier >= 0
        self.kinds[is_same], self.numbers[is_same] = before.kinds[earlier[is_same]], before.numbers[earlier[is_same]]
        return np.flatnonzero(~is_same).tolist()

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
        kinds = self.kinds[rows]
        if (kinds == _MIXED).any():
            return None
        totals = np.bincount(kinds - NO_PODS, weights=self.numbers[rows]).astype(np.int64)
        return tuple((self._kind_of[at + NO_PODS], totals.item(at)) for at in np.flatnonzero(totals).tolist())
