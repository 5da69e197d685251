"""The workspace Plan: the whole window for editing. The editor stays where it is, and what is beside it makes room."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.document.plan_document import PlanDocument
from ui.editor.finding.finder import PlanFinder
from ui.editor.plan_editor import PlanEditor

_FINDER_PX = 460


class PlanSpace(QWidget):
    """The search above the editor, which is shown in this workspace only."""

    def __init__(self, editor: PlanEditor, document: PlanDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self.finder = PlanFinder(document, tuple(editor.tree.sections))
        self.finder.setMaximumWidth(_FINDER_PX)
        self.finder.chosen.connect(editor.show_path)
        self.finder.chosen.connect(lambda _path: self._note_row())
        self.finder.left.connect(lambda: editor.table.setFocus(Qt.FocusReason.ShortcutFocusReason))
        head = QHBoxLayout(self)
        head.setContentsMargins(0, 0, 0, 0)
        head.addStretch(1)
        head.addWidget(self.finder, 2)
        head.addStretch(1)
        self.hide()

    def focus_finder(self) -> None:
        """Search for a field, an object or an action."""
        self._note_row()
        self.finder.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.finder.selectAll()

    def _note_row(self) -> None:
        if self._editor.row is not None:
            self.finder.current_row[self._editor.section.key] = self._editor.row
