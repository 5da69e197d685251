"""The changes of a variant as a table: path, value, and what the plan has there now."""

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QColor

from planner.errors import PlanProblem, PlanProblems
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import parse_change, value_text
from planner.plan.variants.application import with_changes
from ui.document.plan_document import PlanDocument
from ui.experiments.plan_steps import variant_named, with_variant_changes
from ui.experiments.variants.path_completion import value_there
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
PATH, VALUE, NOW = range(3)


@dataclass
class ChangeRow:
    """A change as it is typed."""

    path: str = ""
    value: str = ""
    refusal: str = ""
    """Why the plan does not take it; it is not part of the plan as long as this is not empty."""

    @property
    def text(self) -> str:
        """As the plan file has it."""
        return f"{self.path} = {self.value}"

    @property
    def is_whole(self) -> bool:
        """Both parts are there."""
        return bool(self.path.strip() and self.value.strip())


class ChangeTable(QAbstractTableModel):
    """Edits go into the document at once, as undo steps; what the plan refuses stays here until it is mended."""

    refused = Signal(str)
    """Why, or an empty text."""

    def __init__(self, document: PlanDocument, theme: ThemeSource) -> None:
        super().__init__()
        self._document, self._theme = document, theme
        self.variant = ""
        self.rows: list[ChangeRow] = []
        self._written: tuple[str, ...] = ()
        theme.changed.connect(self._repaint)

    def show_variant(self, variant: Variant) -> None:
        """The changes of a variant; refused ones stay if the plan's are as they were."""
        if variant.name == self.variant and variant.changes == self._written and self.rows:
            self._repaint()
            return
        self.beginResetModel()
        self.variant, self._written = variant.name, variant.changes
        self.rows = [_row_of(text) for text in variant.changes] + [ChangeRow()]
        self.endResetModel()
        self._find_refusals()

    def add(self, path: str, value: str = "") -> int:
        """Begin a change of that path in the last row; its position."""
        row = len(self.rows) - 1
        self.setData(self.index(row, PATH), path)
        if value:
            self.setData(self.index(row, VALUE), value)
        return row

    def remove(self, rows: list[int]) -> None:
        """Take changes away."""
        self.beginResetModel()
        self.rows = [one for row, one in enumerate(self.rows) if row not in rows]
        if not self.rows or self.rows[-1].path or self.rows[-1].value:
            self.rows.append(ChangeRow())
        self.endResetModel()
        self._write(self.tr("Remove a change of {variant}"))

    # -- what Qt calls ----------------------------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else 3

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.column() != NOW else flags

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Horizontal and role == Role.DisplayRole:
            return (self.tr("Path"), self.tr("Value"), self.tr("In the plan"))[section]
        return None

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Text, refusal and colour."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role in (Role.DisplayRole, Role.EditRole):
            return (row.path, row.value, self._now(row))[index.column()]
        if role == Role.ToolTipRole:
            return row.refusal or (row.path, row.value, self._now(row))[index.column()]
        if role == Role.ForegroundRole:
            theme = self._theme.current
            if row.refusal:
                return QBrush(QColor(theme.bad))
            return QBrush(QColor(theme.muted)) if index.column() == NOW else None
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.EditRole or index.column() == NOW:
            return False
        row, text = self.rows[index.row()], str(value).strip()
        if (row.path, row.value)[index.column()] == text:
            return False
        if index.column() == PATH:
            row.path = text
        else:
            row.value = text
        if index.row() == len(self.rows) - 1:
            self.beginInsertRows(_NOWHERE, len(self.rows), len(self.rows))
            self.rows.append(ChangeRow())
            self.endInsertRows()
        self._write(self.tr("Change {variant}"))
        return True

    # -- the plan ---------------------------------------------------------------------------------

    def _now(self, row: ChangeRow) -> str:
        return value_there(self._document.plan, row.path) if row.path else ""

    def _write(self, step: str) -> None:
        """Put what the plan takes into the document, and say why it does not take the rest."""
        self._find_refusals()
        plan = self._document.plan
        found = variant_named(plan, self.variant)
        changes = tuple(row.text for row in self.rows if row.is_whole and not row.refusal)
        if found is not None and changes != found.changes:
            self._written = changes
            self._document.apply(with_variant_changes(plan, self.variant, changes), step.format(variant=self.variant))

    def _find_refusals(self) -> None:
        taken: list[str] = []
        for row in self.rows:
            row.refusal = ""
            if row.is_whole:
                row.refusal = refusal_of(self._document.plan, taken, row.text)
                if not row.refusal:
                    taken.append(row.text)
        self.refused.emit(next((row.refusal for row in self.rows if row.refusal), ""))
        self._repaint()

    def _repaint(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, NOW))


def refusal_of(plan: Plan, before: list[str], text: str) -> str:
    """Why the plan, with the changes before it, does not take a change; empty if it does."""
    try:
        parse_change(text)
        with_changes(plan, [*before, text])
    except PlanProblems as error:
        return str(error.problems[0])
    except PlanProblem as error:
        return str(error)
    except ValueError as error:
        return str(error)
    return ""


def _row_of(text: str) -> ChangeRow:
    try:
        change = parse_change(text)
    except ValueError:
        return ChangeRow(text)
    return ChangeRow(change.path, value_text(change.value))
