"""The methods by which Karpenter finds nodes to disrupt.

Source: Karpenter 1.13, pkg/controllers/disruption/emptiness.go, drift.go, multinodeconsolidation.go and
singlenodeconsolidation.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

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
    search, left = MethodSearch(), dict(scene.allowed)
    places: list[int] = []
    for at, (pool, is_empty) in enumerate(zip(_pools(scene, candidates), candidates.is_empty.tolist(), strict=True)):
        if left[pool] == 0:
            search.held_back = True
            if not any(left.values()):
                break
        elif not is_empty:
            left[pool] -= 1
            places.append(at)
    low, high = 1, len(places) - 1 if len(places) <= MOST_AT_ONCE else MOST_AT_ONCE
    chosen = [candidates[at] for at in places[: high + 1]]
    if len(chosen) > 1 and _fail_from_two(scene, chosen):
        return search
    while len(chosen) > 1 and low <= high:
        middle = (low + high) // 2
        first = tuple(chosen[: middle + 1])
        made = evaluate(scene.view, scene.provider, first, DisruptionMethod.MULTI_NODE, scene.spot_to_spot)
        if isinstance(made, Obstacle):
            high = middle - 1
        else:
            search.command, low = made, middle + 1
    return search


def _fail_from_two(scene: DisruptionScene, chosen: Sequence[DisruptionCandidate]) -> bool:
    """Whether surely no beginning of the list can go, from two nodes on."""
    nodes = [candidate.node for candidate in chosen]
    return scene.provider.counted(scene.view).fail_from(nodes[:2], nodes[2:])


def _single_node(scene: DisruptionScene, candidates: RankedCandidates) -> MethodSearch:
    """The first node that can go alone, the pools taking turns."""
    search = MethodSearch()
    known: dict[tuple[str, int], Obstacle] = {}
    closed = {pool for pool, allowed in scene.allowed.items() if allowed == 0}
    names, are_empty = candidates.names, candidates.is_empty.tolist()
    pools, counted = _pools(scene, candidates), scene.provider.counted(scene.view)
    likenesses = counted.likenesses(counted.rows_at(candidates.places))
    for at in in_turns(pools):
        pool, likeness = pools[at], likenesses[at]
        if pool in closed:
            search.held_back = True
            continue
        if are_empty[at]:
            continue
        found = known.get((pool, likeness))
        if found is None:
            made = _alone(scene, candidates[at])
            if isinstance(made, DisruptionCommand):
                search.command = made
                return search
            found = made
            if likeness >= 0:
                known[pool, likeness] = found
        search.obstacles[names[at]] = found
    return search


def _pools(scene: DisruptionScene, candidates: RankedCandidates) -> Sequence[str]:
    """The pools of candidates, which have one."""
    only = scene.provider.pools[0].name if len(scene.provider.pools) == 1 else None
    return [node.pool for node in candidates.nodes] if only is None else [only] * len(candidates)


def _alone(scene: DisruptionScene, candidate: DisruptionCandidate) -> DisruptionCommand | Obstacle:
    return evaluate(scene.view, scene.provider, (candidate,), DisruptionMethod.SINGLE_NODE, scene.spot_to_spot)


def in_turns(pools: Sequence[str]) -> Sequence[int]:
    """Places of candidates by their pools: the first of each pool, then the second of each and so on.

    The pool of the first candidate begins; the real program leaves the order of pools open.
    """
    if len(set(pools)) <= 1:
        return range(len(pools))
    places: dict[str, list[int]] = {}
    for at, pool in enumerate(pools):
        places.setdefault(pool, []).append(at)
    return [at for turn in zip_longest(*places.values()) for at in turn if at is not None]


_SEARCHES = {
    DisruptionMethod.EMPTINESS: _emptiness,
    DisruptionMethod.DRIFT: _drift,
    DisruptionMethod.MULTI_NODE: _multi_node,
    DisruptionMethod.SINGLE_NODE: _single_node,
}
