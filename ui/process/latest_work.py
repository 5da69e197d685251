"""Work beside the window of which only the latest request counts."""

import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer

from ui.runs.thread.switching import QUICK_SWITCHING

_LOOK_MS = 50
_T = TypeVar("_T")


class LatestWork(QObject):
    """Does one thing after the other in a thread; what comes of earlier ones is dropped."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._answers: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    def start(self, work: Callable[[], _T], done: Callable[[_T], object]) -> None:
        """Call `work` in a thread, where it may use no Qt, and `done` with its result in this one."""
        self._answers = queue.SimpleQueue()
        QUICK_SWITCHING.begin()
        threading.Thread(target=_work, args=(self._answers, work, done), name=self._name, daemon=True).start()
        self._timer.start()

    def forget(self) -> None:
        """Drop what comes of the work."""
        self._timer.stop()
        self._answers = queue.SimpleQueue()

    def _look(self) -> None:
        if not self._answers.empty():
            self._timer.stop()
            self._answers.get_nowait()()


def _work(
    answers: "queue.SimpleQueue[Callable[[], object]]", work: Callable[[], _T], done: Callable[[_T], object]
) -> None:
    """Runs in the thread; uses no Qt, so that the window never waits for it."""
    try:
        answers.put(partial(done, work()))
    except BaseException as error:  # thread boundary: the window reports any error
        answers.put(partial(_raise, error))
    finally:
        QUICK_SWITCHING.end()


def _raise(error: BaseException) -> None:
    raise error
