"""All kinds of experiments: maps each type of the plan to what answers it. A new kind needs one line here."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.kinds.compare import compare
from planner.experiments.kinds.grow.grow import grow
from planner.experiments.kinds.replicate import replicate
from planner.experiments.kinds.search.search import search
from planner.experiments.kinds.stress.stress import stress
from planner.experiments.kinds.vary.vary import vary
from planner.experiments.runs import Runs
from planner.plan.files.problems import nearest
from planner.plan.model.experiments.experiment import Compare, Experiment, Replicate
from planner.plan.model.experiments.grow import Grow
from planner.plan.model.experiments.search import Search
from planner.plan.model.experiments.stress import Stress
from planner.plan.model.experiments.vary import Vary
from planner.plan.model.plan import Plan

KINDS: Mapping[type, Callable[[Plan, Any, Runs], ExperimentAnswer]] = MappingProxyType(
    {Replicate: replicate, Compare: compare, Stress: stress, Vary: vary, Search: search, Grow: grow}
)


def run_experiment(plan: Plan, experiment: Experiment, runs: Runs) -> ExperimentAnswer:
    """Answer an experiment of a plan. Raises PlanProblem or PlanProblems if it cannot be begun, and ExecutorLost."""
    return KINDS[type(experiment)](plan, experiment, runs)


def experiment_named(plan: Plan, name: str) -> Experiment:
    """An experiment of a plan by its name. Raises PlanProblem, which suggests the nearest one."""
    by_name = {one.name: one for one in plan.experiments}
    if name not in by_name:
        guess = nearest(name, list(by_name))
        listed = f"Choose one of {', '.join(by_name)}." if by_name else "Add it to the plan's experiments."
        raise PlanProblem(
            "experiments", f"There is no experiment {name!r}.", f"Did you mean {guess}?" if guess else listed
        )
    return by_name[name]
