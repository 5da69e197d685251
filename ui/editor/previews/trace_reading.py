"""Reads a recorded load in a thread of its own: a long one takes a second."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from planner import api
from planner.errors import PlanProblem
from planner.plan.model.traffic import TraceLoad
from planner.plan.recordings.recording import ReadAs, gaps
from planner.plan.recordings.text import column_names
from ui.process.latest_work import LatestWork


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
    begins_at_us: int | None = None
    """Moment of the first value since 1970; None if the times do not say."""
    assumed: tuple[str, ...] = ()
    """How times and values were understood."""


class TraceReading(QObject):
    """Only the latest request counts."""

    done = Signal(object)
    """A ReadTrace."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = LatestWork("trace", self)

    def start(self, path: Path, how: ReadAs | None = None) -> None:
        """Read a file."""
        self._work.start(partial(read, path, how), self.done.emit)


def read(path: Path, how: ReadAs | None = None) -> ReadTrace:
    """The trace and the columns of a file, or what is wrong with it."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            columns = tuple(column_names(file.readline(65_536) or file.read(1)))
    except OSError:
        columns = ()
    try:
        trace, assumed, begins_at_us = api.read_trace(str(path), how)
    except PlanProblem as problem:
        return ReadTrace(columns, None, problem=problem)
    return ReadTrace(columns, trace, tuple(gaps(trace.points)), begins_at_us=begins_at_us, assumed=assumed)
