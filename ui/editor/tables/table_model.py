"""The one table model of all lists of the plan."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QColor

from planner.plan.files.places import Path
from ui.editor.navigator.row_diff import difference
from ui.editor.navigator.sections import Section
from ui.editor.problems.icons import severity_icon
from ui.editor.problems.marks import Marks, Severity
from ui.editor.tables.columns import TableColumn, columns_of
from ui.editor.tables.facts import FactColumn, fact_columns
from ui.editor.values.edits import PlanEdits
from ui.editor.values.shapes import ShapeKind
from ui.editor.values.text import text_of
from ui.process.guard import guarded
from ui.runs.run_data import RunData
from ui.theme.theme import ThemeSource

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_RIGHT = frozenset({ShapeKind.WHOLE, ShapeKind.NUMBER, ShapeKind.AMOUNT, ShapeKind.PORTION})
_MIDDLE = Qt.AlignmentFlag.AlignVCenter
SPARK_ROLE = Qt.ItemDataRole.UserRole + 2
"""The points of a small picture in place of a text."""
CHOICES_ROLE = Qt.ItemDataRole.UserRole + 1
"""The words a cell may hold; None where it is typed."""


class RowTableModel(QAbstractTableModel):
    """Rows of one section of the plan; cells are edited through the document."""

    def __init__(self, edits: PlanEdits, marks: Marks, theme: ThemeSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._edits, self._marks, self._theme = edits, marks, theme
        self.section: Section | None = None
        self.columns: tuple[TableColumn, ...] = ()
        self.together: list[int] = []
        """Rows that are selected: an edit of a cell in one of them is an edit of all."""
        self.facts: tuple[FactColumn, ...] = ()
        """Columns behind the others that only say something."""
        self._is_wide = False
        self.run: RunData | None = None
        """Whose results the facts tell."""
        self._rows: tuple[Any, ...] = ()
        marks.changed.connect(self._paint)
        theme.changed.connect(self._paint)

    def show_section(self, section: Section) -> None:
        """The rows of another section; none of settings."""
        self.beginResetModel()
        self.section = section
        self.columns = columns_of(section) if section.is_list else ()
        self.facts = fact_columns(section.key) if self._is_wide else ()
        self._rows = section.rows(self._edits.document.plan)
        self.endResetModel()

    def show_facts(self, is_wide: bool) -> None:
        """Whether there is room for them."""
        self._is_wide = is_wide
        if self.section is not None:
            self.show_section(self.section)

    def show_run(self, run: RunData | None) -> None:
        """Tell the results of another run."""
        self.run = run
        self._paint()

    def words_of(self, row: int) -> str:
        """What the cells of a row say, for a search."""
        cells = [column.text(self._rows[row]) for column in self.columns]
        cells += [str(fact) for one in self.facts if isinstance(fact := self._fact(one, row), str)]
        return " ".join(cells).casefold()

    def sort_key(self, row: int, column: int) -> tuple[int, float, str]:
        """What a row is sorted by: numbers before texts, what is empty last."""
        if column < len(self.columns):
            value = self.columns[column].value(self._rows[row])
            if isinstance(value, int | float):
                return 0, float(value), ""
            text = self.columns[column].text(self._rows[row])
        else:
            fact = self._fact(self.facts[column - len(self.columns)], row)
            text = fact if isinstance(fact, str) else ""
            number = text.strip("%$€£¥₩ ").replace(",", "")
            if number.replace(".", "", 1).isdigit():
                return 0, float(number), ""
        return (1, 0.0, text.casefold()) if text else (2, 0.0, "")

    def column_key(self, column: int) -> str:
        """What a column is called in every language."""
        if column < len(self.columns):
            return ".".join(map(str, self.columns[column].path))
        return self.facts[column - len(self.columns)].key

    def _fact(self, fact: FactColumn, row: int) -> Any:
        return fact.value(self._rows[row], self._edits.document.plan, self.run)

    def refresh(self, has_drafts: bool = False) -> None:
        """Follow the plan with minimal signals, so that selections stay. Drafts move with their rows in one go."""
        if self.section is None:
            return
        before, rows = self._rows, self.section.rows(self._edits.document.plan)
        first, removed, added = difference(before, rows)
        if has_drafts and removed != added:
            self.beginResetModel()
            self._rows = rows
            self.endResetModel()
            return
        kept = first + min(removed, added)
        if first + removed > kept:
            self.beginRemoveRows(_NOWHERE, kept, first + removed - 1)
            self._rows = (*before[:kept], *before[first + removed :])
            self.endRemoveRows()
        elif first + added > kept:
            self.beginInsertRows(_NOWHERE, kept, first + added - 1)
            self._rows = (*before[:kept], *rows[kept : first + added], *before[kept:])
            self.endInsertRows()
        self._rows = rows
        if kept > first:
            self.dataChanged.emit(self.index(first, 0), self.index(kept - 1, self.columnCount() - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns) + len(self.facts)

    def path_of(self, index: Index) -> Path:
        """The place of a cell in the plan."""
        assert self.section is not None
        return (self.section.fields[0], index.row(), *self.columns[index.column()].path)

    @guarded
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        if index.column() >= len(self.columns):
            return self._fact_data(index, role)
        column, row = self.columns[index.column()], self._rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            draft = self._edits.document.drafts.get(self.path_of(index))
            return draft.text if draft else self._shown(column, row, role)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.shape.kind in _RIGHT else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.CheckStateRole and column.shape.kind is ShapeKind.SWITCH and column.exists(row):
            return Qt.CheckState.Checked if column.value(row) else Qt.CheckState.Unchecked
        if role == CHOICES_ROLE:
            return self._choices(column)
        return self._marked(index, column, role)

    def _fact_data(self, index: Index, role: int) -> Any:
        fact = self.facts[index.column() - len(self.columns)]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(fact)
        if role not in (Qt.ItemDataRole.DisplayRole, SPARK_ROLE):
            return fact.help if role == Qt.ItemDataRole.ToolTipRole else None
        value = self._fact(fact, index.row())
        return value if isinstance(value, str) == (role == Qt.ItemDataRole.DisplayRole) else None

    def _shown(self, column: TableColumn, row: Any, role: int) -> str:
        if column.shape.kind is ShapeKind.SWITCH and role == Qt.ItemDataRole.DisplayRole:
            return ""
        return column.text(row)

    def _choices(self, column: TableColumn) -> list[str] | None:
        if column.shape.kind is not ShapeKind.CHOICE:
            return None
        words = [text_of(column.shape, choice) for choice in column.shape.choices]
        return ["", *words] if column.shape.optional else words

    def _marked(self, index: Index, column: TableColumn, role: int) -> Any:
        """Icon, colour and text of problems; the column's help where there are none."""
        path = self.path_of(index)
        marks = self._marks.at(path)
        worst = max((mark.severity for mark in marks), default=Severity.NONE)
        if index.column() == 0 and not worst:
            worst = self._marks.within(path[:2])
            marks = self._marks.at(path[:2])
        if role == Qt.ItemDataRole.DecorationRole:
            return severity_icon(worst, self._theme.current) if worst else None
        if role == Qt.ItemDataRole.ForegroundRole and worst is Severity.PROBLEM:
            return QBrush(QColor(self._theme.current.bad))
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            problems = "\n".join(mark.sentence for mark in marks)
            meaning = column.meaning(self._rows[index.row()], self._edits.document.plan.costs.currency)
            return problems or " = ".join(part for part in (column.help, meaning) if part)
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if not index.isValid() or self.section is None or index.column() >= len(self.columns):
            return False
        column = self.columns[index.column()]
        if role == Qt.ItemDataRole.CheckStateRole:
            value = "true" if Qt.CheckState(value) == Qt.CheckState.Checked else "false"
        elif role != Qt.ItemDataRole.EditRole:
            return False
        rows = self.together if index.row() in self.together else [index.row()]
        rows = [row for row in rows if column.exists(self._rows[row])]
        self._edits.put_rows(self.section.fields[0], rows, column.path, column.shape, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid() or index.row() >= len(self._rows) or index.column() >= len(self.columns):
            return flags
        column = self.columns[index.column()]
        if column.shape.read_only or not column.exists(self._rows[index.row()]):
            return flags
        if column.shape.kind is ShapeKind.SWITCH:
            return flags | Qt.ItemFlag.ItemIsUserCheckable
        return flags | Qt.ItemFlag.ItemIsEditable

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical or not 0 <= section < self.columnCount():
            return None
        if section >= len(self.columns):
            fact = self.facts[section - len(self.columns)]
            if role == Qt.ItemDataRole.DisplayRole:
                return fact.title
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return _side(fact)
            return fact.help if role == Qt.ItemDataRole.ToolTipRole else None
        column = self.columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column.shape.kind in _RIGHT else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return column.help if role == Qt.ItemDataRole.ToolTipRole else None

    def _paint(self) -> None:
        if self._rows and self.columns:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, self.columnCount() - 1))


def _side(fact: FactColumn) -> int:
    return int((Qt.AlignmentFlag.AlignRight if fact.is_number else Qt.AlignmentFlag.AlignLeft) | _MIDDLE)
