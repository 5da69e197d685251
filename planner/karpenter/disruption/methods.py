"""The methods by which Karpenter finds nodes to disrupt.

Source: Karpenter 1.13, pkg/controllers/disruption/emptiness.go, drift.go, multinodeconsolidation.go and
singlenodeconsolidation.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import ClusterView
from planner.karpenter.disruption.commands import (
    DisruptionCandidate,
    DisruptionCommand,
    DisruptionMethod,
    RankedCandidates,
    estimated_savings,
)
from planner.karpenter.disruption.evaluation import Obstacle, evaluate, obstacle_of, simulate
from planner.karpenter.provider import KarpenterProvider

MOST_AT_ONCE = 100
"""Candidates that multi-node consolidation looks at."""
_FEWEST_TOGETHER = 2
Ranks = NDArray[np.int64]


@dataclass
class MethodSearch:
    """What a method found."""

    command: DisruptionCommand | None = None
    held_back: bool = False
    """A budget kept a candidate out, so that nothing is settled."""
    obstacles: dict[str, Obstacle] = field(default_factory=dict)
    """Why single nodes stay, by name."""


@dataclass(frozen=True, eq=False)
class DisruptionScene:
    """What methods read."""

    view: ClusterView
    provider: KarpenterProvider
    spot_to_spot: bool
    allowed: Mapping[str, int]
    """Nodes that may be disrupted for the method's reason, by pool."""


