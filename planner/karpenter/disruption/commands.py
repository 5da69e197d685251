"""What disruption decides: nodes to remove, and those to launch first in their place."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.catalogue.catalogue import Catalogue
from planner.karpenter.catalogue.prices import listed_price
from planner.karpenter.cluster_view import NodeView
from planner.karpenter.provisioning.new_claims import NewClaim


class DisruptionMethod(StrEnum):
    """How Karpenter found something to disrupt."""

    EMPTINESS = "empty"
    DRIFT = "drift"
    MULTI_NODE = "multi"
    SINGLE_NODE = "single"

    @property
    def reason(self) -> str:
        """The reason that budgets name."""
        return _REASONS[self]

    @property
    def waits(self) -> bool:
        """Whether a command is validated after a while before it begins."""
        return self is not DisruptionMethod.DRIFT


_REASONS = {
    DisruptionMethod.EMPTINESS: "Empty",
    DisruptionMethod.DRIFT: "Drifted",
    DisruptionMethod.MULTI_NODE: "Underutilized",
    DisruptionMethod.SINGLE_NODE: "Underutilized",
}


class DisruptionCandidate(NamedTuple):
    """A node that may be disrupted."""

    node: NodeView
    cost: float
    """What moving its pods costs, in pods."""
    is_empty: bool

    @property
    def pool(self) -> str:
        """Name of its pool."""
        return self.node.pool


@dataclass(frozen=True, eq=False)
class RankedCandidates(Sequence[DisruptionCandidate]):
    """Nodes in the order in which methods look at them, made into candidates one by one."""

    seen: Sequence[NodeView]
    """Nodes among which they are,"""
    seen_names: Sequence[str]
    """the names of these,"""
    places: NDArray[np.int64]
    """and where each of them is there."""
    costs: NDArray[np.float64]
    is_empty: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def nodes(self) -> Sequence[NodeView]:
        """The nodes themselves."""
        return list(map(self.seen.__getitem__, self.places.tolist()))

    @cached_property
    def names(self) -> Sequence[str]:
        """Their names."""
        return list(map(self.seen_names.__getitem__, self.places.tolist()))

    def of_ranks(self, ranks: NDArray[np.int64] | slice) -> "RankedCandidates":
        """Those at some places of the order."""
        places, costs, is_empty = self.places[ranks], self.costs[ranks], self.is_empty[ranks]
        return RankedCandidates(self.seen, self.seen_names, places, costs, is_empty)

    @overload
    def __getitem__(self, at: int) -> DisruptionCandidate: ...
    @overload
    def __getitem__(self, at: slice) -> "RankedCandidates": ...
    def __getitem__(self, at: int | slice) -> "DisruptionCandidate | RankedCandidates":
        if isinstance(at, slice):
            return self.of_ranks(at)
        return DisruptionCandidate(self.seen[self.places[at]], self.costs.item(at), self.is_empty.item(at))

    def __iter__(self) -> Iterator[DisruptionCandidate]:
        return map(DisruptionCandidate, self.nodes, self.costs.tolist(), self.is_empty.tolist())


@dataclass(frozen=True, eq=False)
class DisruptionCommand:
    """Nodes to remove once their replacements are there."""

    method: DisruptionMethod
    candidates: tuple[DisruptionCandidate, ...]
    replacements: tuple[NewClaim, ...] = ()
    savings: float = 0.0
    """Per hour, as Karpenter estimates them."""
    nominated: tuple[str, ...] = field(default=())
    """Existing nodes that take pods."""
    allowed: Mapping[str, int] = field(default_factory=dict)
    """Nodes that budgets let go for the reason, by pool."""


def current_price(catalogue: Catalogue, candidates: tuple[DisruptionCandidate, ...]) -> float:
    """Price per hour of the nodes together; 0 if one has no offering any more, so that nothing can be cheaper."""
    total = 0.0
    for candidate in candidates:
        price = node_price(catalogue, candidate.node)
        if price is None:
            return 0.0
        total += price
    return total


def node_price(catalogue: Catalogue, node: NodeView) -> float | None:
    """Price of the cheapest offering that suits the labels of a node, whether it is available or not."""
    number = catalogue.number_of(node.instance_type)
    if number is None:
        return None
    return listed_price(catalogue, number, node.labels)


def estimated_savings(
    catalogue: Catalogue, candidates: tuple[DisruptionCandidate, ...], replacements: tuple[NewClaim, ...]
) -> float:
    """What is saved per hour if each replacement costs as little as its first type can."""
    firsts = [catalogue.types[claim.types[0]] for claim in replacements if claim.types]
    spent = sum(min(offering.price for offering in each.offerings) for each in firsts if each.offerings)
    return current_price(catalogue, candidates) - spent
