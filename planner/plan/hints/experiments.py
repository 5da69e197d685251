"""Hints on variants and uncertain inputs that do not fit the plan, which is runnable all the same."""

from collections.abc import Iterator

from planner.errors import PlanProblem, PlanProblems
from planner.language.translation import tr
from planner.plan.hints.hint import Hint
from planner.plan.model.experiments.experiment import Compare, Experiment, Replicate
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import parse_uncertain
from planner.plan.variants.application import LOAD, plan_data, with_changes
from planner.plan.variants.reached import reached


def experiment_hints(plan: Plan) -> Iterator[Hint]:
    """Variants that the plan refuses, uncertain numbers that it lacks, and experiments without their variant."""
    for index, variant in enumerate(plan.variants):
        try:
            with_changes(plan, variant.changes)
        except PlanProblems as refused:
            first = refused.problems[0]
            yield Hint(f"variants[{index}].changes", f"{first.where}: {first.problem}", first.remedy)
    for index, text in enumerate(plan.uncertain_inputs):
        given = parse_uncertain(text)
        try:
            if given.steps[0] != LOAD:
                reached(plan_data(plan), given.steps)
        except PlanProblem as problem:
            yield Hint(f"uncertainInputs[{index}]", problem.problem, problem.remedy)
    names = [variant.name for variant in plan.variants]
    for index, experiment in enumerate(plan.experiments):
        for name in _variants_of(experiment):
            if name and name not in names:
                text = tr("There is no variant {name!r}.", name=name)
                yield Hint(f"experiments[{index}]", text, tr("Add it to the variants, or choose another one."))


def _variants_of(experiment: Experiment) -> tuple[str, ...]:
    """Those that it names."""
    match experiment:
        case Compare() | Stress():
            return experiment.variants
        case Replicate():
            return (experiment.variant,)
    return ()
