"""The race of a search: successive halving over seeds, then a sequential comparison of those that are left.

Halving gives all plans a few seeds, drops those that surely miss a constraint and, of the others, the half whose runs
are least likely to change the answer, and doubles the seeds of the rest. The finalists go on seed by seed, as Kim and
Nelson do. At the end plans are decided by rising cost: the cheapest that is left gets more seeds until it is sure, or
fails; a plan that was dropped comes back if all cheaper ones turn out to miss a constraint. This ends with the budget
of runs, however many cheap plans are on the edge of a constraint; the chance that the answer is right says what that
costs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.experiments.kinds.search.candidates import Goal, SearchCandidate, check_figures, run_to
from planner.experiments.kinds.search.chances import chance_right, chances_cheaper, chances_good
from planner.experiments.runs import Runs
from planner.experiments.statistics.selection import drops_out
from planner.language.phrases import phrase

FIRST_SEEDS = 2
FINALISTS = 5
_GOOD_ONES = 3
"""Plans that look good are kept at every halving: the cheapest of them may yet turn out to miss a constraint."""
_BATCH = 2
_RISK = 0.01
"""Of taking a plan out as missing a constraint though it keeps it; once for every look at it. Less likely plans are
not looked at again."""
_ALIKE = 4
"""Runs that plans have to have in common, with all figures the same, to be taken for one: their settings differ in what
the load does not reach."""
_MOST_SHARE = 0.25
"""Of the runs of all plans with all seeds: the budget of a search."""


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
        self._runs, self.candidates, self._goal, self.settings = runs, tuple(candidates), goal, settings
        self.finalists: tuple[SearchCandidate, ...] = ()
        """Those that were left for the sequential comparison."""
        self.undecided = 0
        """Cheaper plans that the budget did not suffice for: they may keep the constraints."""
        self._longest = self.candidates[0]
        """The plan that has most runs."""
        self._costs: dict[SearchCandidate, float] = {}
        """What `cost` has found, as long as it holds."""

    def winner(self) -> SearchCandidate | None:
        """The cheapest plan that keeps the constraints; None if none does, or the search was cancelled."""
        alive = self._halve()
        self.finalists = tuple(alive)
        if not self._runs.stopped:
            self._compare(alive)
        return self._confirm()

    def _halve(self) -> list[SearchCandidate]:
        alive, count = list(self.candidates), min(FIRST_SEEDS, self.settings.most_seeds)
        while True:
            started = len(alive)
            complete = self._run(alive, count)
            check_figures(alive, self._goal)
            if not complete:
                return [one for one in alive if one.count]
            alive = self._without_misses(alive)
            alive = self._most_doubtful(alive, max(FINALISTS, math.ceil(started / 2)))
            if len(alive) <= FINALISTS or count >= self.settings.most_seeds:
                return alive
            count = min(2 * count, self.settings.most_seeds)

    def _run(self, some: Sequence[SearchCandidate], count: int) -> bool:
        """Give each plan its first `count` seeds; false if the search was cancelled before."""
        complete = run_to(self._runs, some, count, self.settings.first_seed)
        longest = max((self._longest, *some), key=lambda one: one.count)
        if longest in some:
            self._longest, self._costs = longest, {}
        for one in some:
            self._costs.pop(one, None)
        return complete

    def _without_misses(self, alive: Sequence[SearchCandidate]) -> list[SearchCandidate]:
        for one in alive:
            missed = self._goal.misses(one, _RISK, self.settings.most_seeds)
            if missed is not None and not one.failed:
                one.failed = phrase("misses {constraint}", constraint=str(missed))
        failed = [one for one in self.candidates if one.failed]
        for one in alive:
            known = self._alike(one, failed)
            if known is not None and not one.failed:
                one.alike, one.failed = True, phrase("the same in all runs as {name}", name=known.plan.name)
        return [one for one in alive if not one.failed]

    def _alike(self, one: SearchCandidate, others: Sequence[SearchCandidate]) -> SearchCandidate | None:
        """One of the others that it is not to be told from, after enough runs."""
        enough = (other for other in others if min(one.count, other.count) >= _ALIKE)
        return next((other for other in enough if one.is_like(other)), None)

    def _most_doubtful(self, alive: Sequence[SearchCandidate], most: int) -> list[SearchCandidate]:
        """At most so many: the cheapest that look good, then those most likely to be good and cheaper than these."""
        ranked = sorted(alive, key=lambda one: float(self._goal.costs(one).mean()))
        kept = [one for one in ranked if self._goal.looks_good(one)][:_GOOD_ONES]
        doubts = self._chances_better(kept[-1] if kept else None)
        for one in sorted(ranked, key=lambda each: -doubts[each]):
            if one not in kept and doubts[one] >= _RISK and len(kept) < most and self._alike(one, kept) is None:
                kept.append(one)
        for one in alive:
            if one not in kept:
                one.dropped = phrase("others were likelier to be the best")
        return kept

    def _chances_better(self, than: SearchCandidate | None) -> dict[SearchCandidate, float]:
        """Of all plans with runs, about the probability that they keep the constraints and are cheaper than another."""
        known, seeds = [one for one in self.candidates if one.count], self.settings.most_seeds
        chances = chances_good(known, self._goal, seeds)
        if than is not None:
            chances = chances * chances_cheaper(known, than, self._goal, seeds)
        return dict(zip(known, chances.tolist(), strict=True))

    def _compare(self, alive: Sequence[SearchCandidate]) -> None:
        """Seed by seed, in small batches; ends with one plan, or with the last seed."""
        left = [one for one in alive if not one.failed and not one.dropped]
        first = min((one.count for one in left), default=0)
        count, plans = first, len(left)
        while len(left) > 1 and count < self.settings.most_seeds:
            count = min(count + _BATCH, self.settings.most_seeds)
            if not self._run(left, count):
                return
            left = self._without_misses(left)
            zone = self._zone(left)
            good = [one for one in left if self._goal.looks_good(one)]
            risk = 1.0 - self.settings.confidence
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
        return self.settings.indifference * abs(min(means, default=0.0))

    def _confirm(self) -> SearchCandidate | None:
        """More seeds for the cheapest plan until it is sure, or fails and the next one is the cheapest."""
        while True:
            left = sorted((one for one in self.candidates if one.count and not one.failed), key=self.cost)
            if not left:
                return None
            best = left[0]
            if self._is_settled(best) and self._goal.looks_good(best):
                best = self._rival(best, left)
            if not self._without_misses([best]):
                continue
            if self._is_settled(best):
                if self._goal.looks_good(best):
                    return best
                best.failed = phrase("misses a constraint in too many of its runs")
                continue
            room = self.budget - sum(one.count for one in self.candidates)
            if room <= 0:
                return self._best_known(left)
            more = min(self._next_count(best), best.count + room)
            if not self._run([best], more):
                return best if self._goal.looks_good(best) else None

    def _rival(self, best: SearchCandidate, left: Sequence[SearchCandidate]) -> SearchCandidate:
        """The plan that was cheapest in the runs it has in common with the best one, if it is yet to be settled; else
        the best one. Where plans are not alike in luck, their costs with all seeds are but a guess."""

        def ahead(one: SearchCandidate) -> float:
            both = min(one.count, best.count)
            return float((self._goal.costs(one)[:both] - self._goal.costs(best)[:both]).mean())

        rivals = (one for one in left if not self._is_settled(one) and np.isfinite(self._goal.costs(one)).all())
        rival = min(rivals, key=ahead, default=best)
        return rival if ahead(rival) < 0.0 else best

    def _is_settled(self, one: SearchCandidate) -> bool:
        """Whether further runs would not change what is said of its constraints."""
        return one.count >= self.settings.most_seeds or self._goal.is_sure(one, self.settings.confidence)

    def _next_count(self, one: SearchCandidate) -> int:
        """Its seeds after the next step: twice as many where it is to be confirmed, few where it is to be ruled out."""
        step = max(one.count, _BATCH) if self._goal.looks_good(one) else _BATCH
        return min(one.count + step, self.settings.most_seeds)

    @property
    def budget(self) -> int:
        """Most runs of the search; few plans get enough to have finalists with all seeds."""
        plans, seeds = len(self.candidates), self.settings.most_seeds
        return max(int(_MOST_SHARE * plans * seeds), FIRST_SEEDS * plans + FINALISTS * seeds)

    def _best_known(self, left: Sequence[SearchCandidate]) -> SearchCandidate:
        """Of plans by rising cost the one that was looked at most closely, if possible of those that look good."""
        best = max(left, key=lambda one: (self._goal.looks_good(one), one.count))
        self.undecided = left.index(best)
        return best

    def cost(self, one: SearchCandidate) -> float:
        """The mean objective as if it had all seeds of the plan that has most: by pairs, as luck is shared."""
        if one not in self._costs:
            self._costs[one] = self._cost(one)
        return self._costs[one]

    def _cost(self, one: SearchCandidate) -> float:
        costs, reference = self._goal.costs(one), self._goal.costs(self._longest)
        if not len(costs) or not np.isfinite(costs).all() or not np.isfinite(reference).all():
            return math.inf
        return float(reference.mean() + (costs - reference[: len(costs)]).mean())

    def chance_right(self, best: SearchCandidate) -> float:
        """About the probability that all runs of all plans would have led to `best`, or to one that is no cheaper by
        more than the indifference zone."""
        zone = self.settings.indifference * abs(self.cost(best))
        return chance_right(self.candidates, best, self._goal, self.settings.most_seeds, zone)
