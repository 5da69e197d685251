"""Plans that run with the same seeds and are judged one by one: a run that ended early counts for its plan alone."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from planner.experiments.answers.answer import FigureAnswer
from planner.experiments.execution.breaks import Break
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.figure_values import figure_estimate, figure_values, latency_bounds
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import Floats, MeanEstimate
from planner.experiments.statistics.proportions import wilson_interval
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.language.phrases import phrase
from planner.record.text.latency_bounds import LatencyBounds

_ATTAINMENTS = ("slo_attainment[", "slo_attainment_end_to_end[")


@dataclass(frozen=True)
class PlanCell:
    """A plan and its runs, one per seed that was finished."""

    plan: RunnablePlan
    outcomes: tuple[RunOutcome, ...]
    unfinished: int = 0
    """Seeds that are missing: cancelled, or ended early."""
    problem: str = ""
    """Why a run ended early."""

    @property
    def seeds(self) -> tuple[int, ...]:
        """Of its runs."""
        return tuple(one.seed for one in self.outcomes)

    def values(self, figure: str) -> Floats:
        """The figure by seed; not a number where a run does not have it."""
        return figure_values(figure, self.outcomes)

    @cached_property
    def latencies(self) -> LatencyBounds | None:
        """What latencies of its runs can be at most; None without a run."""
        return latency_bounds([(self.plan.plan, self.outcomes)])

    def estimate(self, figure: str, confidence: float) -> MeanEstimate | None:
        """The mean of a figure; None if no run has it."""
        return figure_estimate(figure, self.values(figure), confidence, self.latencies)

    def broken(self, confidence: float) -> MeanEstimate:
        """The share of runs in which something broke."""
        return wilson_interval(sum(bool(one.breaks) for one in self.outcomes), len(self.outcomes), confidence)

    def first_break(self) -> Break | None:
        """What breaks first in most of the runs that break, and at its earliest."""
        firsts = [one.breaks[0] for one in self.outcomes if one.breaks]
        if not firsts:
            return None
        counts = Counter(one.what for one in firsts)
        what = min(counts, key=lambda name: (-counts[name], name))
        return min((one for one in firsts if one.what == what), key=lambda one: one.at_s)

    def attainment(self) -> float | None:
        """The lowest share of time in which a workload met its SLO, over all runs; None without an SLO."""
        found = [f.value for one in self.outcomes for name, f in one.figures.items() if name.startswith(_ATTAINMENTS)]
        return min(found, default=None)


def cells_of(runs: Runs, plans: Sequence[RunnablePlan], seeds: Sequence[int]) -> tuple[PlanCell, ...]:
    """Run every plan with every seed: seed by seed, so that what is finished early is of use."""
    found = iter(runs.outcomes([(plan, seed) for seed in seeds for plan in plans]))
    rows = [[next(found) for _ in plans] for _ in seeds]
    return tuple(_cell(plan, [row[at] for row in rows]) for at, plan in enumerate(plans))


def _cell(plan: RunnablePlan, found: Sequence[RunOutcome | None]) -> PlanCell:
    kept = tuple(one for one in found if one is not None and not one.problem)
    problem = next((one.problem for one in found if one is not None and one.problem), "")
    return PlanCell(plan, kept, len(found) - len(kept), problem)


def figure_answers(cells: Sequence[PlanCell], confidence: float, names: Sequence[str] = ()) -> dict[str, FigureAnswer]:
    """Every figure, or those named, in all plans that have it."""
    units: dict[str, str] = {}
    for cell in cells:
        for outcome in cell.outcomes:
            for name, figure in outcome.figures.items():
                units.setdefault(name, figure.unit)
    found: dict[str, FigureAnswer] = {}
    for name in names or units:
        estimates = {cell.plan.name: one for cell in cells if (one := cell.estimate(name, confidence)) is not None}
        if estimates:
            found[name] = FigureAnswer(units.get(name, ""), estimates)
    return found


def bounds_of(cells: Sequence[PlanCell]) -> LatencyBounds | None:
    """What latencies of all their runs can be at most; None without a run."""
    return latency_bounds((cell.plan.plan, cell.outcomes) for cell in cells)


def left_out(cells: Sequence[PlanCell]) -> tuple[str, ...]:
    """A note for each plan whose runs ended early."""
    return tuple(
        phrase(
            "{name}: {count} runs do not count. {problem}",
            name=cell.plan.name,
            count=cell.unfinished,
            problem=cell.problem,
        )
        for cell in cells
        if cell.problem
    )


def first_break_json(cell: PlanCell) -> dict[str, Any] | None:
    """{"what", "atS", "subject"} of what breaks first."""
    first = cell.first_break()
    return None if first is None else {"what": first.what, "atS": first.at_s, "subject": first.subject}
