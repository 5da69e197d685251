"""Keys of the main window in windows beside it."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget


def lend_keys(window: QWidget, other: QWidget) -> None:
    """What a key of this window does, it does while the other one has the focus, too."""
    for action in window.findChildren(QAction):
        if action.shortcuts() and action.shortcutContext() is Qt.ShortcutContext.WindowShortcut:
            other.addAction(action)
