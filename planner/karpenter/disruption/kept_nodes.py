"""Why nodes are no candidates of consolidation, looked at again only where a node has changed."""

from collections.abc import Sequence
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.blockers import PASSING, Hindrance
from planner.karpenter.disruption.candidates import why_kept
from planner.karpenter.disruption.commands import DisruptionMethod, RankedCandidates
from planner.karpenter.disruption.move_costs import NO_COST, cost_row, in_order
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.view_changes import changed_places

_METHOD = DisruptionMethod.SINGLE_NODE
"""Multi-node consolidation has the same candidates."""
Headroom = tuple[tuple[str, str, bool], ...]
"""Which budgets of pods allow a disruption."""


class KeptNodes:
    """Remembers what keeps nodes. Budgets of pods change without the nodes, so that all is looked at when one does."""

    def __init__(self) -> None:
        self._provider: KarpenterProvider | None = None
        self._view: ClusterView | None = None
        self._nodes: Sequence[NodeView | None] = ()
        self._names: Sequence[str] = ()
        self._by_name: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        """Places of the nodes in the order of their names."""
        self._told: list[Hindrance | None] = []
        """What keeps the nodes of pools that neither come nor go."""
        self._is_free: NDArray[np.bool_] = np.zeros(0, dtype=np.bool_)
        self._costs: NDArray[np.float64] = np.zeros((0, len(NO_COST)))
        """Of `cost_row`, for those that nothing keeps."""
        self._candidates: RankedCandidates | None = None
        self._reasons: dict[str, Hindrance] | None = None
        self._headroom: Headroom = ()

    def candidates(self, view: ClusterView, provider: KarpenterProvider, now_us: int) -> RankedCandidates:
        """The nodes that nothing keeps, in the order of their cost, equal ones by name."""
        self._look_at(view, provider)
        if self._candidates is None:
            free = self._by_name[self._is_free[self._by_name]]
            self._candidates = in_order(view.nodes, self._names, free, self._costs[free], now_us)
        return self._candidates

    def reasons(self, view: ClusterView, provider: KarpenterProvider) -> dict[str, Hindrance]:
        """What keeps the nodes of pools, in the order of the view, except those that come or go; the same object as
        long as nothing has changed.
        """
        self._look_at(view, provider)
        if self._reasons is None:
            told = zip(self._names, self._told, strict=True)
            self._reasons = {name: why for name, why in told if why is not None}
        return self._reasons

    def _look_at(self, view: ClusterView, provider: KarpenterProvider) -> None:
        if self._view is view and self._provider is provider:
            return
        headroom, differing = _headroom(view), self._differing(view.nodes)
        is_aligned = differing is not None
        is_known = self._provider is provider and self._headroom == headroom
        if differing is None:
            differing = self._align(view)
        changed: Sequence[int] = differing if is_known else range(len(view.nodes))
        for at in changed:
            node, pools = view.nodes[at], provider.pool_of
            why = why_kept(view, node, pools, provider.catalogue, _METHOD)
            is_told = why is not None and why.blocker not in PASSING and node.pool in pools
            self._told[at], self._is_free[at] = why if is_told else None, why is None
            self._costs[at] = cost_row(node) if why is None else NO_COST
        if changed or not is_aligned:
            self._reasons = None
        self._view, self._provider, self._candidates, self._nodes = view, provider, None, view.nodes
        self._headroom = headroom

    def _differing(self, nodes: Sequence[NodeView]) -> list[int] | None:
        """Places of nodes that have changed; None where what is known is not in the order of the nodes."""
        if len(nodes) != len(self._nodes):
            return None
        changed = changed_places(self._nodes, nodes)
        return changed if all(self._names[at] == nodes[at].name for at in changed) else None

    def _align(self, view: ClusterView) -> list[int]:
        """Bring what is known into the order of the nodes, of new ones nothing; places of nodes that have changed."""
        names, places = view.names, dict(zip(self._names, range(len(self._names)), strict=True))
        before = list(map(places.get, names, repeat(-1)))
        self._nodes = list(map([*self._nodes, None].__getitem__, before))
        self._told = list(map([*self._told, None].__getitem__, before))
        self._is_free = np.append(self._is_free, False)[before]
        self._costs = np.vstack([self._costs, NO_COST])[before]
        self._names, self._by_name = names, np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
        return changed_places(self._nodes, view.nodes)


def _headroom(view: ClusterView) -> Headroom:
    return tuple((budget.namespace, budget.name, budget.allowed > 0) for budget in view.budgets)
