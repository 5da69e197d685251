"""Whether some nodes can go, with at most one cheaper node in their place.

Sources: Karpenter 1.13, pkg/controllers/disruption/consolidation.go (computeConsolidation) and helpers.go
(SimulateScheduling).
"""

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from planner.karpenter.catalogue.catalogue import Catalogue, set_of
from planner.karpenter.catalogue.instance_types import ON_DEMAND, SPOT
from planner.karpenter.catalogue.min_values import too_few_values, types_needed
from planner.karpenter.catalogue.prices import by_price, lowest_prices, worst_launch_prices
from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.disruption.commands import (
    DisruptionCandidate,
    DisruptionCommand,
    DisruptionMethod,
    current_price,
    estimated_savings,
    node_price,
)
from planner.karpenter.disruption.room_elsewhere import needs_several
from planner.karpenter.failures import Failure
from planner.karpenter.provider import KarpenterProvider
from planner.karpenter.provisioning.new_claims import NewClaim, PodFailure
from planner.karpenter.provisioning.scheduling_round import RoundResult, first
from planner.karpenter.requirements.requirement import one_of
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, narrowed, on_key
from planner.karpenter.topology.groups import Choice

FEWEST_SPOT_TYPES = 15
"""A single spot node is replaced only if this many types are cheaper, or it would be replaced again and again."""


class Obstacle(StrEnum):
    """Why nodes stay, in the words of Karpenter's events."""

    PODS = "Not all pods would schedule"
    STARTING = "Not all pods would schedule, would schedule against uninitialized nodeclaim/node"
    """Of some pod; others may find no room at all."""
    SEVERAL = "Can't remove without creating several candidates"
    NOT_CHEAPER = "Can't replace with a cheaper node"
    SPOT_OFF = "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"
    FEW_SPOT_TYPES = "SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate"
    MIN_VALUES = "Filtering by price: minValues requirement is not met"


class DisruptionSimulation(NamedTuple):
    """A round without some nodes."""

    result: RoundResult
    failures: tuple[PodFailure, ...]
    """Pods that are not pending anyway and find no room, with the reasons."""


def simulate(
    view: ClusterView,
    provider: KarpenterProvider,
    candidates: tuple[DisruptionCandidate, ...],
    choice: Choice | None = None,
) -> DisruptionSimulation:
    """Where the pods of some nodes would go; room on nodes that have not started up does not count.

    `choice`: takes one of equally good domains, instead of the provider's.
    """
    rounds = provider.rounds(view)
    result = provider.place(view, [candidate.node for candidate in candidates], choice)
    failures = [failure for failure in result.failures if not failure[0].is_pending]
    for name, pods in result.placed.items():
        if rounds.is_unfinished(name):
            moved = [pod for pod in pods if not (pod.from_deleting or pod.is_pending)]
            failures += [(pod, (Failure.UNINITIALIZED,)) for pod in moved]
    return DisruptionSimulation(result, tuple(failures))


def unplaced(view: ClusterView, provider: KarpenterProvider, candidate: DisruptionCandidate) -> tuple[PodFailure, ...]:
    """The pods of a node that find no room elsewhere. To tell it draws no lots, on which later rounds depend."""
    return simulate(view, provider, (candidate,), first).failures


def obstacle_of(failures: Sequence[PodFailure]) -> Obstacle:
    """Why a node stays whose pods find no room."""
    awaits_nodes = any(Failure.UNINITIALIZED in reasons for _, reasons in failures)
    return Obstacle.STARTING if awaits_nodes else Obstacle.PODS


def evaluate(
    view: ClusterView,
    provider: KarpenterProvider,
    candidates: tuple[DisruptionCandidate, ...],
    method: DisruptionMethod,
    spot_to_spot: bool,
) -> DisruptionCommand | Obstacle:
    """The command that removes the nodes, or why they stay. What can be counted is simulated only if they can go."""
    counted = provider.counted(view).without([candidate.node for candidate in candidates])
    judge = _Judge(provider.catalogue, candidates, method, spot_to_spot)
    if counted is not None:
        judged = judge.replacements(counted.has_failures, counted.claims)
        if isinstance(judged, Obstacle):
            return Obstacle.STARTING if counted.awaits_nodes else judged
    elif method is DisruptionMethod.MULTI_NODE and needs_several(view, provider, candidates):
        return Obstacle.SEVERAL
    simulated = simulate(view, provider, candidates)
    if simulated.failures:
        return obstacle_of(simulated.failures)
    judged = judge.replacements(False, simulated.result.claims)
    if isinstance(judged, Obstacle):
        return judged
    savings = estimated_savings(provider.catalogue, candidates, judged)
    cheapest = tuple(cheapest_first(provider.catalogue, claim) for claim in judged)
    return DisruptionCommand(method, candidates, cheapest, savings, tuple(simulated.result.placed))


