"""The two boxes of the editor: rows with their verbs above, and the form of a row with its switches."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from ui.editor.forms.fold import Elided
from ui.editor.forms.form import PlanForm
from ui.editor.forms.manifest_text import ManifestText
from ui.editor.tables.empty_rows import EmptyRows
from ui.editor.tables.row_filter import RowFilter
from ui.editor.tables.table_view import RowTable

_ICON_PX = 16


class TableBox(QWidget):
    """The table of a section, or what to do where it has no rows."""

    def __init__(self, table: RowTable, verbs: Sequence[QAction]) -> None:
        super().__init__()
        self.title, self.filter, self.table, self.empty = Elided(), RowFilter(table), table, EmptyRows()
        self.title.setProperty("heading", True)
        self.filter.hide()
        line = QHBoxLayout()
        line.setContentsMargins(2, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.title, 1)
        for action in verbs:
            line.addWidget(_button(action))
        down = _column(self)
        down.addLayout(line)
        for part in (self.filter, table, self.empty):
            down.addWidget(part)


class FormBox(QWidget):
    """The form of a row or a section, or the manifest of the row in its place."""

    def __init__(self, form: PlanForm, yaml: ManifestText) -> None:
        super().__init__()
        self.title, self.only_set = Elided(), QCheckBox(self.tr("Only what differs from the default"))
        self.title.setProperty("heading", True)
        self.only_set.setToolTip(self.tr("Hide the fields that hold their default"))
        self.only_set.toggled.connect(form.show_only_set)
        self.only_set.hide()
        yaml.switch.toggled.connect(lambda on: form.setVisible(not on))
        line = QHBoxLayout()
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.title, 1)
        line.addWidget(yaml.switch)
        card = QFrame()
        card.setObjectName("planFormCard")
        inside = QVBoxLayout(card)
        inside.setContentsMargins(1, 1, 1, 1)
        inside.addWidget(form)
        inside.addWidget(yaml)
        down = _column(self)
        down.addLayout(line)
        down.addWidget(self.only_set)
        down.addWidget(card)


def _button(action: QAction) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(action)
    button.setAutoRaise(True)
    button.setIconSize(QSize(_ICON_PX, _ICON_PX))
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(action.text())
    return button


def _column(box: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    return column
