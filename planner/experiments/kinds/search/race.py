"""The race of a search: successive halving over seeds, then a sequential comparison of those that are left.

Halving gives all plans a few seeds, drops those that surely miss a constraint and the dearer half of the others, and
doubles the seeds of the rest. The finalists go on seed by seed, as Kim and Nelson do. At the end the cheapest plan is
given more seeds until it is sure, or another one is cheaper: a plan that was dropped as too dear comes back if all
cheaper ones turn out to miss a constraint.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.experiments.kinds.search.candidates import Goal, SearchCandidate, check_figures, run_to
from planner.experiments.runs import Runs
from planner.experiments.statistics.selection import chance_keeps, chance_lower, drops_out, is_dearer
from planner.language.phrases import phrase

FIRST_SEEDS = 2
FINALISTS = 5
_GOOD_ONES = 3
"""Plans that look good are kept at every halving: the cheapest of them may yet turn out to miss a constraint."""
_BATCH = 2
_RISK = 0.01
"""Of taking a plan out as missing a constraint though it keeps it; once for every look at it."""


@dataclass(frozen=True)
class RaceSettings:
    """How long a race goes on, and how sure its end is."""

    most_seeds: int
    first_seed: int
    confidence: float
    indifference: float
    """As a share of the best plan's cost."""


class Race:
    """One search. `candidates` tell afterwards how it went for each."""

    def __init__(self, runs: Runs, candidates: Sequence[SearchCandidate], goal: Goal, settings: RaceSettings) -> None:
        self._runs, self.candidates, self._goal, self._settings = runs, tuple(candidates), goal, settings
        self.finalists: tuple[SearchCandidate, ...] = ()
        """Those that were left for the sequential comparison."""

    def winner(self) -> SearchCandidate | None:
        """The cheapest plan that keeps the constraints; None if none does, or the search was cancelled."""
        alive = self._halve()
        self.finalists = tuple(alive)
        if not self._runs.stopped:
            self._compare(alive)
        return self._confirm()

    def _halve(self) -> list[SearchCandidate]:
        alive, count = list(self.candidates), min(FIRST_SEEDS, self._settings.most_seeds)
        while True:
            started = len(alive)
            complete = run_to(self._runs, alive, count, self._settings.first_seed)
            check_figures(alive, self._goal)
            if not complete:
                return [one for one in alive if one.count]
            alive = self._without_misses(alive)
            alive = self._cheaper(alive, max(FINALISTS, math.ceil(started / 2)))
            if len(alive) <= FINALISTS or count >= self._settings.most_seeds:
                return alive
            count = min(2 * count, self._settings.most_seeds)

    def _without_misses(self, alive: Sequence[SearchCandidate]) -> list[SearchCandidate]:
        for one in alive:
            missed = self._goal.misses(one, _RISK)
            if missed is not None and not one.failed:
                one.failed = f"misses {missed}"
        return [one for one in alive if not one.failed]

    def _cheaper(self, alive: list[SearchCandidate], most: int) -> list[SearchCandidate]:
        """The cheapest ones: at most so many, unless more are needed to have some that look good."""
        ranked = sorted(alive, key=lambda one: float(self._goal.costs(one).mean()))
        good = [at for at, one in enumerate(ranked) if self._goal.looks_good(one)]
        if len(good) < _GOOD_ONES:
            return alive
        guard = good[_GOOD_ONES - 1]
        kept = [
            one for at, one in enumerate(ranked) if at <= guard or (at < most and self._may_be_best(one, ranked[guard]))
        ]
        for one in alive:
            if not any(one is other for other in kept):
                one.dropped = phrase("dearer in the race")
        return kept

    def _may_be_best(self, one: SearchCandidate, guard: SearchCandidate) -> bool:
        """Whether it is not surely dearer than a plan that looks good."""
        costs = self._goal.costs(one)
        return bool(np.isfinite(costs).all()) and not is_dearer(costs, self._goal.costs(guard), _RISK)

    def _compare(self, alive: Sequence[SearchCandidate]) -> None:
        """Seed by seed, in small batches; ends with one plan, or with the last seed."""
        left = [one for one in alive if not one.failed and not one.dropped]
        first = min((one.count for one in left), default=0)
        count, plans = first, len(left)
        while len(left) > 1 and count < self._settings.most_seeds:
            count = min(count + _BATCH, self._settings.most_seeds)
            if not run_to(self._runs, left, count, self._settings.first_seed):
                return
            left = self._without_misses(left)
            zone = self._zone(left)
            good = [one for one in left if self._goal.looks_good(one)]
            risk = 1.0 - self._settings.confidence
            for one in left:
                costs = self._goal.costs(one)
                if any(
                    drops_out(costs, self._goal.costs(other), first, plans, zone, risk)
                    for other in good
                    if other is not one
                ):
                    one.dropped = phrase("dearer in the sequential comparison")
            left = [one for one in left if not one.dropped]

    def _zone(self, left: Sequence[SearchCandidate]) -> float:
        """The indifference zone in the unit of the objective."""
        means = [float(self._goal.costs(one).mean()) for one in left if self._goal.looks_good(one)]
        return self._settings.indifference * abs(min(means, default=0.0))

    def _confirm(self) -> SearchCandidate | None:
        """More seeds for the cheapest plan until it is sure, or fails and the next one is the cheapest."""
        while True:
            left = [one for one in self.candidates if one.count and not one.failed]
            if not left:
                return None
            best = min(left, key=self.cost)
            if self._goal.is_sure(best, self._settings.confidence) or best.count >= self._settings.most_seeds:
                if self._goal.looks_good(best):
                    return best
                best.failed = phrase("misses a constraint in too many of its runs")
                continue
            more = min(max(2 * best.count, best.count + _BATCH), self._settings.most_seeds)
            if not run_to(self._runs, [best], more, self._settings.first_seed):
                return best if self._goal.looks_good(best) else None
            self._without_misses([best])

    def cost(self, one: SearchCandidate) -> float:
        """The mean objective as if it had all seeds of the plan that has most: by pairs, as luck is shared."""
        longest = max(self.candidates, key=lambda other: other.count)
        costs, reference = self._goal.costs(one), self._goal.costs(longest)
        if not len(costs) or not np.isfinite(costs).all() or not np.isfinite(reference).all():
            return math.inf
        return float(reference.mean() + (costs - reference[: len(costs)]).mean())

    def chance_right(self, best: SearchCandidate) -> float:
        """About the probability that `best` keeps its constraints and no other plan that does is cheaper by more than
        the indifference zone: the product over all plans, as if they were independent."""
        zone, right = self._settings.indifference * abs(self.cost(best)), self._chance_keeps(best)
        for one in self.candidates:
            if one is best or not one.count or not np.isfinite(self._goal.costs(one)).all():
                continue
            both = min(one.count, best.count)
            cheaper = chance_lower(self._goal.costs(one)[:both], self._goal.costs(best)[:both], zone)
            right *= 1.0 - cheaper * self._chance_keeps(one)
        return right

    def _chance_keeps(self, one: SearchCandidate) -> float:
        chances = (chance_keeps(self._goal.kept(one, each), one.count, each.share) for each in self._goal.constraints)
        return min(chances, default=1.0)
