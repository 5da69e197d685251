"""Unexpected errors: logged, reported in the window with a text to copy, the plan saved as a recovery copy."""

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable
from types import TracebackType

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, qVersion

from planner import __version__
from ui.process.log import LOG

_MOST_IN_A_SESSION = 20
"""An error in a paint routine recurs with every repaint."""


class CrashReports(QObject):
    """Handles uncaught exceptions of all threads, each reported once."""

    reported = Signal(str)
    """A report to show and copy; always in the thread of the window."""
    _raised = Signal(str)

    def __init__(self, keep_plan_safe: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keep_plan_safe = keep_plan_safe
        self._reported: set[str] = set()
        self._logged: set[str] = set()
        self._raised.connect(self._report, Qt.ConnectionType.QueuedConnection)

    def install(self) -> None:
        """Install the exception hooks."""
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        sys.unraisablehook = lambda what: LOG.warning("unraisable: %r in %r", what.exc_value, what.object)

    @staticmethod
    def uninstall() -> None:
        """Restore Python's exception hooks."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        sys.unraisablehook = sys.__unraisablehook__

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        text = "".join(traceback.format_exception(kind, error, trace))
        if text not in self._logged and len(self._logged) < _MOST_IN_A_SESSION:
            self._logged.add(text)
            LOG.log(logging.ERROR, "unexpected error\n%s", text)
            sys.__excepthook__(kind, error, trace)
        self._raised.emit(text)

    def _on_thread_exception(self, what: threading.ExceptHookArgs) -> None:
        if what.exc_value is not None and what.exc_type is not SystemExit:
            self._on_exception(what.exc_type, what.exc_value, what.exc_traceback)

    def _report(self, text: str) -> None:
        self._keep_plan_safe()
        if text not in self._reported and len(self._reported) < _MOST_IN_A_SESSION:
            self._reported.add(text)
            self.reported.emit(report(text))


def report(details: str) -> str:
    """What a developer needs to know; contains nothing from the plan."""
    return "\n".join(
        (
            f"Headroom {__version__}",
            f"Python {platform.python_version()}, PySide6 {PySide6.__version__}, Qt {qVersion()}",
            f"{platform.platform()}",
            "",
            details,
        )
    )
