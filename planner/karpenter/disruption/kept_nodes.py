"""Why nodes are no candidates of consolidation, looked at again only where a node has changed."""

from collections.abc import Sequence
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import ClusterView, NodeView
from planner.karpenter.disruption.candidates import PASSING, Blocker, why_kept
from planner.karpenter.disruption.commands import DisruptionCandidate, DisruptionMethod
from planner.karpenter.disruption.move_costs import NO_COST, cost_row, in_order
from planner.karpenter.provider import KarpenterProvider

_METHOD = DisruptionMethod.SINGLE_NODE
"""Multi-node consolidation has the same candidates."""


class KeptNodes:
    """Remembers what keeps nodes. Budgets of pods change without the nodes, so that with them all is looked at."""

    def __init__(self) -> None:
        self._provider: KarpenterProvider | None = None
        self._view: ClusterView | None = None
        self._nodes: Sequence[NodeView] = ()
        self._names: list[str] = []
        self._by_name: list[int] = []
        """Places of the nodes in the order of their names."""
        self._why: list[Blocker | None] = []
        self._costs: NDArray[np.float64] = np.zeros((0, len(NO_COST)))
        """Of `cost_row`, for those that nothing keeps."""
        self._candidates: list[DisruptionCandidate] | None = None

    def candidates(self, view: ClusterView, provider: KarpenterProvider, now_us: int) -> list[DisruptionCandidate]:
        """The nodes that nothing keeps, in the order of their cost, equal ones by name."""
        self._look_at(view, provider)
        if self._candidates is None:
            free = [at for at in self._by_name if self._why[at] is None]
            self._candidates = in_order([self._nodes[at] for at in free], self._costs[free], now_us)
        return self._candidates

    def reasons(self, view: ClusterView, provider: KarpenterProvider) -> dict[str, Blocker]:
        """What keeps the nodes of pools, in the order of the view, except those that come or go."""
        self._look_at(view, provider)
        pools, kept = provider.pool_of, zip(self._nodes, self._why, strict=True)
        return {n.name: why for n, why in kept if why is not None and why not in PASSING and n.pool in pools}

    def _look_at(self, view: ClusterView, provider: KarpenterProvider) -> None:
        if self._view is view and self._provider is provider:
            return
        known = dict(zip(self._nodes, count(), strict=False)) if self._provider is provider and not view.budgets else {}
        before = list(map(known.get, view.nodes, repeat(-1)))
        why = [self._why[at] if at >= 0 else None for at in before]
        costs = self._costs[before] if known else np.zeros((len(before), len(NO_COST)))
        for at, node in enumerate(view.nodes):
            if before[at] < 0:
                why[at] = why_kept(view, node, provider.pool_of, provider.catalogue, _METHOD)
                costs[at] = cost_row(node) if why[at] is None else NO_COST
        names = [node.name for node in view.nodes]
        if names != self._names:
            self._names, self._by_name = names, sorted(range(len(names)), key=names.__getitem__)
        self._view, self._provider, self._candidates = view, provider, None
        self._nodes, self._why, self._costs = view.nodes, why, costs
