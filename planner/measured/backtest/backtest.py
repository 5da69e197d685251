"""Plays a measured window with several seeds and compares every course that both sides know."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.backtest.errors import HIGH, LOW, Actions, CourseErrors, course_errors, matched_actions
from planner.measured.backtest.naive import naive_replicas
from planner.measured.backtest.playing import COLUMNS, courses, played_plan, with_known_load
from planner.measured.calibration.regression import Floats
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.plan.model.plan import Plan
from planner.record.result import RunResult
from planner.units import US_PER_S

_S_PER_DAY = 86_400
RunOnce = Callable[[Plan, int], RunResult]
"""Runs a plan with a seed."""


class Comparison(NamedTuple):
    """A course beside the measured one."""

    subject: Subject
    errors: CourseErrors
    naive: CourseErrors | None = None
    """Of the simple rule, for pods that an autoscaler keeps."""
    actions: Actions | None = None


class SideBySide(NamedTuple):
    """A measured course with that of the runs, step by step."""

    measured: Floats
    low: Floats
    """Lower end of the band over seeds; with one seed all three are that run."""
    middle: Floats
    high: Floats
    naive: Floats | None


class BackTest(NamedTuple):
    """What playing a measured window showed."""

    comparisons: tuple[Comparison, ...]
    seeds: tuple[int, ...]
    notes: tuple[str, ...]
    plan: Plan
    """As it was played."""
    measured: MeasuredCluster
    """In the window that was played."""
    runs: tuple[RunResult, ...]

    @property
    def days(self) -> float:
        """Length of the window."""
        return self.measured.steps * self.measured.step_s / _S_PER_DAY

    def side_by_side(self, subject: Subject) -> SideBySide:
        """The courses of a comparison."""
        truth = np.asarray(self.measured.courses[subject], dtype=np.float64)
        played = [courses(result, subject.quantity, subject.name, self.measured) for result in self.runs]
        stacked = np.stack([course for course in played if course is not None])
        low, middle, high = np.quantile(stacked, [LOW, 0.5, HIGH], axis=0)
        return SideBySide(truth, low, middle, high, _naive_course(self.plan, subject, self.measured))

    def mape(self, quantity: Quantity, naive: bool = False) -> float:
        """Mean error in relation to the measured value, over all steps of all courses; nan without any."""
        chosen = [
            item.naive if naive else item.errors for item in self.comparisons if item.subject.quantity is quantity
        ]
        known = [errors for errors in chosen if errors is not None and not math.isnan(errors.mape)]
        steps = sum(errors.steps for errors in known)
        return sum(errors.mape * errors.steps for errors in known) / steps if steps else math.nan


def back_test(plan: Plan, measured: MeasuredCluster, seeds: int, run: RunOnce) -> BackTest:
    """Plays the measured load with so many seeds. Raises MeasuredProblem, and what `run` raises."""
    measured = with_known_load(measured)
    played = played_plan(plan, measured)
    numbers = tuple(plan.simulation.seed + offset for offset in range(seeds))
    results = []
    for seed in numbers:
        result = run(played.plan, seed)
        if result.stopped is not None:
            raise result.stopped
        results.append(result)
    found = tuple(_comparisons(played.plan, measured, results))
    if not found:
        problem = tr("Beside the load nothing was measured that a run could be compared with.")
        raise MeasuredProblem(measured.source, problem, tr("Measure ready replicas, nodes or CPU."))
    notes = (*measured.notes, *played.notes)
    return BackTest(found, numbers, notes, played.plan, measured, tuple(results))


def _comparisons(plan: Plan, measured: MeasuredCluster, results: list[RunResult]) -> Iterator[Comparison]:
    for subject, course in measured.courses.items():
        if subject.quantity not in COLUMNS:
            continue
        runs = [courses(result, subject.quantity, subject.name, measured) for result in results]
        known = [run for run in runs if run is not None]
        truth = np.asarray(course, dtype=np.float64)
        errors = course_errors(truth, known, measured.step_s) if known else None
        if errors is not None:
            actions = None
            if subject.quantity is Quantity.REPLICAS:
                tolerance = max(1, math.ceil(plan.hpa_controller.sync_period / (measured.step_s * US_PER_S)))
                actions = matched_actions(truth, known[0], tolerance)
            yield Comparison(subject, errors, _naive(plan, subject, truth, measured), actions)


def _naive(plan: Plan, subject: Subject, truth: Floats, measured: MeasuredCluster) -> CourseErrors | None:
    pods = _naive_course(plan, subject, measured)
    return course_errors(truth, [pods], measured.step_s) if pods is not None else None


def _naive_course(plan: Plan, subject: Subject, measured: MeasuredCluster) -> Floats | None:
    load = measured.course(Quantity.REQUESTS, subject.name)
    if subject.quantity not in (Quantity.READY, Quantity.REPLICAS) or load is None:
        return None
    workload = next(item for item in plan.workloads if item.name == subject.name)
    return naive_replicas(plan, workload, np.asarray(load, dtype=np.float64))
