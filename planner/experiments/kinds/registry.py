"""All kinds of experiments: maps each type of the plan to what answers it. A new kind needs one line here.

Right-sizing stands apart: it may follow what was measured.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.kinds.compare import compare
from planner.experiments.kinds.grow.grow import grow
from planner.experiments.kinds.replicate import replicate
from planner.experiments.kinds.rightsize.observing import KnownUse
from planner.experiments.kinds.rightsize.rightsize import rightsize
from planner.experiments.kinds.rightsize.sizes import RULES
from planner.experiments.kinds.search.search import search, search_count
from planner.experiments.kinds.stress.stress import stress
from planner.experiments.kinds.vary.vary import vary, vary_count
from planner.experiments.runs import Runs
from planner.language.translation import tr
from planner.plan.files.nearest import nearest
from planner.plan.model.experiments.experiment import Compare, Experiment, Replicate
from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.rightsize import Rightsize
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import Plan

KINDS: Mapping[type, Callable[[Plan, Any, Runs], ExperimentAnswer]] = MappingProxyType(
    {
        Replicate: replicate,
        Compare: compare,
        Stress: stress,
        Vary: vary,
        Search: search,
        Grow: grow,
    }
)


def run_experiment(
    plan: Plan, experiment: Experiment, runs: Runs, measured: KnownUse | None = None
) -> ExperimentAnswer:
    """Answer an experiment of a plan. Raises PlanProblem or PlanProblems if it cannot be begun, and ExecutorLost.

    `measured`: what pods of a cluster used, for right-sizing.
    """
    if isinstance(experiment, Rightsize):
        return rightsize(plan, experiment, runs, measured)
    return KINDS[type(experiment)](plan, experiment, runs)


MOST_RUNS = 10_000
"""More are made only when that is wanted."""


def run_count(plan: Plan, experiment: Experiment) -> int:
    """About how many runs it takes; of a search, at its start. Raises PlanProblem for a space that does not fit."""
    match experiment:
        case Vary():
            return vary_count(plan, experiment)
        case Search():
            return search_count(plan, experiment)
        case Grow():
            return experiment.seeds * experiment.months * max(1, len(experiment.days))
        case Replicate():
            return experiment.seeds
        case Rightsize():
            return experiment.seeds * (1 + 2 * len(RULES))
    return experiment.seeds * (1 + len(experiment.variants or plan.variants))


def experiment_named(plan: Plan, name: str) -> Experiment:
    """An experiment of a plan by its name. Raises PlanProblem, which suggests the nearest one."""
    by_name = {one.name: one for one in plan.experiments}
    if name not in by_name:
        guess = nearest(name, list(by_name))
        listed = (
            tr("Choose one of {names}.", names=", ".join(by_name))
            if by_name
            else tr("Add it to the plan's experiments.")
        )
        raise PlanProblem(
            "experiments",
            tr("There is no experiment {name!r}.", name=name),
            tr("Did you mean {guess}?", guess=guess) if guess else listed,
        )
    return by_name[name]
