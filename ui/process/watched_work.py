"""One long piece of work beside the window, with its progress, which the user may cancel."""

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from planner.errors import PlannerError
from ui.runs.thread.switching import QUICK_SWITCHING

_LOOK_MS = 100
_T = TypeVar("_T")


class Cancelled(Exception):
    """The work is no longer wanted."""


class Watch:
    """What a piece of work reports to. Used from its thread; it knows no Qt."""

    def __init__(self) -> None:
        self.done, self.total = 0, 0
        self._stop = threading.Event()

    def show(self, done: int, total: int) -> None:
        """How much is done. Raises Cancelled if the rest is not wanted."""
        self.done, self.total = done, total
        if self._stop.is_set():
            raise Cancelled

    def is_cancelled(self) -> bool:
        """Whether the rest is not wanted."""
        return self._stop.is_set()

    def cancel(self) -> None:
        """The rest is not wanted."""
        self._stop.set()


class WatchedWork(QObject):
    """Does one thing at a time; beginning another one cancels it."""

    changed = Signal()
    """It begins, goes on or ends."""
    failed = Signal(object)
    """A PlannerError: place, problem, remedy."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self.what = ""
        """What is done now, in words; empty if nothing is."""
        self._watch = Watch()
        self._answers: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def is_running(self) -> bool:
        """Whether something is being done."""
        return bool(self.what)

    @property
    def share(self) -> float:
        """From 0 to 1: how much is done."""
        return min(1.0, self._watch.done / self._watch.total) if self._watch.total else 0.0

    def start(self, what: str, work: Callable[[Watch], _T], done: Callable[[_T], object]) -> None:
        """Call `work` in a thread, where it may use no Qt, and `done` with its result in this one."""
        self.cancel()
        self.what, self._watch, self._answers = what, Watch(), queue.SimpleQueue()
        watch, answers = self._watch, self._answers

        def go() -> None:  # no Qt in here, and nothing escapes
            try:
                answers.put(partial(done, work(watch)))
            except Cancelled:
                pass
            except PlannerError as error:
                answers.put(partial(self.failed.emit, error))
            except BaseException as error:  # thread boundary: the window reports any error
                answers.put(partial(_raise, error))
            finally:
                QUICK_SWITCHING.end()

        QUICK_SWITCHING.begin()
        threading.Thread(target=go, name=self._name, daemon=True).start()
        self._timer.start()
        self.changed.emit()

    def cancel(self) -> None:
        """What is being done is not wanted: nothing comes of it."""
        if self.is_running:
            self._watch.cancel()
            self._end()

    def _end(self) -> None:
        self._timer.stop()
        self.what = ""
        self.changed.emit()

    def _look(self) -> None:
        if self._answers.empty():
            self.changed.emit()
            return
        answer = self._answers.get_nowait()
        self._end()
        answer()


def _raise(error: BaseException) -> None:
    raise error
