"""Writes the CSV report of a run in a worker thread."""

import threading
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from planner.errors import ResultFileError
from planner.record.result import RunResult
from planner.reports import write_all


class CsvExport(QObject):
    """One export at a time; one that is broken off leaves the folder as it was."""

    progressed = Signal(int, int)
    """Files written and files in all."""
    finished = Signal(Path, int)
    """The folder and how many files are in it."""
    failed = Signal(object)
    """A ResultFileError, or any other exception."""
    cancelled = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether files are being written."""
        return self._thread is not None and self._thread.is_alive()

    def start(self, result: RunResult, folder: Path) -> None:
        """Write the report into this folder; does nothing while another one is written."""
        if not self.is_running:
            self._stop.clear()
            self._thread = threading.Thread(target=self._work, args=(result, folder), name="csv-export")
            self._thread.start()

    def cancel(self) -> None:
        """Cancel; the folder stays as it was."""
        self._stop.set()

    def shutdown(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()

    def _work(self, result: RunResult, folder: Path) -> None:  # other thread: signals only, which queue
        try:
            written = write_all(result, folder, self._on_written, self._check)
        except _Cancelled:
            self.cancelled.emit()
        except ResultFileError as error:
            self.failed.emit(error)
        except Exception as error:  # thread boundary: the window reports the error
            self.failed.emit(error)
        else:
            self.finished.emit(folder, len(written))

    def _on_written(self, done: int, total: int) -> None:
        self.progressed.emit(done, total)
        if done < total:
            self._check()

    def _check(self) -> None:
        if self._stop.is_set():
            raise _Cancelled


class _Cancelled(Exception):
    """Breaks off between two pieces of a file, or between two files."""
