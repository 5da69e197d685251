"""The search for headroom in a thread of its own, and what it has found so far."""

import queue
import threading
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from planner import api
from planner.api import LoadHeadroom, Plan, TriedLoad
from ui.runs.failure import RunFailure, failure_of
from ui.runs.thread.switching import QUICK_SWITCHING

_DRAIN_MS = 100
_DRAIN_SOON_MS = 20
"""Polling interval while a caller waits for the end."""


class SearchState(Enum):
    """How far a search is."""

    IDLE = auto()
    GOING = auto()
    FINISHED = auto()
    CANCELLED = auto()
    """By the user; what was found by then stays."""
    FAILED = auto()


@dataclass(frozen=True)
class TryNow:
    """The run that is going."""

    number: int = 0
    """From 1; 0 before the first has begun."""
    factor: float = 1.0
    done: float = 0.0
    """Share of its simulated time."""


@dataclass(frozen=True)
class _Failed:
    failure: RunFailure


_Message = TriedLoad | LoadHeadroom | _Failed


class HeadroomSearch(QObject):
    """One search at a time. Views read it on `changed`; it belongs to the plan it was started with."""

    changed = Signal()
    """Another state, another run, or a run is further on."""
    ended = Signal()
    failed = Signal(object)
    """A RunFailure: where, problem, remedy."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = SearchState.IDLE
        self.plan: Plan | None = None
        """The plan that is or was searched."""
        self.now = TryNow()
        self.tried: tuple[TriedLoad, ...] = ()
        """Runs that came to their end, in their order."""
        self.found: LoadHeadroom | None = None
        """When the search has ended."""
        self._stop = threading.Event()
        self._progress = TryNow()
        self._messages: queue.SimpleQueue[_Message] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._timer = QTimer(self, interval=_DRAIN_MS)
        self._timer.timeout.connect(self._drain)

    @property
    def is_running(self) -> bool:
        """More may come."""
        return self.state is SearchState.GOING

    def start(self, plan: Plan) -> None:
        """Search the plan's headroom; a running search is cancelled first."""
        self.shutdown()
        self._stop, self._messages = threading.Event(), queue.SimpleQueue()
        self.plan, self.tried, self.found = plan, (), None
        self.now = self._progress = TryNow()
        QUICK_SWITCHING.begin()
        self._thread = threading.Thread(target=self._work, args=(plan,), name="headroom", daemon=True)
        self._set_state(SearchState.GOING)
        self._thread.start()
        self._timer.start(_DRAIN_MS)

    def cancel(self) -> None:
        """Cancel; what was found is kept."""
        self._stop.set()
        if self.is_running:
            self._timer.start(_DRAIN_SOON_MS)

    def forget(self) -> None:
        """The plan it belongs to is gone."""
        self.shutdown()
        self.plan, self.tried, self.found = None, (), None
        self._set_state(SearchState.IDLE)

    def shutdown(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._drain()

    # -- the thread: no Qt in here, and nothing escapes -----------------------------------------------

    def _work(self, plan: Plan) -> None:
        try:
            found = api.load_headroom(
                plan, on_progress=self._report, cancelled=self._stop.is_set, on_tried=self._messages.put
            )
            self._messages.put(found)
        except BaseException as error:  # thread boundary: the window reports any error
            self._messages.put(_Failed(failure_of(error)))

    def _report(self, number: int, factor: float, done: float) -> None:
        self._progress = TryNow(number, factor, done)

    # -- messages -----------------------------------------------------------------------------------

    def _drain(self) -> None:
        before, self.now = self.now, self._progress
        count = self._messages.qsize()
        for _ in range(count):
            self._take(self._messages.get_nowait())
        if count or self.now != before:
            self.changed.emit()

    def _take(self, message: _Message) -> None:
        match message:
            case TriedLoad():
                self.tried = (*self.tried, message)
            case LoadHeadroom():
                self._release()
                self.found = message
                if message.stopped is None or message.stopped.cancelled:
                    self._end(SearchState.FINISHED if message.stopped is None else SearchState.CANCELLED)
                else:
                    self._end(SearchState.FAILED, failure_of(message.stopped))
            case _Failed(failure):
                self._release()
                self._end(SearchState.FAILED, failure)

    def _end(self, state: SearchState, failure: RunFailure | None = None) -> None:
        self._set_state(state)
        self.ended.emit()
        if failure is not None:
            self.failed.emit(failure)

    def _release(self) -> None:
        self._timer.stop()
        if self._thread is not None:
            self._thread.join()
            QUICK_SWITCHING.end()
        self._thread = None

    def _set_state(self, state: SearchState) -> None:
        if state is not self.state:
            self.state = state
            self.changed.emit()
