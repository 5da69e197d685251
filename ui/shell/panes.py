"""Panes of a run that can be torn off into windows of their own, for a second screen; what was torn off is kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QPushButton, QSplitter, QTabWidget, QVBoxLayout, QWidget

from ui.process.settings import WindowSettings
from ui.widgets.lent_keys import lend_keys

_FIRST_WIDTH_PX, _FIRST_HEIGHT_PX = 960, 640
_MARGIN_PX = 8


class Home(Protocol):
    """Where a pane is while it is not torn off."""

    def leave(self, pane: QWidget) -> None:
        """The pane goes to a window."""

    def come_back(self, pane: QWidget) -> None:
        """The pane takes its place again."""


@dataclass(frozen=True)
class Pane:
    """A part of the window that can have one of its own."""

    key: str
    """Its name in the settings."""
    title: str
    widget: QWidget
    home: Home
    head: QWidget | None = None
    """Tools that are elsewhere at home, and above the pane in its window."""


class PaneWindow(QWidget):
    """One torn-off pane. Its keys are those of the main window; closing it brings the pane back."""

    closed = Signal()

    def __init__(self, pane: Pane, window: QWidget) -> None:
        super().__init__(window, Qt.WindowType.Window)
        self.setObjectName("paneWindow")
        self._title = pane.title
        self._show_name(window.windowTitle())
        window.windowTitleChanged.connect(self._show_name)
        self.resize(_FIRST_WIDTH_PX, _FIRST_HEIGHT_PX)
        down = QVBoxLayout(self)
        down.setContentsMargins(_MARGIN_PX, _MARGIN_PX, _MARGIN_PX, _MARGIN_PX)
        if pane.head is not None:
            down.addWidget(pane.head, 0, Qt.AlignmentFlag.AlignRight)
        down.addWidget(pane.widget, 1)
        lend_keys(window, self)

    def _show_name(self, of_plan: str) -> None:
        """The plan tells torn-off panes of several windows apart; only a main window is named Headroom."""
        self.setWindowTitle(f"{self._title} – {of_plan.partition('[*]')[0]}")

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()


class TabHome(QObject):
    """Tabs: a torn-off one keeps its place, where a button brings it back, so that the others do not shift."""

    wanted_back = Signal(QWidget)

    def __init__(self, tabs: QTabWidget) -> None:
        super().__init__(tabs)
        self._tabs = tabs
        self._away: dict[QWidget, QWidget] = {}

    def leave(self, pane: QWidget) -> None:
        self._away[pane] = self._note(pane)
        self._swap(pane, self._away[pane])

    def come_back(self, pane: QWidget) -> None:
        note = self._away.pop(pane)
        self._swap(note, pane)
        note.deleteLater()

    def _swap(self, old: QWidget, new: QWidget) -> None:
        place, current = self._tabs.indexOf(old), self._tabs.currentIndex()
        name = self._tabs.tabText(place)
        self._tabs.insertTab(place, new, name)
        self._tabs.removeTab(place + 1)
        self._tabs.setCurrentIndex(current)

    def _note(self, pane: QWidget) -> QWidget:
        note, back = QWidget(), QPushButton(self.tr("&Bring it back"))
        text = QLabel(self.tr("This view is in a window of its own."))
        text.setProperty("muted", True)
        back.clicked.connect(partial(self.wanted_back.emit, pane))
        down, across = QVBoxLayout(note), QHBoxLayout()
        for part in (text, back):
            across.addWidget(part)
        across.insertStretch(0, 1)
        across.addStretch(1)
        down.addStretch(1)
        down.addLayout(across)
        down.addStretch(1)
        return note


class SplitterHome:
    """A place in a splitter, whose other parts take the room of a pane that is away."""

    def __init__(self, splitter: QSplitter) -> None:
        self._splitter, self._sizes = splitter, splitter.sizes()

    def leave(self, pane: QWidget) -> None:
        self._sizes = self._splitter.sizes()

    def come_back(self, pane: QWidget) -> None:
        self._splitter.addWidget(pane)
        self._splitter.setSizes(self._sizes)


class Panes(QObject):
    """Which panes are torn off."""

    changed = Signal()

    def __init__(self, panes: Sequence[Pane], parent: QWidget) -> None:
        super().__init__(parent)
        self._owner = parent
        self.windows: dict[str, PaneWindow] = {}
        """Those that are torn off, by key."""
        self._panes = {pane.key: pane for pane in panes}
        self._geometry: dict[str, QByteArray] = {}
        self.actions_ = {pane.key: self._action(pane) for pane in panes}

    def _action(self, pane: Pane) -> QAction:
        action = QAction(pane.title, self)
        action.setCheckable(True)
        action.toggled.connect(lambda on: self.tear_off(pane.key) if on else self.bring_back(pane.key))
        return action

    def menu(self, parent: QWidget) -> QMenu:
        """A checkable entry for each pane."""
        menu = QMenu(self.tr("&Windows of their own"), parent)
        menu.addActions(list(self.actions_.values()))
        return menu

    def is_away(self, widget: QWidget) -> bool:
        """Whether this pane is torn off."""
        return any(self._panes[key].widget is widget for key in self.windows)

    def show_window_of(self, widget: QWidget) -> None:
        """Bring the window of a torn-off pane to the front."""
        for key, window in self.windows.items():
            if self._panes[key].widget is widget:
                window.raise_()
                window.activateWindow()

    def tear_off(self, key: str, *, is_active: bool = True) -> None:
        """Give a pane a window, where its last one was. Only an active one takes the keyboard."""
        if key in self.windows:
            return
        pane = self._panes[key]
        pane.home.leave(pane.widget)
        window = self.windows[key] = PaneWindow(pane, self._owner.window())
        window.closed.connect(partial(self.bring_back, key))
        window.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating, not is_active)
        if key in self._geometry:
            window.restoreGeometry(self._geometry[key])
        self.actions_[key].setChecked(True)
        for part in (pane.head, pane.widget):
            if part is not None:
                part.show()
        window.show()
        self.changed.emit()

    def bring_back(self, key: str) -> None:
        """Close the window of a pane and show the pane where it was."""
        window = self.windows.pop(key, None)
        if window is None:
            return
        pane = self._panes[key]
        self._geometry[key] = window.saveGeometry()
        pane.home.come_back(pane.widget)
        self.actions_[key].setChecked(False)
        self.changed.emit()
        window.hide()
        window.deleteLater()

    def bring_back_widget(self, widget: QWidget) -> None:
        """The same, for the pane with this widget."""
        self.bring_back(next(key for key, pane in self._panes.items() if pane.widget is widget))

    def toggle_nth(self, place: int) -> None:
        """Tear off the pane with this position, or bring it back."""
        if 0 <= place < len(self._panes):
            list(self.actions_.values())[place].toggle()

    def bring_all_back(self) -> None:
        """As on the first start."""
        for key in list(self.windows):
            self.bring_back(key)

    def keep(self, settings: WindowSettings) -> None:
        """Remember what is torn off, and where."""
        for key in self._panes:
            window = self.windows.get(key)
            settings.keep_layout(f"pane-{key}", window.saveGeometry() if window is not None else QByteArray())

    def restore(self, settings: WindowSettings) -> None:
        """Tear off what was torn off when the window was left."""
        for key in self._panes:
            geometry = settings.layout(f"pane-{key}")
            if geometry:
                self._geometry[key] = geometry
                self.tear_off(key, is_active=False)
