"""Experiments beside the window: one after the other, in a thread that waits for the processes that run the plan."""

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from planner import __version__
from planner.errors import ResultFileError
from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.execution.executor import Executor
from planner.experiments.results.results_file import ResultsFile
from planner.measured.measured_cluster import MeasuredCluster
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.experiments.rightsize import Rightsize, UseSource
from planner.plan.model.plan import Plan
from ui.experiments.kept_runs import OnlyKeptRuns
from ui.experiments.report import ExperimentState, Report, RunCount
from ui.experiments.results_place import ResultsPlace
from ui.runs.failure import failure_of
from ui.runs.thread.switching import QUICK_SWITCHING

_DRAIN_MS = 100
_DRAIN_SOON_MS = 20
"""Polling interval while a caller waits for the end."""


@dataclass(frozen=True)
class _Task:
    plan: Plan
    experiment: Experiment
    makes_runs: bool
    """False: only what is kept is looked at."""
    path: Path
    """Of the results."""
    measured: MeasuredCluster | None = None
    """What sizes may follow."""


@dataclass(frozen=True)
class _Found:
    """The last message of a task."""

    report: Report
    unkept: ResultFileError | None = None


class _Closing(Exception):
    """The window goes: nothing more is computed."""


class ExperimentRunner(QObject):
    """What is known of each experiment, by its name. Views read `report` on `changed`."""

    changed = Signal(str)
    """The name of an experiment of which more is known."""
    ended = Signal(str)
    """An experiment that was run has come to its end, or was stopped."""
    failed = Signal(object)
    """A RunFailure: where, problem, remedy."""
    unkept = Signal(object)
    """Why results could not be written (ResultFileError); the answer is there all the same."""

    def __init__(
        self, place: ResultsPlace, make_executor: Callable[[], Executor] | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._place = place
        self._make_executor = make_executor if make_executor is not None else _process_pool
        self.measured: Callable[[], MeasuredCluster | None] = lambda: None
        """What was measured of the cluster, as far as series were brought in."""
        self._reports: dict[str, Report] = {}
        self._waiting: deque[_Task] = deque()
        self._task: _Task | None = None
        self._stop, self._closing = threading.Event(), threading.Event()
        self._pace = RunCount()
        self._messages: queue.SimpleQueue[_Found] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self, interval=_DRAIN_MS)
        self._timer.timeout.connect(self._drain)

    def report(self, name: str) -> Report:
        """What is known of an experiment."""
        return self._reports.get(name, Report())

    @property
    def is_running(self) -> bool:
        """Whether runs are being made, or will be; not while kept ones are looked up."""
        tasks = (self._task, *self._waiting)
        return any(task is not None and task.makes_runs for task in tasks)

    @property
    def running(self) -> str | None:
        """The name of the experiment whose runs are being made."""
        return self._task.experiment.name if self._task is not None and self._task.makes_runs else None

    def looks_up(self, name: str) -> bool:
        """Whether kept runs of an experiment are being looked for."""
        tasks = (self._task, *self._waiting)
        return any(task is not None and not task.makes_runs and task.experiment.name == name for task in tasks)

    def start(self, plan: Plan, experiment: Experiment) -> None:
        """Run an experiment, or go on with it; runs that are kept are not made again."""
        if self.report(experiment.name).state.is_live:
            return
        self._put(experiment.name, replace(self.report(experiment.name), state=ExperimentState.WAITING, failure=None))
        self._waiting = deque(task for task in self._waiting if task.makes_runs)  # looked up by the next edit again
        self._waiting.append(self._task_of(plan, experiment, makes_runs=True))
        if self._task is not None and not self._task.makes_runs:
            self._stop.set()
        self._begin()

    def look_up(self, plan: Plan, experiments: Sequence[Experiment]) -> None:
        """Answer experiments from runs that are kept, without running."""
        self._waiting = deque(task for task in self._waiting if task.makes_runs)
        for experiment in experiments:
            lacks_series = _follows_measured(experiment) and self.measured() is None
            if not lacks_series and not self.report(experiment.name).state.is_live:
                self._waiting.append(self._task_of(plan, experiment, makes_runs=False))
        self._begin()

    def _task_of(self, plan: Plan, experiment: Experiment, *, makes_runs: bool) -> _Task:
        measured = self.measured() if _follows_measured(experiment) else None
        return _Task(plan, experiment, makes_runs, self._place.path, measured)

    def cancel(self) -> None:
        """Stop what is running and what waits; runs that were made are kept."""
        for task in self._waiting:
            if task.makes_runs:
                self._put(task.experiment.name, replace(self.report(task.experiment.name), state=ExperimentState.NEW))
        self._waiting.clear()
        if self._task is not None:
            self._stop.set()
            self._timer.start(_DRAIN_SOON_MS)

    def forget(self) -> None:
        """The plan they belong to is gone."""
        self.shutdown()
        self._reports.clear()

    def shutdown(self) -> None:
        """Stop and wait for the thread; runs that were made are kept."""
        self._waiting.clear()
        self._closing.set()
        self._stop.set()
        if self._thread is not None:
            self._thread.join()
            self._drain()

    # -- tasks in turn ------------------------------------------------------------------------------

    def _begin(self) -> None:
        if self._task is not None or not self._waiting:
            return
        task = self._task = self._waiting.popleft()
        self._stop, self._closing, self._messages = threading.Event(), threading.Event(), queue.SimpleQueue()
        self._pace = RunCount(began_s=time.monotonic())
        if task.makes_runs:
            self._put(task.experiment.name, replace(self.report(task.experiment.name), state=ExperimentState.RUNNING))
        QUICK_SWITCHING.begin()
        self._thread = threading.Thread(target=self._work, args=(task,), name="experiment", daemon=True)
        self._thread.start()
        self._timer.start(_DRAIN_MS)

    # -- the thread: no Qt in here, and nothing escapes ---------------------------------------------

    def _work(self, task: _Task) -> None:
        try:
            self._messages.put(self._answered(task))
        except BaseException as error:  # thread boundary: the window reports any error
            failure = None if isinstance(error, _Closing) else failure_of(error)
            state = ExperimentState.STOPPED if failure is None else ExperimentState.FAILED
            self._messages.put(_Found(Report(state, self._pace, None, task.plan, task.experiment, failure)))

    def _answered(self, task: _Task) -> _Found:
        from planner.experiments.kinds.registry import run_experiment  # loaded here, as what simulates is large
        from planner.experiments.runs import Runs
        from planner.measured.measured_use import measured_use

        results, unusable = _opened(task.path)
        kept = OnlyKeptRuns()
        executor: Executor = self._make_executor() if task.makes_runs else kept
        try:
            runs = Runs(executor, results, self._count, lambda: self._is_stopped() or kept.is_short())
            known = None if task.measured is None else measured_use(task.plan, task.measured)
            answer = run_experiment(task.plan, task.experiment, runs, known)
            state = ExperimentState.STOPPED if runs.stopped else ExperimentState.DONE
            told = _told(answer)
            if kept.is_short() and not (answer.seeds and runs.known):
                state, told = ExperimentState.NEW, None  # nothing is known, and nothing to be said of it
            return _Found(Report(state, self._pace, told, task.plan, task.experiment), unusable or runs.unkept)
        finally:
            executor.close()
            results.close()

    def _count(self, done: int, total: int) -> None:
        self._pace = replace(self._pace, done=done, total=total)

    def _is_stopped(self) -> bool:
        if self._closing.is_set():
            raise _Closing
        return self._stop.is_set()

    # -- messages -----------------------------------------------------------------------------------

    def _drain(self) -> None:
        task = self._task
        if task is None:
            return
        if not self._messages.empty():
            self._end(task, self._messages.get_nowait())
            self._begin()
        elif task.makes_runs and self.report(task.experiment.name).pace != self._pace:
            self._put(task.experiment.name, replace(self.report(task.experiment.name), pace=self._pace))

    def _end(self, task: _Task, found: _Found) -> None:
        self._timer.stop()
        if self._thread is not None:
            self._thread.join()
            QUICK_SWITCHING.end()
        self._thread = self._task = None
        name, report = task.experiment.name, found.report
        if not task.makes_runs and (report.answer is None or self._stop.is_set()):
            self.changed.emit(name)
            return  # what is shown stays, and is marked as older than the plan
        before = self.report(name)
        if report.failure is not None and before.answer is not None:
            report = replace(before, state=ExperimentState.FAILED, failure=report.failure)
        self._put(name, report)
        if found.unkept is not None:
            self.unkept.emit(found.unkept)
        if task.makes_runs:
            self.ended.emit(name)
            if report.failure is not None:
                self.failed.emit(report.failure)

    def _put(self, name: str, report: Report) -> None:
        self._reports[name] = report
        self.changed.emit(name)


def _follows_measured(experiment: Experiment) -> bool:
    return isinstance(experiment, Rightsize) and experiment.use is UseSource.MEASURED


def _told(answer: ExperimentAnswer) -> ExperimentAnswer | None:
    """None for an answer that rests on nothing."""
    return answer if answer.seeds or answer.figures or answer.more else None


def _opened(path: Path) -> tuple[ResultsFile, ResultFileError | None]:
    """The file of results; where that cannot be used, one in memory, and why."""
    try:
        return ResultsFile(path, __version__), None
    except ResultFileError as error:
        return ResultsFile(None, __version__), error


def _process_pool() -> Executor:
    from planner.experiments.execution.process_pool import ProcessPool, usable_processors

    return ProcessPool(usable_processors())
