"""Rightsize: what should pods request, by which rule, and what does each do to replicas, nodes, latency and cost?"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.answers.answer import ExperimentAnswer, VariantAnswer
from planner.experiments.kinds.compare import compare_plans
from planner.experiments.kinds.rightsize.changes import MovedTarget, moved_targets, size_changes
from planner.experiments.kinds.rightsize.effects import best_of, effect_of, effect_table, harms, sentence_of
from planner.experiments.kinds.rightsize.observing import KnownUse, UseJob, observe_use
from planner.experiments.kinds.rightsize.size_tables import requests_text, sizes_json, sizes_table
from planner.experiments.kinds.rightsize.sizes import RULES, SizedWorkload, sized
from planner.experiments.kinds.rightsize.unsized import unsized
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan
from planner.language.phrases import joined, phrase
from planner.language.translation import tr
from planner.plan.derived.pod_requests import pod_level_requests
from planner.plan.files.nearest import nearest
from planner.plan.model.experiments.rightsize import Rightsize, UseSource
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.plan.variants.application import with_changes
from planner.simulation.use.observation import workloads_with_cpu

MOVED = phrase("HPA target moved")
"""Of variants in which the targets of autoscalers stand for the same amounts as before."""


@dataclass(frozen=True)
class SizeVariant:
    """A plan with other requests."""

    name: str
    changes: tuple[str, ...]
    sizes: tuple[SizedWorkload, ...]
    moved: tuple[MovedTarget, ...] = ()


def rightsize(plan: Plan, experiment: Rightsize, runs: Runs, measured: KnownUse | None = None) -> ExperimentAnswer:
    """Sizes for a workload, or for all, by the use of a run, or by the measured one.

    Raises PlanProblem for a workload that is not there and for use that was not measured, PlanProblems for a plan that
    cannot be run, and RunStopped.
    """
    base, chosen = runnable_plan(plan), _chosen(plan, experiment.workload)
    known = _known(base, experiment, runs, measured)
    if known is None:
        return _stopped(base, experiment)
    by_name = {one.name: [use for use in known.uses if use.workload == one.name] for one in chosen}
    notes = (*known.notes, *unsized(chosen, by_name, known.source, workloads_with_cpu(plan)))
    found = tuple(_variants(plan, [one for one in chosen if not pod_level_requests(one.pod)], by_name))
    ready, refused = _runnable(base, found)
    seed = plan.simulation.seed
    compared = compare_plans((base, *ready), experiment, seed, runs, (*notes, *refused), finds_parting=False)
    kept = {one.name: one for one in found if any(plan.name == one.name for plan in ready)}
    return _answer(plan, compared, chosen, kept, known)


def _known(base: RunnablePlan, experiment: Rightsize, runs: Runs, measured: KnownUse | None) -> KnownUse | None:
    """The use that sizes follow; None if the experiment was stopped."""
    if experiment.use is UseSource.MEASURED:
        if measured is None:
            remedy = "Bring in measured series (headroom rightsize --measured FILE), or choose simulated use."
            raise PlanProblem("use", "Nothing was measured of this cluster yet.", remedy)
        return measured
    seed = base.plan.simulation.seed
    uses = runs.aside(observe_use, UseJob(base.parcel_of(seed), seed, runs.until_us))
    return None if uses is None else KnownUse(uses, UseSource.SIMULATED)


def _chosen(plan: Plan, name: str) -> tuple[Workload, ...]:
    names = [one.name for one in plan.workloads]
    if name and name not in names:
        guess = nearest(name, names)
        remedy = (
            tr("Did you mean {guess}?", guess=guess)
            if guess
            else tr("Choose one of {names}.", names=", ".join(names[:20]))
        )
        raise PlanProblem("workload", tr("There is no workload {name!r}.", name=name), remedy)
    return tuple(one for one in plan.workloads if name in ("", one.name))


def _variants(plan: Plan, workloads: Sequence[Workload], uses: dict[str, Any]) -> Iterator[SizeVariant]:
    """By each rule, with the targets of autoscalers as they are, and moved; those that change nothing left out."""
    for rule in RULES:
        sizes = tuple(sized(plan, one, uses[one.name], rule) for one in workloads)
        changes = size_changes(plan, sizes)
        if not changes:
            continue
        yield SizeVariant(rule.name, changes, sizes)
        moved = moved_targets(plan, sizes)
        if moved:
            texts = (*changes, *(one.change for one in moved))
            yield SizeVariant(joined(", ", (rule.name, MOVED)), texts, sizes, moved)


def _runnable(base: RunnablePlan, variants: Sequence[SizeVariant]) -> tuple[list[RunnablePlan], list[str]]:
    """The plans of the variants that can be run, and why others cannot."""
    ready, refused = list[RunnablePlan](), list[str]()
    for one in variants:
        try:
            varied = runnable_plan(with_changes(base.plan, one.changes), one.name)
            ready.append(RunnablePlan(one.name, varied.plan, base.inputs))
        except PlanProblems as error:
            refused.extend(f"{one.name}: {problem}" for problem in error.problems)
    return ready, refused


def _answer(
    plan: Plan,
    compared: ExperimentAnswer,
    chosen: Sequence[Workload],
    variants: dict[str, SizeVariant],
    known: KnownUse,
) -> ExperimentAnswer:
    names, currency = [one.name for one in chosen], plan.costs.currency
    effects = [effect_of(one.name, compared.outcomes[one.name], names) for one in compared.variants if compared.seeds]
    wanted = [one for one in known.uses if one.workload in names]
    sizes = {one.name: one.sizes for one in variants.values() if not one.moved}
    more: dict[str, Any] = {"uses": sizes_json(chosen, wanted, sizes), "source": known.source}
    table: tuple[tuple[str, ...], ...] = ()
    sentence: str = phrase("No seed was finished with every size, so there is nothing to say yet.")
    if effects:
        best, said = best_of(effects), {name: requests_text(one.sizes) for name, one in variants.items()}
        table = tuple(effect_table(effects, best, currency))
        sentence = sentence_of(effects, best, said, currency) if variants else phrase("No rule gives other requests.")
        more |= {
            "best": best.name,
            "effects": [one.as_json() | {"harms": list(harms(effects[0], one))} for one in effects],
        }
    return replace(
        compared,
        kind="rightsize",
        variants=tuple(
            VariantAnswer(one.name, one.plan_digest, variants[one.name].changes if one.name in variants else ())
            for one in compared.variants
        ),
        sentence=sentence,
        table=table,
        tables=(sizes_table(chosen, wanted, sizes),),
        more=more,
    )


def _stopped(base: RunnablePlan, experiment: Rightsize) -> ExperimentAnswer:
    return ExperimentAnswer(
        kind="rightsize",
        variants=(VariantAnswer(base.name, base.digest),),
        figures={},
        seeds=(),
        confidence=experiment.confidence / 100.0,
        sentence=phrase("No run was finished, so nothing is known of the use yet."),
        stopped=True,
    )
