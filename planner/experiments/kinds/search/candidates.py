"""The plans of a search, and what is known of each so far."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.errors import PlanProblem
from planner.experiments.answers.figure_sense import zero_if_absent
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.figure_values import figure_values
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import Floats
from planner.experiments.statistics.selection import keeps_share, misses_share
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.experiments.variants.space import Point
from planner.language.phrases import phrase
from planner.language.translation import tr
from planner.plan.files.nearest import nearest
from planner.plan.values.constraint_text import Constraint


@dataclass(eq=False)
class SearchCandidate:
    """One plan of the space. Its runs are those of the first seeds, without gaps."""

    plan: RunnablePlan
    point: Point
    outcomes: list[RunOutcome] = field(default_factory=list)
    dropped: str = ""
    """Why it has left the race; it may come back if all others fail."""
    failed: str = ""
    """Why it is out for good."""
    alike: bool = False
    """Whether it failed because it was not to be told from a plan that did."""
    _values: dict[str, Floats] = field(default_factory=dict)
    """By figure, as far as they have been looked up."""

    @property
    def count(self) -> int:
        """Number of its runs."""
        return len(self.outcomes)

    def is_like(self, other: "SearchCandidate") -> bool:
        """Whether all figures are the same in all runs that two plans have in common."""
        both = zip(self.outcomes, other.outcomes, strict=False)
        return all(mine.figures == others.figures for mine, others in both)

    def values(self, figure: str) -> Floats:
        """The figure by seed."""
        known = self._values.get(figure)
        if known is None or len(known) < self.count:
            known = self._values[figure] = figure_values(figure, self.outcomes)
        return known


@dataclass(frozen=True)
class Goal:
    """What a search wants."""

    minimise: str
    constraints: tuple[Constraint, ...]

    def costs(self, candidate: SearchCandidate) -> Floats:
        """What is to be as low as possible, by seed; a run without the figure is no good."""
        values = candidate.values(self.minimise)
        return np.where(np.isfinite(values), values, np.inf)

    def kept(self, candidate: SearchCandidate, constraint: Constraint) -> int:
        """In how many runs a constraint held."""
        return sum(constraint.holds(value) for value in candidate.values(constraint.figure).tolist())

    def looks_good(self, candidate: SearchCandidate) -> bool:
        """Whether the shares of runs so far are those that are wanted."""
        return candidate.count > 0 and all(
            self.kept(candidate, one) >= one.share * candidate.count for one in self.constraints
        )

    def misses(self, candidate: SearchCandidate, risk: float, most_seeds: int) -> Constraint | None:
        """A constraint that it misses, at that risk of being wrong, or would in the end if all other runs kept it."""
        for one in self.constraints:
            kept = self.kept(candidate, one)
            lost = kept + most_seeds - candidate.count < one.share * most_seeds
            if lost or misses_share(kept, candidate.count, one.share, risk):
                return one
        return None

    def is_sure(self, candidate: SearchCandidate, confidence: float) -> bool:
        """Whether it keeps all constraints with that confidence."""
        return candidate.count > 0 and all(
            keeps_share(self.kept(candidate, one), candidate.count, one.share, confidence) for one in self.constraints
        )

    def shortfall(self, candidate: SearchCandidate, constraint: Constraint) -> float:
        """How far the figure is on the wrong side of its bound, on average and relative to it; not above 0 where it
        holds in as many runs as are wanted."""
        if self.kept(candidate, constraint) >= constraint.share * candidate.count:
            return 0.0
        values = np.nan_to_num(candidate.values(constraint.figure))
        wrong = constraint.bound - values if constraint.at_least else values - constraint.bound
        return max(float(np.maximum(wrong, 0.0).mean()) / max(abs(constraint.bound), 1e-9), 1e-9)

    def kept_together(self, candidate: SearchCandidate) -> Floats:
        """By seed, 1 where all constraints held."""
        found = np.ones(candidate.count)
        for one in self.constraints:
            found *= [one.holds(value) for value in candidate.values(one.figure).tolist()]
        return found


def run_to(runs: Runs, candidates: Iterable[SearchCandidate], count: int, first_seed: int) -> bool:
    """Give each candidate its first `count` seeds; false if the search was cancelled before.

    A run that ended early takes its candidate out.
    """
    wanted = [(one, first_seed + at) for one in candidates if not one.failed for at in range(one.count, count)]
    found = runs.outcomes([(one.plan, seed) for one, seed in wanted])
    complete = True
    for (one, _), outcome in zip(wanted, found, strict=True):
        if outcome is None:
            complete = False
            one.dropped = one.dropped or "cancelled"
        elif outcome.problem:
            one.failed = one.failed or phrase("a run ended early: {problem}", problem=outcome.problem)
        elif one.dropped != "cancelled" and not one.failed:
            one.outcomes.append(outcome)
    return complete and not runs.stopped


def check_figures(candidates: Sequence[SearchCandidate], goal: Goal) -> None:
    """Raises PlanProblem for a figure of the goal that no run has, with the nearest one."""
    known = dict.fromkeys(name for one in candidates for outcome in one.outcomes for name in outcome.figures)
    wanted = [("minimise", goal.minimise), *(("subjectTo", one.figure) for one in goal.constraints)]
    for where, name in wanted:
        if known and name not in known and not zero_if_absent(name):
            guess = nearest(name, list(known))
            remedy = (
                tr("Did you mean {guess}?", guess=guess)
                if guess
                else tr("Choose one of {names}.", names=", ".join(list(known)[:20]))
            )
            raise PlanProblem(where, tr("These runs have no figure {name!r}.", name=name), remedy)