class _Judge(NamedTuple):
    """What consolidation makes of the outcome of a simulation."""

    catalogue: Catalogue
    candidates: tuple[DisruptionCandidate, ...]
    method: DisruptionMethod
    spot_to_spot: bool

    def replacements(self, has_failures: bool, claims: tuple[NewClaim, ...]) -> tuple[NewClaim, ...] | Obstacle:
        """The claims that take the place of the nodes, at most one, or why the nodes stay."""
        if has_failures:
            return Obstacle.PODS
        if not claims:
            return ()
        if len(claims) > 1:
            return Obstacle.SEVERAL
        made = _cheaper(self.catalogue, claims[0], self.candidates, self.spot_to_spot)
        if not isinstance(made, Obstacle) and self.method is DisruptionMethod.MULTI_NODE:
            made = self._of_another_kind(cheapest_first(self.catalogue, made))
        return made if isinstance(made, Obstacle) else (made,)

    def _of_another_kind(self, claim: NewClaim) -> NewClaim | Obstacle:
        """A replacement of several nodes is cheaper than any of the nodes whose type it may have."""
        prices: dict[str, float] = {}
        for candidate in self.candidates:
            price, name = node_price(self.catalogue, candidate.node), candidate.node.instance_type
            prices[name] = min(prices.get(name, float("inf")), 0.0 if price is None else price)
        names = (self.catalogue.types[number].name for number in claim.types)
        return below_price(self.catalogue, claim, min((prices[n] for n in names if n in prices), default=float("inf")))


def _cheaper(
    catalogue: Catalogue, claim: NewClaim, candidates: tuple[DisruptionCandidate, ...], spot_to_spot: bool
) -> NewClaim | Obstacle:
    """The claim with only those types that cost less than the nodes, whatever the launch takes."""
    price = current_price(catalogue, candidates)
    market = on_key(claim.requirements, CAPACITY_TYPE_LABEL)
    if market.has(SPOT) and all(each.node.capacity_type == SPOT for each in candidates):
        return _cheaper_spot(catalogue, claim, candidates, price) if spot_to_spot else Obstacle.SPOT_OFF
    made = below_price(catalogue, claim, price)
    if isinstance(made, Obstacle) or not (market.has(SPOT) and market.has(ON_DEMAND)):
        return made
    return _only_spot(made)


def _cheaper_spot(
    catalogue: Catalogue, claim: NewClaim, candidates: tuple[DisruptionCandidate, ...], price: float
) -> NewClaim | Obstacle:
    claim = _only_spot(claim)
    lowest = lowest_prices(catalogue, claim.requirements)
    offered = [n for n in claim.types if lowest[n] < float("inf")]
    made = below_price(catalogue, replace(claim, types=tuple(offered)), price)
    if isinstance(made, Obstacle) or len(candidates) > 1:
        return made
    if len(made.types) < FEWEST_SPOT_TYPES:
        return Obstacle.FEW_SPOT_TYPES
    most = max(FEWEST_SPOT_TYPES, types_needed(catalogue, made.types, made.requirements))
    return replace(made, types=made.types[:most])


def _only_spot(claim: NewClaim) -> NewClaim:
    return replace(claim, requirements=narrowed(claim.requirements, {CAPACITY_TYPE_LABEL: one_of(SPOT)}))


def cheapest_first(catalogue: Catalogue, claim: NewClaim) -> NewClaim:
    """The claim with its types in the order of their prices under its own requirements."""
    return replace(claim, types=tuple(by_price(catalogue, set_of(claim.types), claim.requirements)))


def below_price(catalogue: Catalogue, claim: NewClaim, price: float) -> NewClaim | Obstacle:
    """The claim without types that could cost as much or more."""
    worst = worst_launch_prices(catalogue, claim.requirements)
    types = tuple(n for n in claim.types if worst[n] < price)
    if too_few_values(catalogue, set_of(types), claim.requirements):
        return Obstacle.MIN_VALUES
    return replace(claim, types=types) if types else Obstacle.NOT_CHEAPER
