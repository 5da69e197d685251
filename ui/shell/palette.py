"""One search over everything: fields, objects, and what the menus offer."""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QMenu, QMenuBar, QVBoxLayout

from ui.editor.finding.finder import PlanFinder
from ui.editor.finding.matching import DOT

_WIDTH_PX, _TOP_PX = 620, 90


class Palette(QDialog):
    """Ctrl+K: a line at the top of the window; Enter goes there or does it, Esc closes."""

    def __init__(self, finder: PlanFinder, bar: QMenuBar) -> None:
        window = bar.window()
        super().__init__(window, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        self.setWindowTitle(self.tr("Find"))
        self.finder, self._bar = finder, bar
        finder.more = self.actions_of_menus
        finder.found.connect(self.accept)
        finder.left.connect(self.reject)
        down = QVBoxLayout(self)
        down.setContentsMargins(6, 6, 6, 6)
        down.addWidget(finder)

    def open_above(self) -> None:
        """Show the line above the window's middle, empty."""
        window = self._bar.window()
        self.resize(_WIDTH_PX, self.sizeHint().height())
        corner = window.mapToGlobal(window.rect().topLeft())
        self.move(corner.x() + (window.width() - self.width()) // 2, corner.y() + _TOP_PX)
        self.finder.clear()
        self.show()
        self.activateWindow()
        self.finder.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        is_left = event.type() is QEvent.Type.ActivationChange and not self.isActiveWindow()
        if is_left and not _is_popup_of(self.finder):
            self.reject()

    def actions_of_menus(self) -> Iterator[tuple[str, QAction]]:
        """What the menus offer now, with the words to find it by."""
        for top in self._bar.actions():
            yield from _entries(top, "")


def _entries(action: QAction, above: str) -> Iterator[tuple[str, QAction]]:
    """What can be done now, with the names of the menus above."""
    words = f"{above}{DOT}{_plain(action.text())}" if above else _plain(action.text())
    below = action.menu()
    if isinstance(below, QMenu):
        below.aboutToShow.emit()  # some are filled when they open
        for entry in below.actions():
            yield from _entries(entry, words)
    elif action.isEnabled() and action.text():
        yield words, action


def _plain(text: str) -> str:
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def _is_popup_of(finder: PlanFinder) -> bool:
    completer = finder.completer()
    popup = None if completer is None else completer.popup()
    return popup is not None and popup.isVisible()
