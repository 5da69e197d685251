"""Starts the program again, with a window and a plan of its own."""

import sys

from PySide6.QtCore import QProcess

from ui.launch import NEW_WINDOW


def open_another_window() -> bool:
    """Whether it could be started."""
    words = [NEW_WINDOW] if getattr(sys, "frozen", False) else ["-m", "ui.launch", NEW_WINDOW]
    return QProcess.startDetached(sys.executable, words)[0]
