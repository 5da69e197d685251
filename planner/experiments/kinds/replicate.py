"""Replicate: one plan under many seeds, to see how sure its figures are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from planner.errors import PlanProblems
from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, SloAnswer, VariantAnswer
from planner.experiments.answers.comparison_text import broken_text
from planner.experiments.answers.figure_sense import headline_figures, width_figures
from planner.experiments.answers.numbers import mean_amount
from planner.experiments.kinds.replications import replicated
from planner.experiments.kinds.sample import SeededRuns, doubts_of_seeds, known_figures
from planner.experiments.kinds.uncertain_inputs import doubts_of_inputs, influence_json, influence_texts
from planner.experiments.runs import Runs
from planner.experiments.statistics.estimates import MeanEstimate
from planner.experiments.statistics.proportions import wilson_interval
from planner.experiments.statistics.quantiles import quantile_interval
from planner.experiments.statistics.stopping import is_narrow
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan, runnable_variants
from planner.language.phrases import joined, phrase, phrase_count
from planner.plan.model.experiments.experiment import Replicate
from planner.plan.model.plan import Plan

_QUANTILES = (0.05, 0.5, 0.95)
_ATTAINMENTS = ("slo_attainment[", "slo_attainment_end_to_end[")
_MOST_FIGURES = 3


def replicate(plan: Plan, experiment: Replicate, runs: Runs) -> ExperimentAnswer:
    """A plan, or one of its variants, under many seeds. Raises PlanProblem or PlanProblems."""
    tested = runnable_plan(plan)
    if experiment.variant:
        tested = _chosen(plan, experiment.variant)
    confidence, first_seed = experiment.confidence / 100.0, plan.simulation.seed

    def widths(sample: SeededRuns) -> Iterator[tuple[MeanEstimate, float]]:
        for name in known_figures(sample, experiment.figures) or width_figures(sample.figures):
            estimate = sample.estimate(name, tested.name, confidence)
            if estimate is not None:
                yield estimate, estimate.mean

    sample = replicated(runs, (tested,), experiment, first_seed, widths)
    looked_at = known_figures(sample, experiment.figures) or headline_figures(sample.figures)
    notes = [*sample.left_out, *doubts_of_seeds(sample.seeds), *doubts_of_inputs(tested, sample.seeds)]
    wanted = experiment.half_width
    if wanted is not None and len(sample.seeds) > 1:
        if not all(is_narrow(one, of, wanted / 100.0) for one, of in widths(sample)):
            notes.append(_too_wide(wanted, len(sample.seeds)))
    answer = replace(_answer(sample, tested, looked_at, confidence), notes=tuple(notes), stopped=runs.stopped)
    return replace(answer, sentence=_sentence(answer))


def _too_wide(wanted: float, seeds: int) -> str:
    text = "The half-width of {percent:g} % was not reached within {count} seeds."
    return phrase(text, percent=wanted, count=seeds)


def _answer(
    sample: SeededRuns, tested: RunnablePlan, looked_at: tuple[str, ...], confidence: float
) -> ExperimentAnswer:
    """What the sample says, without notes and sentence."""
    figures = {name: sample.estimate(name, tested.name, confidence) for name in sample.figures}
    time_us, bands = sample.bands()
    by_seed = {name: sample.values(name, tested.name) for name in looked_at if name in sample.figures}
    return ExperimentAnswer(
        kind="replicate",
        variants=(VariantAnswer(tested.name, tested.digest),),
        figures={
            name: FigureAnswer(sample.figures[name], {tested.name: estimate})
            for name, estimate in figures.items()
            if estimate is not None
        },
        seeds=sample.seeds,
        confidence=confidence,
        looked_at=looked_at,
        slos=_slos(sample, tested, confidence),
        bands=bands,
        band_time_us=time_us,
        outcomes=sample.outcomes,
        latencies=sample.latencies,
        more={
            "quantiles": _quantiles(sample, tested, confidence),
            "influence": influence_json(tested, sample.seeds, by_seed),
        },
    )


def _chosen(plan: Plan, name: str) -> RunnablePlan:
    found = runnable_variants(plan, (name,))
    if found.refused:
        raise PlanProblems(found.refused)
    return found.ready[0]


def _slos(sample: SeededRuns, tested: RunnablePlan, confidence: float) -> dict[str, SloAnswer]:
    """For every workload with an SLO: in how many runs it is broken, and where worst."""
    outcomes = sample.outcomes[tested.name]
    found: dict[str, SloAnswer] = {}
    for workload in tested.plan.workloads:
        names = [name for name in sample.figures if name in (f"{kind}{workload.name}]" for kind in _ATTAINMENTS)]
        if workload.slo is None or not outcomes or not names:
            continue
        broken = sum(workload.name in outcome.slo_missed for outcome in outcomes)
        kept = np.min([sample.values(name, tested.name) for name in names], axis=0)
        worst = sample.seeds[int(np.nanargmin(kept))]
        share = wilson_interval(broken, len(outcomes), confidence)
        found[workload.name] = SloAnswer({tested.name: share}, {tested.name: worst})
    return found


def _quantiles(sample: SeededRuns, tested: RunnablePlan, confidence: float) -> dict[str, Any]:
    """{figure: {"p5": {value, low, high}, ...}}: where single runs are, not their mean."""
    found: dict[str, Any] = {}
    for name in sample.figures:
        values = sample.values(name, tested.name)
        values = values[np.isfinite(values)]
        if len(values) > 1:
            found[name] = {}
            for share in _QUANTILES:
                one = quantile_interval(values, share, confidence)
                ends = {
                    "low": one.low if np.isfinite(one.low) else None,
                    "high": one.high if np.isfinite(one.high) else None,
                }
                found[name][f"p{round(100 * share)}"] = {"value": one.value} | ends
    return found


def _sentence(answer: ExperimentAnswer) -> str:
    count, plan = len(answer.seeds), answer.variants[0].name
    if not count:
        return phrase("No run was finished, so there is nothing to say yet.")
    parts = [
        broken_text(name, share.low, share.mean, share.high)
        for name, slo in answer.slos.items()
        for share in slo.broken.values()
    ]
    for name in answer.looked_at[:_MOST_FIGURES]:
        if name in answer.figures:
            figure = answer.figures[name]
            value = mean_amount(name, figure.variants[plan], figure.unit, answer.latencies)
            parts.append(phrase("{name} is {value}", name=name, value=value))
    parts += influence_texts(answer.more["influence"])
    seeds, said = phrase_count("1 seed", "{count} seeds", count, count=count), joined("; ", parts)
    return phrase("{plan} over {seeds}: {said}.", plan=plan, seeds=seeds, said=said)
