"""Reads a recorded load in a thread of its own: a long one takes a second."""

import queue
import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from planner import api
from planner.errors import PlanProblem
from planner.plan.model.traffic import TraceLoad
from planner.plan.recordings.recording import ReadAs, gaps
from planner.plan.recordings.text import column_names

_LOOK_MS = 50


@dataclass(frozen=True)
class ReadTrace:
    """What a file holds."""

    columns: tuple[str, ...]
    """Names of the columns of a CSV file."""
    trace: TraceLoad | None
    """None if it cannot be read."""
    gaps: tuple[tuple[int, int], ...] = ()
    """Stretches without values, microseconds since the start of the trace."""
    problem: PlanProblem | None = None
    assumed: tuple[str, ...] = ()
    """How times and values were understood."""


class TraceReading(QObject):
    """Only the latest request counts; results of earlier ones are dropped."""

    done = Signal(object)
    """A ReadTrace."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wish = 0
        self._answers: queue.SimpleQueue[tuple[int, ReadTrace]] = queue.SimpleQueue()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def start(self, path: Path, how: ReadAs | None = None) -> None:
        """Read a file."""
        self._wish += 1
        work = (self._answers, self._wish, path, how)
        threading.Thread(target=_work, args=work, name="trace", daemon=True).start()
        self._timer.start()

    def _look(self) -> None:
        while not self._answers.empty():
            wish, answer = self._answers.get_nowait()
            if wish == self._wish:
                self._timer.stop()
                self.done.emit(answer)


def _work(answers: "queue.SimpleQueue[tuple[int, ReadTrace]]", wish: int, path: Path, how: ReadAs | None) -> None:
    """Runs in the thread; uses no Qt, so that the window never waits for it."""
    answers.put((wish, read(path, how)))


def read(path: Path, how: ReadAs | None = None) -> ReadTrace:
    """The trace and the columns of a file, or what is wrong with it."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            columns = tuple(column_names(file.readline(65_536) or file.read(1)))
    except OSError:
        columns = ()
    try:
        trace, assumed = api.read_trace(str(path), how)
    except PlanProblem as problem:
        return ReadTrace(columns, None, problem=problem)
    return ReadTrace(columns, trace, tuple(gaps(trace.points)), assumed=assumed)
