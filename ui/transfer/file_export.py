"""Writes files in a worker thread."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from planner.errors import ResultFileError
from ui.runs.thread.switching import QUICK_SWITCHING

Written = tuple[Path, int]
"""What was written, or the folder it is in; and how many files."""


class FileExport(QObject):
    """One export at a time; one that is broken off leaves everything as it was."""

    progressed = Signal(int, int)
    """Files written and files in all."""
    finished = Signal(Path, int)
    """See `Written`."""
    failed = Signal(object)
    """A ResultFileError, or any other exception."""
    cancelled = Signal()

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether files are being written."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self, work: Callable[[], Written]) -> None:
        """Do this in the thread; does nothing while another one is at work."""
        if not self.is_running:
            self._stop.clear()
            self._thread = threading.Thread(target=partial(self._work, work), name=self._name)
            self._thread.start()

    def cancel(self) -> None:
        """Break off at the next occasion."""
        self._stop.set()

    def shutdown(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()

    def check(self) -> None:
        """An occasion to break off; called in the thread."""
        if self._stop.is_set():
            raise _Cancelled

    def _work(self, work: Callable[[], Written]) -> None:  # other thread: signals only, which queue
        QUICK_SWITCHING.begin()
        try:
            written = work()
        except _Cancelled:
            self.cancelled.emit()
        except ResultFileError as error:
            self.failed.emit(error)
        except Exception as error:  # thread boundary: the window reports the error
            self.failed.emit(error)
        else:
            self.finished.emit(*written)
        finally:
            QUICK_SWITCHING.end()


class _Cancelled(Exception):
    """Breaks off between two pieces of a file, or between two files."""
