"""Keys of the main window in windows beside it."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget


def lend_keys(window: QWidget, other: QWidget) -> None:
    """What a key of this window does, it does while the other one has the focus, too."""
    for action in window.findChildren(QAction):
        is_for_window = action.shortcuts() and action.shortcutContext() is Qt.ShortcutContext.WindowShortcut
        if is_for_window and not _is_of_another(action.parent(), window):
            other.addAction(action)


def _is_of_another(owner: QObject | None, window: QWidget) -> bool:
    """Whether it belongs to a window beside this one, such as that of the help, whose keys mean something else."""
    is_window = isinstance(owner, QWidget) and owner.isWindow() and not isinstance(owner, QMenu)
    return is_window and owner is not window
