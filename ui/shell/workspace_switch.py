"""The switch between workspaces: a button and a key for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget


@dataclass(frozen=True)
class Space:
    """A workspace."""

    name: str
    key: Qt.Key
    about: str
    page: QWidget


class WorkspaceSwitch(QObject):
    """Checkable actions, of which the one of the shown workspace is on."""

    wanted = Signal(QWidget)

    def __init__(self, spaces: Sequence[Space], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.spaces = tuple(spaces)
        self._group = QActionGroup(self)
        self.actions_ = [self._action(space) for space in self.spaces]
        self.bar = self._buttons()

    def _action(self, space: Space) -> QAction:
        action = QAction(space.name, self._group)
        action.setCheckable(True)
        action.setShortcut(QKeySequence(space.key))
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(self.tr("{about} ({keys})").format(about=space.about, keys=keys))
        action.triggered.connect(partial(self.wanted.emit, space.page))
        return action

    def show_page(self, page: QWidget | None) -> None:
        """Mark the workspace that is shown; a page that is none marks none."""
        for space, action in zip(self.spaces, self.actions_, strict=True):
            action.setChecked(space.page is page)

    def enable(self, on: bool) -> None:
        """Whether there is a plan to work on."""
        for action in self.actions_:
            action.setEnabled(on)

    def _buttons(self) -> QWidget:
        """The buttons side by side, for the tool bar."""
        bar = QWidget()
        across = QHBoxLayout(bar)
        across.setContentsMargins(4, 0, 4, 0)
        across.setSpacing(0)
        for action in self.actions_:
            button = QToolButton()
            button.setObjectName("workspaceSwitch")
            button.setDefaultAction(action)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.setAccessibleName(action.text().replace("&", ""))
            across.addWidget(button)
        return bar
