"""How far an experiment is, and what it has found."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

from planner.experiments.answers.answer import ExperimentAnswer
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.plan import Plan
from ui.runs.failure import RunFailure

_OF_NO_MATTER = frozenset({"name", "notes", "experiments"})
_FEWEST_TIMED = 2
"""Runs before the time left is estimated: the first one also starts the processes."""


class ExperimentState(Enum):
    """How far an experiment is."""

    NEW = auto()
    """No runs of it are known."""
    WAITING = auto()
    """For another one to end."""
    RUNNING = auto()
    DONE = auto()
    STOPPED = auto()
    """Some of its runs are there; it can go on."""
    FAILED = auto()

    @property
    def is_live(self) -> bool:
        """More may come."""
        return self in (ExperimentState.WAITING, ExperimentState.RUNNING)


@dataclass(frozen=True)
class RunCount:
    """Runs made and needed, and how long they take."""

    done: int = 0
    total: int = 0
    began_s: float = 0.0
    clock: Callable[[], float] = field(default=time.monotonic, compare=False, repr=False)

    @property
    def left_s(self) -> float | None:
        """Seconds until all runs known to be needed are made; None if that is not known yet."""
        if self.done < min(_FEWEST_TIMED, self.total) or not self.done:
            return None
        return (self.clock() - self.began_s) / self.done * (self.total - self.done)


@dataclass(frozen=True)
class Report:
    """All that is known of an experiment."""

    state: ExperimentState = ExperimentState.NEW
    pace: RunCount = RunCount()
    answer: ExperimentAnswer | None = None
    plan: Plan | None = None
    """That the answer is about."""
    experiment: Experiment | None = None
    failure: RunFailure | None = None


def is_same_question(report: Report, plan: Plan, experiment: Experiment) -> bool:
    """Whether the report answers what would be asked now."""
    before, asked = report.plan, report.experiment
    if before is None or asked is None:
        return False
    if asked != experiment and asked.model_copy(update={"name": experiment.name}) != experiment:
        return False
    return all(
        getattr(before, name) is getattr(plan, name) or getattr(before, name) == getattr(plan, name)
        for name in Plan.model_fields
        if name not in _OF_NO_MATTER
    )
