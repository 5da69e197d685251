"""The node pools of an import, with what manifests cannot say: how far each may grow, and what a node costs."""

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QIcon, QKeyEvent
from PySide6.QtWidgets import QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from planner.errors import PlanProblem
from planner.plan.edits.edit import replace_at
from planner.plan.files.places import where_of
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.units import format_bytes, format_cpu
from ui.editor.forms.editor_base import MarkLabel
from ui.editor.problems.icons import severity_icon
from ui.editor.problems.marks import Mark, Severity
from ui.editor.values.shapes import fields_of
from ui.editor.values.text import UnreadableText, text_of, value_from
from ui.editor.values.where import words_at
from ui.theme.theme import ThemeSource

_EDITABLE = {4: "min_size", 5: "max_size", 6: "price_per_hour"}
"""Columns that can be completed, with their fields."""
_RETURN = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_SHAPES = {field.name: field.shape for field in fields_of(NodeGroup) if field.name in _EDITABLE.values()}


class PoolsToComplete(QWidget):
    """A row for each pool. A text that does not fit stays in its cell, marked, with problem and remedy below."""

    changed = Signal()
    """A text was typed; the plan may be another one."""

    def __init__(self, plan: Plan, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self.plan, self._theme = plan, theme
        self._problems: dict[tuple[int, int], Mark] = {}
        """By row and column."""
        self.problem = MarkLabel(theme, self)
        self.table = self._table()
        hint = QLabel(self.tr("Manifests say neither prices nor how far a pool may grow: type them here, or later."))
        hint.setWordWrap(True)
        hint.setProperty("muted", True)
        down = QVBoxLayout(self)
        down.addWidget(hint)
        down.addWidget(self.table, 1)
        down.addWidget(self.problem)

    def go_to_problem(self) -> bool:
        """Make the first cell that does not fit the current one; False if all fit."""
        if self._problems:
            self.table.setCurrentCell(*min(self._problems))
            self.table.setFocus()
        return bool(self._problems)

    def _table(self) -> QTableWidget:
        heads = [self.tr("Name"), self.tr("Nodes"), self.tr("CPU"), self.tr("Memory"), self.tr("Minimum"),
                 self.tr("Maximum"), self.tr("Price per hour")]  # fmt: skip
        table = QTableWidget(len(self.plan.node_groups), len(heads))
        table.setAccessibleName(self.tr("Node pools to complete"))
        for column, head in enumerate(heads):
            title = QTableWidgetItem(head)
            title.setTextAlignment(_side(column))
            table.setHorizontalHeaderItem(column, title)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for row, group in enumerate(self.plan.node_groups):
            fixed = [group.name, str(group.initial_size), format_cpu(group.cpu), format_bytes(group.memory)]
            typed = [text_of(_SHAPES[field], getattr(group, field)) for field in _EDITABLE.values()]
            for column, text in enumerate([*fixed, *typed]):
                item = QTableWidgetItem(text)
                item.setTextAlignment(_side(column))
                if column not in _EDITABLE:
                    item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
                table.setItem(row, column, item)
        table.setCurrentCell(0, min(_EDITABLE))
        table.cellChanged.connect(self._complete)
        table.installEventFilter(self)
        return table

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return edits the cell; the dialog would take it as consent."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress and event.key() in _RETURN:
            item = self.table.currentItem()
            is_open = item is not None and self.table.isPersistentEditorOpen(item)
            if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable and not is_open:
                self.table.editItem(item)
            return True
        return super().eventFilter(watched, event)

    def _complete(self, row: int, column: int) -> None:
        """Take the text of a cell over if it fits."""
        path = "node_groups", row, _EDITABLE[column]
        self._problems.pop((row, column), None)
        try:
            value = value_from(_SHAPES[_EDITABLE[column]], self._item(row, column).text())
            self.plan = replace_at(self.plan, path, value)
        except (UnreadableText, PlanProblem) as error:
            words = words_at(path, self.plan)
            problem = f"{words}: {error.problem}"
            where = where_of(Plan, path)
            self._problems[row, column] = Mark(Severity.PROBLEM, where, path, problem, error.remedy, words)
        self._show_problem(row, column)
        self.changed.emit()

    def _show_problem(self, row: int, column: int) -> None:
        item, theme, found = self._item(row, column), self._theme.current, self._problems.get((row, column))
        with QSignalBlocker(self.table):
            item.setToolTip("" if found is None else found.sentence)
            item.setForeground(QBrush() if found is None else QBrush(QColor(theme.bad)))
            item.setIcon(QIcon() if found is None else severity_icon(found.severity, theme))
        self.problem.show_marks([self._problems[at] for at in sorted(self._problems)])

    def _item(self, row: int, column: int) -> QTableWidgetItem:
        item = self.table.item(row, column)
        assert item is not None
        return item


def _side(column: int) -> Qt.AlignmentFlag:
    """Names at the left, numbers at the right."""
    return Qt.AlignmentFlag.AlignVCenter | (Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft)
