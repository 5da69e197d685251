"""Keeps Qt for Python from reading the source of every module that is imported after it.

It looks there for a use of `__feature__` (names of Qt in snake_case), which nothing here makes. What it has read stays
in memory as lines of text: 30 MiB of the modules of the window.
"""

import sys


def stop_source_reading() -> None:
    """Before the modules of the window are imported. Raises ImportError where Qt cannot be loaded."""
    import PySide6.QtCore  # noqa: F401  which brings what reads

    reader, look = sys.modules.get("shibokensupport.feature"), "_mod_uses_pyside"
    if hasattr(reader, look):  # of Qt for Python 6.11; another version may go about it otherwise
        setattr(reader, look, lambda _module: False)
