"""Reads a recorded load in a thread of its own: a long one takes a second."""

import threading
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from planner import api
from planner.errors import PlanProblem
from planner.plan.trace_text import column_names, gaps
from planner.plan.traffic import TraceLoad


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


class TraceReading(QObject):
    """One file at a time; the newest wish counts."""

    done = Signal(object, int)
    """A ReadTrace, and the number of the wish."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.wish = 0
        self._threads: list[threading.Thread] = []

    def start(self, path: Path, time_column: str = "", value_column: str = "") -> None:
        """Read a file; answers to earlier wishes are to be ignored."""
        self.wish += 1
        work = (path, time_column, value_column, self.wish)
        thread = threading.Thread(target=self._work, args=work, name="trace", daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def shutdown(self) -> None:
        """Wait for what is being read."""
        for thread in self._threads:
            thread.join()

    def _work(self, path: Path, time_column: str, value_column: str, wish: int) -> None:
        """Other thread: signals only, which queue."""
        self.done.emit(read(path, time_column, value_column), wish)


def read(path: Path, time_column: str = "", value_column: str = "") -> ReadTrace:
    """The trace and the columns of a file, or what is wrong with it."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            columns = tuple(column_names(file.readline(65_536) or file.read(1)))
    except OSError:
        columns = ()
    try:
        trace = api.read_trace(str(path), time_column, value_column)
    except PlanProblem as problem:
        return ReadTrace(columns, None, problem=problem)
    return ReadTrace(columns, trace, tuple(gaps(trace.points)))
