"""Points of a large space that are proposed while the search goes on, by Optuna. Needs the extra `headroom[optuna]`."""

import math
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from planner.errors import PlanProblem, PlanProblems
from planner.experiments.kinds.search.candidates import Goal, SearchCandidate, check_figures, run_to
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import RunnablePlans
from planner.experiments.variants.space import Parameter, ParameterSpace, Point, plans_at
from planner.language.translation import tr
from planner.plan.model.plan import Plan

_BATCH = 16
"""Points that are proposed before the runs of any of them are known: as many whatever the number of processors."""
_MOST_ATTEMPTS = 4
"""Proposals for each point that is tried: where the good ones are few, they are proposed again and again."""


class Proposals:
    """Optuna's tree-structured Parzen estimator, which learns from points that were tried. One for each search."""

    def __init__(self, space: ParameterSpace, seed: int) -> None:
        """Raises PlanProblem if Optuna is not installed."""
        try:
            self._optuna: Any = import_module("optuna")  # late: an extra
        except ImportError as error:
            remedy = tr("Install it with: pip install 'headroom[optuna]', or take another sampling.")
            raise PlanProblem("sampling", tr("Optuna is not installed."), remedy) from error
        self._optuna.logging.set_verbosity(self._optuna.logging.WARNING)
        sampler = self._optuna.samplers.TPESampler(seed=seed % 2**32, n_startup_trials=2 * _BATCH)
        self._study: Any = self._optuna.create_study(sampler=sampler)
        self._space = space
        self._trials: dict[Point, Any] = {}
        """The open ones of the latest batch."""

    def batch(self, tried: Sequence[Point], most: int) -> tuple[Point, ...]:
        """New points, none of which has been tried; fewer, or none, where it finds no more."""
        known = frozenset(tried)
        for _ in range(_MOST_ATTEMPTS * _BATCH):
            if len(self._trials) >= min(_BATCH, most):
                break
            trial = self._study.ask()
            point = tuple(self._value(trial, one) for one in self._space.parameters)
            if point in known or point in self._trials:
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
            else:
                self._trials[point] = trial
        return tuple(self._trials)

    def _value(self, trial: Any, parameter: Parameter) -> str:
        if parameter.continuous:
            return parameter.at(trial.suggest_float(parameter.path, 0.0, 1.0))
        if math.isfinite(parameter.low):
            return parameter.levels[int(trial.suggest_int(parameter.path, 0, len(parameter.levels) - 1))]
        return str(trial.suggest_categorical(parameter.path, parameter.levels))

    def learn(self, candidates: Sequence[SearchCandidate], goal: Goal) -> None:
        """What came of the latest batch; points without a candidate were refused by the plan."""
        found = {one.point: one for one in candidates}
        for point, trial in self._trials.items():
            one = found.get(point)
            costs = goal.costs(one) if one is not None and one.count else np.array([np.inf])
            if one is None or not np.isfinite(costs).all():
                self._study.tell(trial, state=self._optuna.trial.TrialState.FAIL)
                continue
            for constraint in goal.constraints:
                trial.set_constraint(str(constraint), goal.shortfall(one, constraint))
            self._study.tell(trial, float(costs.mean()))
        self._trials.clear()


def proposed_candidates(
    plan: Plan, space: ParameterSpace, most: int, goal: Goal, runs: Runs, seeds: range
) -> tuple[list[SearchCandidate], list[PlanProblem]]:
    """Up to `most` plans with their runs of those seeds, and what is wrong with others. Raises PlanProblem, and
    PlanProblems if the plan refuses all of them."""
    proposals, tried = Proposals(space, seeds[0]), list[Point]()
    candidates, refused = list[SearchCandidate](), list[PlanProblem]()
    while len(tried) < most and not runs.stopped:
        points = proposals.batch(tried, most - len(tried))
        if not points:
            break
        tried += points
        try:
            kept, plans = plans_at(plan, space, points, runs.cancelled)
        except PlanProblems as error:
            kept, plans = (), RunnablePlans((), error.problems)
        fresh = [SearchCandidate(one, point) for one, point in zip(plans.ready, kept, strict=True)]
        candidates += fresh
        refused += plans.refused
        run_to(runs, fresh, len(seeds), seeds[0])
        check_figures(candidates, goal)
        proposals.learn(fresh, goal)
    if refused and not candidates:
        raise PlanProblems(refused[:20], max(0, len(refused) - 20))
    return candidates, refused
