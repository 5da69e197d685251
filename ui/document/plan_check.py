"""What is wrong with the open plan: a small plan is checked at once, a large one in a thread of its own."""

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, QTimer, Signal

from planner.errors import PlanProblem, PlanProblems
from planner.plan.checks.validate import checks
from planner.plan.files.listed import listed
from planner.plan.hints.all_hints import find_hints
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan
from ui.runs.thread.switching import QUICK_SWITCHING

_LOOK_MS = 50
_PAUSE_MS = 150
"""A check begins after a pause in typing, when the window has shown the change: the two share one interpreter."""
_LARGE = 500
"""Rows of a plan, and pairs of a workload and a pool, that are checked in a few hundredths of a second."""
_MOST_HINTS = 1_000


@dataclass(frozen=True)
class Findings:
    """Problems of a plan and hints on it; of very many the first ones. Texts that are no values come first."""

    problems: tuple[PlanProblem, ...]
    """Those that keep the plan from being run."""
    more_problems: int
    """How many problems there are beside those."""
    hints: tuple[Hint, ...]
    more_hints: int

    @property
    def refusal(self) -> PlanProblems:
        """The problems as the error with which a run would end."""
        return PlanProblems(self.problems, self.more_problems)

    @property
    def first_place(self) -> str | None:
        """Where the first of them is."""
        found: tuple[PlanProblem | Hint, ...] = (*self.problems, *self.hints)
        return found[0].where if found else None


class PlanCheck(QObject):
    """Checks one plan after the other; what is found about an older one is dropped."""

    ended = Signal()
    """A large plan was checked."""

    def __init__(self, plan: Plan, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wish: Callable[[Findings], object] | None = None
        self._typed: tuple[tuple[PlanProblem, ...], int] = ((), 0)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._pause.timeout.connect(self._start)
        self.begin(plan)

    def begin(self, plan: Plan) -> None:
        """Check this plan from now on; an older wish for findings is taken back."""
        self._plan, self._is_large = plan, is_large(plan)
        self._findings: Findings | None = None
        self._wish = None
        self._stop.set()
        if self._is_large:
            self._pause.start()
        else:
            self._pause.stop()

    def keep_typed(self, problems: Iterable[PlanProblem]) -> None:
        """Texts that are no values of their fields; they are problems as those of the plan are."""
        self._typed = listed(problems)
        self._wish = None

    @property
    def findings(self) -> Findings | None:
        """What is wrong with plan and texts; None as long as a large plan is being checked."""
        found, (typed, more) = self.of_plan, self._typed
        if found is None or not typed:
            return found
        problems, more_of_plan = listed((*typed, *found.problems))
        return replace(found, problems=problems, more_problems=more + more_of_plan + found.more_problems)

    @property
    def of_plan(self) -> Findings | None:
        """What was found in the plan alone; None as long as a large plan is being checked."""
        if self._findings is None and not self._is_large:
            self._findings = find(self._plan)
        return self._findings

    def when_known(self, do: Callable[[Findings], object]) -> None:
        """Call `do` with what is found about this plan, now or once it is known. Only the latest wish counts."""
        findings = self.findings
        if findings is None:
            self._wish = do
        else:
            do(findings)

    def shutdown(self) -> None:
        """End the thread and wait for it."""
        self._wish = None
        self._pause.stop()
        self._stop.set()
        if self._thread is not None:
            self._release(self._thread)

    def _start(self) -> None:
        if self._thread is not None:
            return  # it ends soon, and then the next one begins
        self._stop, self._answers = threading.Event(), queue.SimpleQueue()
        work = (self._answers, self._plan, self._stop)
        self._thread = threading.Thread(target=_work, args=work, name="check", daemon=True)
        QUICK_SWITCHING.begin()
        self._thread.start()
        self._timer.start()

    def _look(self) -> None:
        if self._thread is None or self._answers.empty():
            return
        answer = self._answers.get_nowait()
        self._release(self._thread)
        if isinstance(answer.found, Findings) and answer.plan is self._plan:
            self._findings = answer.found
            self.ended.emit()
            self._grant()
        elif isinstance(answer.found, BaseException):
            raise answer.found
        elif self._is_large and not self._pause.isActive():
            self._start()

    def _grant(self) -> None:
        wish, self._wish = self._wish, None
        if wish is not None and self.findings is not None:
            wish(self.findings)

    def _release(self, thread: threading.Thread) -> None:
        self._timer.stop()
        thread.join()
        QUICK_SWITCHING.end()
        self._thread = None


@dataclass(frozen=True)
class _Answer:
    plan: Plan
    found: Findings | BaseException | None
    """None if it was stopped."""


class _StoppedError(Exception):
    pass


def _work(answers: "queue.SimpleQueue[_Answer]", plan: Plan, stop: threading.Event) -> None:
    """Runs in the thread; uses no Qt, so that the window never waits for it."""
    try:
        answers.put(_Answer(plan, find(plan, stop.is_set)))
    except _StoppedError:
        answers.put(_Answer(plan, None))
    except BaseException as error:  # thread boundary: the window reports any error
        answers.put(_Answer(plan, error))


def is_large(plan: Plan) -> bool:
    """Whether a check takes long enough to be felt."""
    rows = sum(len(part) for name in Plan.model_fields if isinstance(part := getattr(plan, name), tuple))
    return rows + (len(plan.workloads) + len(plan.overprovisioning)) * len(plan.node_groups) > _LARGE


def find(plan: Plan, is_stopped: Callable[[], bool] = lambda: False) -> Findings:
    """Check a plan."""
    problems, more_problems = listed(_problems(plan, is_stopped))
    hints, more_hints = list[Hint](), 0
    for hint in find_hints(plan):
        if is_stopped():
            raise _StoppedError
        if len(hints) < _MOST_HINTS:
            hints.append(hint)
        else:
            more_hints += 1
    return Findings(problems, more_problems, tuple(hints), more_hints)


def _problems(plan: Plan, is_stopped: Callable[[], bool]) -> Iterator[PlanProblem]:
    for check in checks(plan):
        if is_stopped():
            raise _StoppedError
        yield from check
