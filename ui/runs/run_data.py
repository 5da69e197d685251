"""What one run has recorded so far."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from planner.api import Plan, RunResult
from planner.record.autoscaler_status import AutoscalerStatus
from planner.record.decisions import Decision
from planner.record.history import ClusterHistory
from planner.record.series import SeriesStore
from planner.record.text.latency_bounds import LatencyBounds
from planner.units import US_PER_S
from ui.runs.messages import RunChunk, RunStarted

Floats = NDArray[np.float64]
_FIRST_CAPACITY = 256
_DECISION_BYTES, _POD_BYTES = 800, 100
"""Measured: a decision with its details, and a row of the table of pods."""


class RunState(Enum):
    """How far a run is."""

    IDLE = auto()
    RUNNING = auto()
    PAUSED = auto()
    FINISHED = auto()
    STOPPED = auto()
    FAILED = auto()

    @property
    def is_live(self) -> bool:
        """More may come."""
        return self in (RunState.RUNNING, RunState.PAUSED)


class RunData(QObject):
    """Series and decisions of one run; only grows. Lives in the window's thread and is read-only for views."""

    appended = Signal()
    state_changed = Signal()
    repeated = Signal(object)
    """Rows (list of int) of decisions whose count of repeats grew; comes before `appended`."""
    history_changed = Signal()

    def __init__(self, number: int, label: str, plan: Plan, seed: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.number, self.label, self.plan, self.seed = number, label, plan, seed
        self.state = RunState.IDLE
        self.done_us, self.until_us = 0, plan.simulation.duration
        self.plan_number = 0
        """Runs of the same open plan, whatever was edited in between, have the same number."""
        self.event_count = 0
        """Events handled so far."""
        self.names: tuple[str, ...] = ()
        self.result: RunResult | None = None
        self.history: ClusterHistory | None = None
        """Nodes and pods over time; of a run under way as it was a moment ago, and only while it is wanted."""
        self._decisions: list[Decision] = []
        self._statuses: list[AutoscalerStatus] = []
        self.rows: dict[str, int] = {}
        """Series names with their positions in `names`."""
        self._of_subjects: dict[str, Mapping[str, int]] = {}
        self._bounds: LatencyBounds | None = None
        self._count = 0
        self._time_s = np.empty(0)
        self._store = SeriesStore()

    @property
    def decisions(self) -> Sequence[Decision]:
        """All decisions so far, in order."""
        return self._decisions

    @property
    def statuses(self) -> Sequence[AutoscalerStatus]:
        """What the Cluster Autoscaler said of itself so far, whenever that changed."""
        return self._statuses

    @property
    def time_s(self) -> Floats:
        """Times of the series in simulated seconds; a read-only view."""
        return _read_only(self._time_s[: self._count])

    def series(self, name: str) -> Floats:
        """Values of one series, one per time; read-only. Raises KeyError for an unknown name."""
        return _read_only(self._store[name])

    def parts(self, columns: NDArray[np.intp], begin: int, end: int) -> Floats:
        """Several series, given by their positions in `names`, from one time to before another: one row per series.

        Cheap for the newest times, however many series there are.
        """
        return self._store.parts(columns, begin, end)

    def value(self, name: str, position: int) -> float:
        """One value of a series. Raises KeyError for an unknown name, IndexError beyond the last value."""
        return self._store.value(name, position)

    def across(self, columns: NDArray[np.intp], position: int) -> Floats:
        """Values of several series, given by their positions in `names`, at one time; for views that show many."""
        return self._store.across(columns, position)

    def of_subjects(self, series: str) -> Mapping[str, int]:
        """Subjects that have a series, such as workloads with latencies, with its positions in `names`."""
        if series not in self._of_subjects:
            start = f"{series}["
            found = {name[len(start) : -1]: row for name, row in self.rows.items() if name.startswith(start)}
            self._of_subjects[series] = found
        return self._of_subjects[series]

    @property
    def latency_bounds(self) -> LatencyBounds:
        """What no latency of the run exceeds."""
        if self._bounds is None:
            self._bounds = LatencyBounds.of(self.plan, self.until_us)
        return self._bounds

    @property
    def weight_bytes(self) -> int:
        """About how much memory the run holds."""
        pods = len(self.result.pods) if self.result is not None else 0
        return self._store.memory_bytes + _DECISION_BYTES * len(self._decisions) + _POD_BYTES * pods

    # -- for the controller alone -----------------------------------------------------------------

    def begin(self, message: RunStarted) -> None:
        """The names of the series are known."""
        self.names, self.until_us = message.names, message.until_us
        self.rows = {name: row for row, name in enumerate(message.names)}
        self._of_subjects, self._bounds = {}, None
        self._store = SeriesStore(message.names)

    def append(self, chunk: RunChunk) -> None:
        """Take over what is new."""
        self.done_us, self.event_count = chunk.done_us, chunk.event_count
        self._grow(self._count + len(chunk.time_us))
        end = self._count + len(chunk.time_us)
        self._time_s[self._count : end] = chunk.time_us / US_PER_S
        self._store.extend(chunk.values)
        self._count = end
        for row, decision in chunk.repeats:
            self._decisions[row] = decision
        if chunk.repeats:
            self.repeated.emit([row for row, _ in chunk.repeats])
        self._decisions.extend(chunk.decisions)
        self._statuses.extend(chunk.statuses)
        self.appended.emit()
        if chunk.history is not None:
            self._take_history(chunk.history)

    def _take_history(self, history: ClusterHistory | None) -> None:
        self.history = history
        self.history_changed.emit()

    def finish(self, result: RunResult, state: RunState) -> None:
        """The run is over; the buffers give way to the result's own arrays."""
        self.result, self.done_us = result, result.until_us
        self._count = len(result.time_us)
        self._time_s, self._store = result.time_us / US_PER_S, result.series
        self._take_history(result.history)
        self.set_state(state)

    def set_state(self, state: RunState) -> None:
        """Tell views of another state."""
        if state is not self.state:
            self.state = state
            self.state_changed.emit()

    def _grow(self, count: int) -> None:
        if count <= len(self._time_s):
            return
        time_s = np.empty(max(_FIRST_CAPACITY, 2 * len(self._time_s), count))
        time_s[: self._count] = self._time_s[: self._count]
        self._time_s = time_s


def _read_only(view: Floats) -> Floats:
    view = view.view()
    view.flags.writeable = False
    return view
