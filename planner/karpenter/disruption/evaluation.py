"""Whether some nodes can go, with at most one cheaper node in their place.

Sources: Karpenter 1.13, pkg/controllers/disruption/consolidation.go (computeConsolidation) and helpers.go
(SimulateScheduling).
"""

from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple

from planner.karpenter.catalogue.catalogue import Catalogue, set_of
from planner.karpenter.catalogue.instance_types import ON_DEMAND, SPOT
from planner.karpenter.catalogue.min_values import too_few_values, types_needed
from planner.karpenter.catalogue.prices import by_price, lowest_price, worst_launch_price
from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.disruption.commands import (
    DisruptionCandidate,
    DisruptionCommand,
    DisruptionMethod,
    current_price,
    estimated_savings,
)
from planner.karpenter.failures import Failure
from planner.karpenter.provisioning.new_nodes import NewClaim
from planner.karpenter.provisioning.round_view import KarpenterProvider
from planner.karpenter.provisioning.scheduling_round import RoundResult
from planner.karpenter.requirements.requirement import one_of
from planner.karpenter.requirements.requirements import CAPACITY_TYPE_LABEL, narrowed, on_key

FEWEST_SPOT_TYPES = 15
"""A single spot node is replaced only if this many types are cheaper, or it would be replaced again and again."""


class Obstacle(StrEnum):
    """Why nodes stay, in the words of Karpenter's events."""

    PODS = "Not all pods would schedule"
    SEVERAL = "Can't remove without creating several candidates"
    NOT_CHEAPER = "Can't replace with a cheaper node"
    SPOT_OFF = "SpotToSpotConsolidation is disabled, can't replace a spot node with a spot node"
    FEW_SPOT_TYPES = "SpotToSpotConsolidation requires 15 cheaper instance type options than the current candidate"
    MIN_VALUES = "Filtering by price: minValues requirement is not met"


class DisruptionSimulation(NamedTuple):
    """A round without some nodes."""

    result: RoundResult
    failures: tuple[Failure, ...]
    """Why pods that are not pending anyway find no room."""


def simulate(
    view: ClusterView, provider: KarpenterProvider, candidates: tuple[DisruptionCandidate, ...]
) -> DisruptionSimulation:
    """Where the pods of some nodes would go; room on nodes that have not started up does not count."""
    rounds = provider.rounds(view)
    result = rounds.place(frozenset(candidate.node.name for candidate in candidates))
    failures = [reasons[0] for pod, reasons in result.failures if not pod.is_pending]
    for name, pods in result.placed.items():
        if rounds.is_unfinished(name) and any(not (pod.from_deleting or pod.is_pending) for pod in pods):
            failures.append(Failure.UNINITIALIZED)
    return DisruptionSimulation(result, tuple(failures))


def evaluate(
    view: ClusterView,
    provider: KarpenterProvider,
    candidates: tuple[DisruptionCandidate, ...],
    method: DisruptionMethod,
    spot_to_spot: bool,
) -> DisruptionCommand | Obstacle:
    """The command that removes the nodes, or why they stay."""
    simulated = simulate(view, provider, candidates)
    if simulated.failures:
        return Obstacle.PODS
    claims = simulated.result.claims
    nominated = tuple(simulated.result.placed)
    if not claims:
        savings = estimated_savings(provider.catalogue, candidates, ())
        return DisruptionCommand(method, candidates, (), savings, nominated)
    if len(claims) > 1:
        return Obstacle.SEVERAL
    made = _cheaper(provider.catalogue, claims[0], candidates, spot_to_spot)
    if isinstance(made, Obstacle):
        return made
    savings = estimated_savings(provider.catalogue, candidates, (made,))
    return DisruptionCommand(method, candidates, (cheapest_first(provider.catalogue, made),), savings, nominated)


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
    offered = [n for n in claim.types if lowest_price(catalogue.types[n], claim.requirements) < float("inf")]
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
    types = tuple(n for n in claim.types if worst_launch_price(catalogue.types[n], claim.requirements) < price)
    if too_few_values(catalogue, set_of(types), claim.requirements):
        return Obstacle.MIN_VALUES
    return replace(claim, types=types) if types else Obstacle.NOT_CHEAPER
