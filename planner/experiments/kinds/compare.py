"""Compare: plans under the same seeds, difference by difference."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, FigureDifference, VariantAnswer
from planner.experiments.answers.comparison_text import compared
from planner.experiments.answers.figure_sense import headline_figures, lower_is_better, width_figures
from planner.experiments.kinds.replications import replicated
from planner.experiments.kinds.sample import SeededRuns, doubts_of_seeds, known_figures
from planner.experiments.runs import Runs
from planner.experiments.statistics.best import compared_with_best
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.paired import paired_difference
from planner.experiments.statistics.stopping import is_narrow
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan, runnable_variants
from planner.language.phrases import phrase
from planner.plan.edits.differences import differences
from planner.plan.model.experiments.experiment import Compare
from planner.plan.model.experiments.seeded import SeededExperiment
from planner.plan.model.plan import Plan

_TITLES = ("name", "notes")


def compare(plan: Plan, experiment: Compare, runs: Runs) -> ExperimentAnswer:
    """A plan with its variants. Raises PlanProblem or PlanProblems if there is nothing to compare."""
    variants = runnable_variants(plan, experiment.variants)
    notes = tuple(str(problem) for problem in variants.refused)
    return compare_plans((runnable_plan(plan), *variants.ready), experiment, plan.simulation.seed, runs, notes)


def compare_plans(
    plans: Sequence[RunnablePlan],
    experiment: SeededExperiment,
    first_seed: int,
    runs: Runs,
    notes: tuple[str, ...] = (),
    *,
    finds_parting: bool = True,
) -> ExperimentAnswer:
    """Plans with each other: the first one is what the others are compared with.

    `finds_parting`: also look for the first decision that differs between the first two.
    """
    question = _Question(tuple(plans), experiment)
    sample = replicated(runs, plans, experiment, first_seed, question.widths)
    looked_at = known_figures(sample, experiment.figures) or headline_figures(sample.figures)
    figures = {name: question.figure(sample, name) for name in sample.figures} if sample.seeds else {}
    finds_parting &= len(plans) > 1 and bool(sample.seeds)
    parting = runs.parting(plans[0], plans[1], sample.seeds[0]) if finds_parting else None
    time_us, bands = sample.bands()
    return compared(
        ExperimentAnswer(
            kind="compare",
            variants=tuple(_variant(plans[0], one) for one in plans),
            figures={name: figure for name, figure in figures.items() if figure.variants},
            seeds=sample.seeds,
            confidence=question.confidence,
            looked_at=looked_at,
            notes=(*notes, *sample.left_out, *doubts_of_seeds(sample.seeds), *question.remarks(sample)),
            first_parting=parting if parting is not None and parting["atS"] is not None else None,
            bands=bands,
            band_time_us=time_us,
            outcomes=sample.outcomes,
            latencies=sample.latencies,
            stopped=runs.stopped,
        )
    )


@dataclass(frozen=True)
class _Question:
    """What is compared, and how surely."""

    plans: tuple[RunnablePlan, ...]
    experiment: SeededExperiment

    @property
    def confidence(self) -> float:
        return self.experiment.confidence / 100.0

    def figure(self, sample: SeededRuns, name: str) -> FigureAnswer:
        """The figure in all plans that have it, and its differences from the first."""
        columns = {plan.name: sample.values(name, plan.name) for plan in self.plans}
        found_means = ((plan, sample.estimate(name, plan, self.confidence)) for plan in columns)
        estimates = {plan: estimate for plan, estimate in found_means if estimate is not None}
        found = tuple(self._differences(columns, estimates))
        best, lowest = {}, lower_is_better(name)
        if len(self.plans) > 2 and lowest is not None and len(estimates) == len(self.plans):
            table = np.stack(list(columns.values()))
            table = table[:, np.isfinite(table).all(axis=0)]
            if table.shape[1] > 1:
                ranked = compared_with_best(table, lowest=lowest, confidence=self.confidence)
                best = dict(zip(columns, ranked, strict=True))
        return FigureAnswer(sample.figures[name], estimates, found, best)

    def _differences(
        self, columns: dict[str, np.ndarray], estimates: dict[str, MeanEstimate]
    ) -> Iterator[FigureDifference]:
        first, *others = (plan.name for plan in self.plans)
        for name in others:
            both = np.isfinite(columns[first]) & np.isfinite(columns[name])
            if both.any() and name in estimates:
                found = paired_difference(columns[first][both], columns[name][both], self.confidence, len(others))
                yield FigureDifference(first, name, found.estimate, found.verdict, found.correlation)

    def widths(self, sample: SeededRuns) -> Iterator[tuple[MeanEstimate, float]]:
        """The differences of the figures that matter, against the first plan's value."""
        for name in known_figures(sample, self.experiment.figures) or width_figures(sample.figures):
            figure = self.figure(sample, name)
            for one in figure.differences:
                yield one.estimate, figure.variants[one.a].mean

    def remarks(self, sample: SeededRuns) -> Iterator[str]:
        """What the reader should know of the intervals."""
        if len(frozenset(one.until_us for outcomes in sample.outcomes.values() for one in outcomes)) > 1:
            yield phrase(
                "The plans run for different times: compare their means and shares rather than sums such as the cost."
            )
        ratio = self.experiment.half_width
        if ratio is not None and len(sample.seeds) > 1:
            if not all(is_narrow(estimate, of, ratio / 100.0) for estimate, of in self.widths(sample)):
                yield phrase(
                    "The half-width of {percent:g} % was not reached within {count} seeds.",
                    percent=ratio,
                    count=len(sample.seeds),
                )


def _variant(first: RunnablePlan, plan: RunnablePlan) -> VariantAnswer:
    found = [one for one in differences(first.plan, plan.plan) if one.steps[0] not in _TITLES]
    return VariantAnswer(plan.name, plan.digest, tuple(str(one) for one in found))
