"""Starts the program again, with a window and a plan of its own. Knows no Qt, as the start does not."""

import subprocess
import sys

NEW_WINDOW = "--new-window"
"""First word of a start that does not hand its plan over to a window that is open already."""


def open_another_window() -> None:
    """The new process goes on when this one ends. Raises OSError."""
    words = [NEW_WINDOW] if getattr(sys, "frozen", False) else ["-m", "ui.launch", NEW_WINDOW]
    subprocess.Popen([sys.executable, *words], stdin=subprocess.DEVNULL, start_new_session=True)
