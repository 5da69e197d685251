"""How likely a plan of a search would be better than another, had all plans all their runs; and the answer right."""

from collections.abc import Sequence

import numpy as np

from planner.experiments.kinds.search.candidates import Goal, SearchCandidate
from planner.experiments.statistics.correct_selection import (
    chance_of_none,
    chances_to_be_lower,
    chances_to_keep,
)
from planner.experiments.statistics.estimates import Floats, without_rounding


def chances_good(some: Sequence[SearchCandidate], goal: Goal, seeds: int) -> Floats:
    """By plan, the probability that it keeps the constraints; the least likely of them where there are several."""
    counts = np.array([one.count for one in some])
    chances = np.ones(len(some))
    for each in goal.constraints:
        kept = np.array([goal.kept(one, each) for one in some])
        chances = np.minimum(chances, chances_to_keep(kept, counts, each.share, seeds))
    return chances


def chances_cheaper(
    some: Sequence[SearchCandidate], than: SearchCandidate, goal: Goal, seeds: int, by: float = 0.0
) -> Floats:
    """By plan, the probability that it is cheaper than another, by more than that."""
    costs = goal.costs(than)
    pairs = [(goal.costs(one)[: than.count], costs[: one.count]) for one in some]
    differences = [without_rounding(mine - others, mine, others) for mine, others in pairs]
    finite = [bool(np.isfinite(one).all()) for one in differences]
    found = np.zeros(len(some))
    if any(finite):
        known = [one for one, is_known in zip(differences, finite, strict=True) if is_known]
        found[np.array(finite)] = chances_to_be_lower(known, seeds, by)
    return found


def chance_right(
    candidates: Sequence[SearchCandidate], best: SearchCandidate, goal: Goal, seeds: int, zone: float
) -> float:
    """That with all seeds `best` keeps its constraints, and no other plan that does is cheaper by more than the
    indifference zone. Plans that were alike count as one."""
    others = [one for one in candidates if one.count and one is not best and not one.alike]
    good = chances_good([best, *others], goal, seeds)
    return float(good[0]) * chance_of_none(good[1:] * chances_cheaper(others, best, goal, seeds, zone))