def find_command(method: DisruptionMethod, scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """The first command of a method; candidates come in the order of their cost."""
    return _SEARCHES[method](scene, candidates)


def _emptiness(scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """All empty nodes that budgets let go, together."""
    found, search, left = [], MethodSearch(), dict(scene.allowed)
    for candidate in candidates:
        if left[candidate.pool] == 0:
            search.held_back = True
            continue
        left[candidate.pool] -= 1
        found.append(candidate)
    if found:
        search.command = _deletion(DisruptionMethod.EMPTINESS, scene, tuple(found))
    return search


def _deletion(
    method: DisruptionMethod, scene: DisruptionScene, candidates: tuple[DisruptionCandidate, ...]
) -> DisruptionCommand:
    return DisruptionCommand(method, candidates, (), estimated_savings(scene.provider.catalogue, candidates, ()))


def _drift(scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """The first drifted node whose pods find room, empty ones before others; price does not count."""
    search = MethodSearch()
    for candidate in sorted(candidates, key=lambda each: (not each.is_empty, each.node.drifted_us, each.node.name)):
        if scene.allowed[candidate.pool] == 0:
            search.held_back = True
            continue
        chosen = (candidate,)
        simulated = simulate(scene.view, scene.provider, chosen)
        if simulated.failures:
            search.obstacles[candidate.node.name] = obstacle_of(simulated.failures)
            continue
        claims = simulated.result.claims
        savings = estimated_savings(scene.provider.catalogue, chosen, claims)
        placed = tuple(simulated.result.placed)
        search.command = DisruptionCommand(DisruptionMethod.DRIFT, chosen, claims, savings, placed)
        return search
    return search


def _multi_node(scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """Binary search for the longest beginning of the list that can go together."""
    within, held_back = _within_budgets(scene, candidates)
    search = MethodSearch(held_back=held_back)
    low, high = 1, len(within) - 1 if len(within) <= MOST_AT_ONCE else MOST_AT_ONCE
    first = candidates.of_ranks(within[: high + 1])
    if len(first) < _FEWEST_TOGETHER or _fail_from_two(scene, first):
        return search
    chosen = tuple(first)
    while low <= high:
        middle = (low + high) // 2
        some = chosen[: middle + 1]
        made = evaluate(scene.view, scene.provider, some, DisruptionMethod.MULTI_NODE, scene.spot_to_spot)
        if isinstance(made, Obstacle):
            high = middle - 1
        else:
            search.command, low = made, middle + 1
    return search


def _within_budgets(scene: DisruptionScene, candidates: RankedCandidates) -> tuple[Ranks, bool]:
    """Ranks of the candidates with pods that budgets let go together, and whether they hold others back."""
    numbers, has_pods = _pool_numbers(scene, candidates), np.logical_not(candidates.is_empty)
    is_within, held_back = np.zeros(len(candidates), dtype=np.bool_), False
    for number, pool in enumerate(scene.provider.pools):
        own, allowed = np.flatnonzero(numbers == number), scene.allowed[pool.name]
        within = own[has_pods[own]][:allowed]
        is_within[within] = True
        if len(within) == allowed and len(own):  # candidates after the last one that may go find the budget used up
            held_back |= not allowed or bool(own[-1] > within[-1])
    return np.flatnonzero(is_within), held_back


def _fail_from_two(scene: DisruptionScene, chosen: RankedCandidates) -> bool:
    """Whether surely no beginning of the list can go, from two nodes on."""
    counted = scene.provider.counted(scene.view)
    rows = counted.rows_at(chosen.places)
    return counted.fail_from(rows[:_FEWEST_TOGETHER], rows[_FEWEST_TOGETHER:])


def _single_node(scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """The first node that can go alone, the pools taking turns."""
    search, counted = MethodSearch(), scene.provider.counted(scene.view)
    numbers = _pool_numbers(scene, candidates)
    order = in_turns(numbers)
    is_open = np.array([scene.allowed[pool.name] > 0 for pool in scene.provider.pools])[numbers[order]]
    search.held_back = not is_open.all()
    tried = order[is_open & np.logical_not(candidates.is_empty[order])]
    likenesses = counted.likenesses(counted.rows_at(candidates.places))[tried]
    firsts, group_of = _alike(numbers[tried], likenesses)
    found: list[Obstacle] = []
    for first in firsts:
        made = _alone(scene, candidates[tried.item(first)])
        if isinstance(made, DisruptionCommand):
            search.command, tried = made, tried[:first]
            break
        found.append(made)
    names = map(candidates.names.__getitem__, tried.tolist())
    search.obstacles = dict(zip(names, map(found.__getitem__, group_of.tolist()), strict=False))
    return search


def _alike(numbers: Ranks, likenesses: Ranks) -> tuple[Sequence[int], Ranks]:
    """Groups of candidates with equal numbers of pools and likenesses, in the order of their first ones: the places of
    these, and the group of each candidate. One whose likeness is negative is like no other.
    """
    keys = numbers * (int(likenesses.max(initial=0)) + 1) + likenesses
    unlike = np.flatnonzero(likenesses < 0)
    keys[unlike] = -1 - unlike
    _, firsts, group_of = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    places = np.empty_like(order)
    places[order] = np.arange(len(order))
    return firsts[order].tolist(), places[group_of]


def _pool_numbers(scene: DisruptionScene, candidates: RankedCandidates) -> Ranks:
    """The places of candidates' pools among all pools."""
    pools = scene.provider.pools
    if len(pools) == 1:
        return np.zeros(len(candidates), dtype=np.int64)
    number_of = {pool.name: number for number, pool in enumerate(pools)}
    return np.array([number_of[node.pool] for node in candidates.nodes], dtype=np.int64)


def _alone(scene: DisruptionScene, candidate: DisruptionCandidate) -> DisruptionCommand | Obstacle:
    return evaluate(scene.view, scene.provider, (candidate,), DisruptionMethod.SINGLE_NODE, scene.spot_to_spot)


def in_turns(numbers: Ranks) -> Ranks:
    """Ranks of candidates by the numbers of their pools: the first of each pool, then the second of each and so on.

    The pool of the first candidate begins; the real program leaves the order of pools open.
    """
    pools, firsts, pool_of = np.unique(numbers, return_index=True, return_inverse=True)
    if len(pools) <= 1:
        return np.arange(len(numbers))
    turns = np.zeros(len(numbers), dtype=np.int64)
    for pool in range(len(pools)):
        own = np.flatnonzero(pool_of == pool)
        turns[own] = np.arange(len(own))
    return np.lexsort((firsts[pool_of], turns))


_SEARCHES = {
    DisruptionMethod.EMPTINESS: _emptiness,
    DisruptionMethod.DRIFT: _drift,
    DisruptionMethod.MULTI_NODE: _multi_node,
    DisruptionMethod.SINGLE_NODE: _single_node,
}
