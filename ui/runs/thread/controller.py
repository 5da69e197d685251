"""The only code that knows there is a thread: starts runs in it and passes on their messages."""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress
from time import thread_time

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from planner import api
from planner.api import Plan, RunResult
from ui.runs.failure import failure_of
from ui.runs.labels import ChangeWords, as_in_the_file, run_label
from ui.runs.messages import Message, RunChunk, RunFailed, RunFinished, RunPaused, RunStarted
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.runs.thread.pace import Pace
from ui.runs.thread.switching import QUICK_SWITCHING

DRAIN_MS, _MOST_MS = 100, 500
_SHARE = 0.03
"""Of the interpreter, which runs one thread at a time, the window takes so much from a run, while messages can wait."""
_DRAIN_SOON_MS = 20
"""Polling interval while a caller waits for the end of a run."""


class RunController(QObject):
    """One run at a time."""

    state_changed = Signal()
    failed = Signal(object)
    """A RunFailure: where, problem, remedy."""
    _ended = Signal()
    """From the run's thread: its last message is there, and need not wait for its turn."""

    def __init__(self, session: RunSession, parent: QObject | None = None, words: ChangeWords = as_in_the_file) -> None:
        """`words` name the changes that a run is called after."""
        super().__init__(parent)
        self._session, self._words = session, words
        self._messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._pace: Pace | None = None
        self._run: RunData | None = None
        self._speed: float | None = None
        self._copies_history = False
        self._spent_s = 0.0
        """Processor time of the window when messages were last read."""
        self._timer = QTimer(self, interval=DRAIN_MS)
        self._timer.timeout.connect(self._drain)
        self._ended.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    @property
    def state(self) -> RunState:
        """State of the run started last."""
        return self._run.state if self._run is not None else RunState.IDLE

    @property
    def run(self) -> RunData | None:
        """The run started last."""
        return self._run

    @property
    def speed(self) -> float | None:
        """Simulated seconds per wall second; None is as fast as it goes."""
        return self._speed

    def start(self, plan: Plan, seed: int | None = None, paused: bool = False) -> None:
        """Run a plan; one that still runs is stopped first."""
        self.shutdown()
        seed = plan.simulation.seed if seed is None else seed
        number = self._session.next_number()
        self._run = RunData(number, run_label(self._session.runs, plan, seed, number, self._words), plan, seed)
        self._messages = queue.SimpleQueue()
        self._pace = Pace(self._messages.put, self._messages.empty, self._speed)
        self._pace.copy_history(self._copies_history)
        if paused:
            self._pace.pause()
        QUICK_SWITCHING.begin()
        work = (plan, seed, self._pace, self._messages, self._ended.emit)
        self._thread = threading.Thread(target=_work, args=work, name=f"run-{number}", daemon=True)
        self._set_state(RunState.PAUSED if paused else RunState.RUNNING)
        self._session.add(self._run)
        self._thread.start()
        self._spent_s = thread_time()
        self._timer.start(DRAIN_MS)

    def pause(self) -> None:
        """Pause the run before its next instant."""
        if self._pace is not None and self.state is RunState.RUNNING:
            self._pace.pause()
            self._set_state(RunState.PAUSED)

    def resume(self) -> None:
        """Resume."""
        if self._pace is not None and self.state is RunState.PAUSED:
            self._pace.resume()
            self._set_state(RunState.RUNNING)

    def step(self) -> None:
        """To the end of the next instant with a control-loop tick or a scheduling decision; then paused."""
        if self._pace is not None and self.state.is_live:
            self._pace.step()
            self._set_state(RunState.PAUSED)

    def stop(self) -> None:
        """End the run; what it has recorded is kept."""
        if self._pace is not None and self.state.is_live:
            self._pace.stop()
            self._timer.start(_DRAIN_SOON_MS)

    def set_speed(self, factor: float | None) -> None:
        """Simulated seconds per wall second; None is as fast as it goes."""
        self._speed = factor
        if self._pace is not None:
            self._pace.set_speed(factor)

    def copy_history(self, on: bool) -> None:
        """Whether a run under way hands on its nodes and pods: a copy costs it some milliseconds."""
        self._copies_history = on
        if self._pace is not None:
            self._pace.copy_history(on)

    def shutdown(self) -> None:
        """Stop the run, if any, and wait for its thread."""
        if self._thread is not None and self._pace is not None:
            self._pace.stop()
            self._thread.join()
            self._drain()

    # -- messages ---------------------------------------------------------------------------------

    def _drain(self) -> None:
        """Read what has come; what comes while it is shown waits for the next time, so that all is shown once."""
        for _ in range(self._messages.qsize()):
            self._take(self._messages.get_nowait())
        last_s, self._spent_s = self._spent_s, thread_time()
        if self._timer.isActive() and self._timer.interval() != _DRAIN_SOON_MS:
            self._timer.setInterval(drain_after_ms(self._spent_s - last_s))

    def _take(self, message: Message) -> None:
        run = self._run
        assert run is not None
        match message:
            case RunStarted():
                run.begin(message)
            case RunChunk():
                run.append(message)
            case RunPaused():
                self.state_changed.emit()
            case RunFinished(result):
                self._end(run, result)
            case RunFailed(failure):
                self._release()
                self._set_state(RunState.FAILED)
                self.failed.emit(failure)

    def _end(self, run: RunData, result: RunResult) -> None:
        self._release()
        run.finish(result, RunState.FINISHED if result.stopped is None else RunState.STOPPED)
        self.state_changed.emit()
        if result.stopped is not None and not result.stopped.cancelled:
            self.failed.emit(failure_of(result.stopped))

    def _release(self) -> None:
        """The thread has sent its last message."""
        self._timer.stop()
        if self._thread is not None:
            self._thread.join()
            QUICK_SWITCHING.end()
        self._thread = self._pace = None

    def _set_state(self, state: RunState) -> None:
        if self._run is not None and state is not self._run.state:
            self._run.set_state(state)
            self.state_changed.emit()


def drain_after_ms(spent_s: float) -> int:
    """When messages are read again, if the window has worked so long since they were read before."""
    return round(min(max(1000.0 * spent_s / _SHARE, DRAIN_MS), _MOST_MS))


def _work(
    plan: Plan, seed: int, pace: Pace, messages: "queue.SimpleQueue[Message]", ended: Callable[[], object]
) -> None:
    """The run's own thread: no Qt in here but the signal of the end, and nothing escapes."""
    try:
        result = api.run_plan(plan, seed=seed, cancelled=pace.is_stopped, watch=pace)
        pace.last_words()
        messages.put(RunFinished(result))
    except BaseException as error:  # thread boundary: the window reports any error
        messages.put(RunFailed(failure_of(error)))
    with suppress(RuntimeError):  # the window is gone
        ended()
