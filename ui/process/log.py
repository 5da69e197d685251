"""The log file in the user's folder: Python's warnings and errors, Qt's messages, crashes of the interpreter."""

import contextlib
import faulthandler
import logging
import logging.handlers
import os
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from ui.process.folders import make_private

LOG = logging.getLogger("headroom")
_MAX_BYTES, _KEPT_FILES = 500_000, 2
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}
_open: list[TextIO] = []
"""Kept open for the interpreter's last words."""


def start_log(folder: Path) -> Path | None:
    """Log into `headroom.log` of this folder; None if it cannot be written, which stops nothing."""
    file = folder / "headroom.log"
    LOG.setLevel(logging.INFO)
    try:
        make_private(folder)
        handler = _PrivateFile(file, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8")
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)
    qInstallMessageHandler(_on_qt_message)
    with contextlib.suppress(OSError):
        _open.append(_private(folder / "crash.log"))
        faulthandler.enable(_open[-1])
    return file


class _PrivateFile(logging.handlers.RotatingFileHandler):
    """A log names files of the user, so only the user may read it."""

    def _open(self) -> TextIOWrapper:
        return _private(Path(self.baseFilename))


def _private(file: Path) -> TextIOWrapper:
    opened = open(file, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600))
    with contextlib.suppress(OSError):  # one that an earlier version made
        file.chmod(0o600)
    return opened


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    LOG.log(_LEVELS.get(kind, logging.WARNING), "Qt: %s", text)
