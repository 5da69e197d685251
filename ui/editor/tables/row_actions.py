"""The verbs on rows as actions: buttons above the table, context menus, keys, and entries for the window's menu."""

from PySide6.QtCore import QKeyCombination, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from ui.editor.navigator.sections import Section
from ui.editor.problems.icons import sign
from ui.theme.theme import ThemeSource

_KEYS: dict[str, QKeyCombination | QKeySequence.StandardKey] = {
    "add": QKeyCombination(Qt.Key.Key_Insert),
    "duplicate": Qt.KeyboardModifier.ControlModifier | Qt.Key.Key_D,
    "delete": QKeyCombination(Qt.Key.Key_Delete),
    "up": Qt.KeyboardModifier.AltModifier | Qt.Key.Key_Up,
    "down": Qt.KeyboardModifier.AltModifier | Qt.Key.Key_Down,
    "copy": QKeySequence.StandardKey.Copy,
    "paste": QKeySequence.StandardKey.Paste,
}
"""Sequences are made with the actions: standard keys are known once there is an application."""


class RowActions(QObject):
    """One action per verb. Keys act where the rows are shown; in fields they keep their usual meaning."""

    def __init__(self, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.add = self._action("add", self.tr("Add"))
        self.duplicate = self._action("duplicate", self.tr("Duplicate"))
        self.delete = self._action("delete", self.tr("Delete"))
        self.up = self._action("up", self.tr("Move up"))
        self.down = self._action("down", self.tr("Move down"))
        self.copy = self._action("copy", self.tr("Copy rows"))
        self.paste = self._action("paste", self.tr("Paste rows"))
        self._named = dict(zip(_KEYS, self.all(), strict=True))
        theme.changed.connect(self._paint)
        self._paint()

    def all(self) -> list[QAction]:
        """In the order of menus and buttons."""
        return [self.add, self.duplicate, self.delete, self.up, self.down, self.copy, self.paste]

    def enable(self, section: Section, *, has_row: bool) -> None:
        """Which verbs make sense in a section, with a row chosen or without one."""
        is_list, owns_rows = section.is_list, section.is_list and not section.facet
        self.add.setEnabled(is_list and (has_row or owns_rows))
        self.paste.setEnabled(owns_rows)
        for action in (self.delete, self.copy):
            action.setEnabled(is_list and has_row)
        for action in (self.duplicate, self.up, self.down):
            action.setEnabled(owns_rows and has_row)

    def _action(self, name: str, text: str) -> QAction:
        action = QAction(text, self)
        sequence = QKeySequence(_KEYS[name])
        action.setShortcut(sequence)
        action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        keys = sequence.toString(QKeySequence.SequenceFormat.NativeText)
        action.setToolTip(self.tr("{what} ({keys})").format(what=text, keys=keys))
        return action

    def _paint(self) -> None:
        theme = self._theme.current
        for name, action in self._named.items():
            action.setIcon(sign(name, theme.text, theme.border))
