"""What consolidation has found not to be possible, remembered as long as it sees the same cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import is_

import numpy as np

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.cluster_view import NodeView
from planner.karpenter.disruption.commands import DisruptionMethod, RankedCandidates
from planner.karpenter.disruption.methods import DisruptionScene, MethodSearch
from planner.karpenter.pools.pool_rules import PoolRules

_METHODS = (DisruptionMethod.MULTI_NODE, DisruptionMethod.SINGLE_NODE)


@dataclass(frozen=True, eq=False)
class _Fruitless:
    """A search that found nothing, with all that it depended on."""

    nodes: Sequence[NodeView]
    catalogue: Catalogue
    pools: Sequence[PoolRules]
    candidates: RankedCandidates
    allowed: Mapping[str, int]
    search: MethodSearch

    def is_about(self, scene: DisruptionScene, candidates: RankedCandidates) -> bool:
        return (
            self.catalogue is scene.provider.catalogue
            and self.pools == scene.provider.pools
            and self.allowed == scene.allowed
            and np.array_equal(self.candidates.places, candidates.places)
            and _are_same(self.nodes, scene.view.nodes)
        )


class FruitlessSearches:
    """The last search of each method that was counted to its end and found nothing.

    Rounds that are played may draw lots between equal domains, so that the next one could come out otherwise; with
    pending pods there is more than nodes to compare.
    """

    def __init__(self) -> None:
        self._known: dict[DisruptionMethod, _Fruitless] = {}

    def of(self, method: DisruptionMethod, scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch | None:
        """The search, if nothing has changed since."""
        known = self._known.get(method)
        if known is None or scene.view.pending or not known.is_about(scene, candidates):
            return None
        return known.search

    def note(
        self,
        method: DisruptionMethod,
        scene: DisruptionScene,
        candidates: RankedCandidates,
        search: MethodSearch,
    ) -> None:
        """A search is over."""
        self._known.pop(method, None)
        is_fruitless = method in _METHODS and search.command is None and not scene.view.pending
        if is_fruitless and scene.provider.counted(scene.view).is_complete:
            offered = scene.provider.catalogue, scene.provider.pools
            self._known[method] = _Fruitless(scene.view.nodes, *offered, candidates, scene.allowed, search)


def _are_same(some: Sequence[NodeView], others: Sequence[NodeView]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))
