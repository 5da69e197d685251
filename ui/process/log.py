"""The log file in the user's folder: Python's warnings and errors, Qt's messages, crashes of the interpreter."""

import contextlib
import faulthandler
import logging
import logging.handlers
from pathlib import Path
from typing import TextIO

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

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
        folder.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.RotatingFileHandler(
            file, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8"
        )
    except OSError:
        return None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    LOG.addHandler(handler)
    qInstallMessageHandler(_on_qt_message)
    with contextlib.suppress(OSError):
        _open.append((folder / "crash.log").open("a", encoding="utf-8"))
        faulthandler.enable(_open[-1])
    return file


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    LOG.log(_LEVELS.get(kind, logging.WARNING), "Qt: %s", text)
