"""The runs of several plans with the same seeds, as columns of figures."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.errors import PlanProblem
from planner.experiments.answers.figure_sense import zero_if_absent
from planner.experiments.execution.outcome import RunOutcome
from planner.experiments.kinds.figure_values import figure_estimate, figure_values, latency_bounds
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import Floats, MeanEstimate
from planner.experiments.statistics.quantiles import Band, band_of
from planner.experiments.variants.runnable_plan import RunnablePlan
from planner.language.phrases import phrase
from planner.language.translation import tr
from planner.plan.files.nearest import nearest
from planner.record.text.latency_bounds import LatencyBounds


@dataclass(frozen=True)
class SeededRuns:
    """What some plans did with some seeds. Only seeds with which every plan ran to its end count."""

    plans: tuple[RunnablePlan, ...]
    seeds: tuple[int, ...]
    outcomes: Mapping[str, tuple[RunOutcome, ...]]
    """By the name of the plan, one per seed."""
    left_out: tuple[str, ...] = ()
    """Why other seeds do not count."""

    @cached_property
    def figures(self) -> Mapping[str, str]:
        """Unit of every figure that some run has, in the order of the summary."""
        units: dict[str, str] = {}
        for outcomes in self.outcomes.values():
            for outcome in outcomes:
                for name, figure in outcome.figures.items():
                    units.setdefault(name, figure.unit)
        return units

    def values(self, name: str, plan: str) -> Floats:
        """The figure by seed; not a number where a run does not have it."""
        return figure_values(name, self.outcomes[plan])

    def estimate(self, name: str, plan: str, confidence: float) -> MeanEstimate | None:
        """The mean of a figure; None if no run of the plan has it."""
        return figure_estimate(name, self.values(name, plan), confidence, self.latencies)

    @cached_property
    def latencies(self) -> LatencyBounds | None:
        """What latencies of all runs can be at most; None without a run."""
        return latency_bounds((plan.plan, self.outcomes[plan.name]) for plan in self.plans)

    def bands(self) -> tuple[tuple[int, ...], dict[str, dict[str, Band]]]:
        """Moments, and by series and plan its band; of plans that run equally long."""
        first = next((outcome for outcomes in self.outcomes.values() for outcome in outcomes), None)
        bands: dict[str, dict[str, Band]] = {}
        if first is None:
            return (), bands
        for plan, outcomes in self.outcomes.items():
            alike = [one.series for one in outcomes if one.series.time_us == first.series.time_us]
            alike = [series for series in alike if series.names == alike[0].names]
            if not alike:
                continue
            tables = np.stack([series.table() for series in alike])
            for row, name in enumerate(alike[0].names):
                bands.setdefault(name, {})[plan] = band_of(tables[:, row])
        return first.series.time_us, bands


def sample_of(runs: Runs, plans: Sequence[RunnablePlan], seeds: Sequence[int]) -> SeededRuns:
    """Run every plan with every seed: seed by seed, so that what is finished early is of use."""
    found = iter(runs.outcomes([(plan, seed) for seed in seeds for plan in plans]))
    rows = [(seed, [next(found) for _ in plans]) for seed in seeds]
    kept, left_out = list[tuple[int, list[RunOutcome]]](), list[str]()
    for seed, row in rows:
        whole = [outcome for outcome in row if outcome is not None]
        problems = [
            phrase(
                "Seed {seed} does not count: {name} ended early. {problem}",
                seed=seed,
                name=plan.name,
                problem=outcome.problem,
            )
            for plan, outcome in zip(plans, row, strict=True)
            if outcome is not None and outcome.problem
        ]
        left_out.extend(problems)
        if len(whole) == len(plans) and not problems:
            kept.append((seed, whole))
    outcomes = {plan.name: tuple(row[at] for _, row in kept) for at, plan in enumerate(plans)}
    return SeededRuns(tuple(plans), tuple(seed for seed, _ in kept), outcomes, tuple(left_out))


def doubts_of_seeds(seeds: Sequence[int]) -> tuple[str, ...]:
    """A note where there is only one."""
    return (phrase("One seed gives no interval. Use more seeds to see how sure this is."),) if len(seeds) == 1 else ()


def seeds_from(first: int, count: int) -> range:
    """The seeds of an experiment."""
    return range(first, first + count)


def known_figures(sample: SeededRuns, wanted: Sequence[str]) -> tuple[str, ...]:
    """The wanted figures. Raises PlanProblem for one that no run has, with the nearest one."""
    return known_among(sample.figures, wanted) if sample.seeds else tuple(wanted)


def known_among(known: Iterable[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """The wanted figures. Raises PlanProblem for one that is not known, with the nearest one."""
    names = list(known)
    for name in wanted:
        if names and name not in names and not zero_if_absent(name):
            guess = nearest(name, names)
            listed = tr("Choose one of {names}.", names=", ".join(names[:20]))
            raise PlanProblem(
                "figures",
                tr("These runs have no figure {name!r}.", name=name),
                tr("Did you mean {guess}?", guess=guess) if guess else listed,
            )
    return tuple(wanted)
