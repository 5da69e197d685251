"""Nodes and pods at a moment, as kubectl lists them; texts are made only for the rows in view."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from ui.process.guard import guarded

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_NOWHERE = QModelIndex()
NO_ROWS: NDArray[np.intp] = np.empty(0, np.intp)
Keys = Callable[[Any, NDArray[np.intp]], NDArray[Any]]


@dataclass(frozen=True)
class ObjectColumn:
    """One column: its text for a row of the history, and what it is sorted by."""

    title: str
    text: Callable[[Any, int], str]
    """Of a scene's moment and a row."""
    keys: Keys | None = None
    """Values to sort all rows by at once; None sorts by the texts."""
    is_number: bool = False


class ObjectTable(QAbstractTableModel):
    """Rows of a history that are there at a moment."""

    def __init__(self, columns: Sequence[ObjectColumn], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows = NO_ROWS
        self._source: Any = None
        self._sorting: tuple[int, Qt.SortOrder] = (0, Qt.SortOrder.AscendingOrder)

    def show_rows(self, source: Any, rows: NDArray[np.intp]) -> None:
        """Other rows, or the same at another moment."""
        self._source = source
        found = self._sorted(rows)
        if len(found) == len(self.rows):
            self.rows = found
            if len(found):
                self.dataChanged.emit(self.index(0, 0), self.index(len(found) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self.rows = found
        self.endResetModel()

    def _sorted(self, rows: NDArray[np.intp]) -> NDArray[np.intp]:
        column, order = self._sorting
        if not len(rows):
            return rows
        by = self.columns[column]
        keys = by.keys(self._source, rows) if by.keys else np.array([by.text(self._source, int(row)) for row in rows])
        found = rows[np.argsort(keys, kind="stable")]
        return found if order == Qt.SortOrder.AscendingOrder else found[::-1]

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.columns):
            self._sorting = column, order
            self.layoutAboutToBeChanged.emit()
            self.rows = self._sorted(np.sort(self.rows))
            self.layoutChanged.emit()

    def place_of(self, row: int | None) -> int | None:
        """Where a row of the history is in the table."""
        found = np.flatnonzero(self.rows == (-1 if row is None else row))
        return int(found[0]) if len(found) else None

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        column = self.columns[index.column()]
        if role in (Role.DisplayRole, Role.ToolTipRole):
            return column.text(self._source, int(self.rows[index.row()]))
        if role == Role.TextAlignmentRole:
            return _side(column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Role.TextAlignmentRole:
            return _side(self.columns[section])
        return self.columns[section].title if role in (Role.DisplayRole, Role.ToolTipRole) else None

    def as_text(self, places: Sequence[int]) -> str:
        """Heads and rows with tabs between."""
        lines = ["\t".join(column.title for column in self.columns)]
        for place in places:
            lines.append("\t".join(column.text(self._source, int(self.rows[place])) for column in self.columns))
        return "\n".join(lines)


def _side(column: ObjectColumn) -> int:
    """Of titles and cells alike."""
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


class ObjectView(QTableView):
    """Shows an ObjectTable; headers sort, Ctrl+C copies."""

    chosen = Signal(int)
    """The row of the history that became current by the reader's doing."""

    def __init__(self, table: ObjectTable, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self.setModel(table)
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.verticalHeader().setVisible(False)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionsMovable(True)
        head.setStretchLastSection(True)
        copy = QAction(self.tr("&Copy rows"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy_rows)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.selectionModel().currentRowChanged.connect(self._on_current)

    def fit(self) -> None:
        """Columns as wide as the rows in view need."""
        self.resizeColumnsToContents()

    def show_row(self, row: int | None) -> None:
        """Mark a row of the history without saying so."""
        place = self.table.place_of(row)
        blocked = self.blockSignals(True)
        if place is None:
            self.selectionModel().clear()
        elif place != self.currentIndex().row():
            flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
            self.selectionModel().setCurrentIndex(self.table.index(place, 0), flags)
        self.blockSignals(blocked)

    def copy_rows(self) -> None:
        """The selected rows, or all, onto the clipboard."""
        places = sorted({index.row() for index in self.selectionModel().selectedRows()})
        QGuiApplication.clipboard().setText(self.table.as_text(places or range(self.table.rowCount())))

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid() and current.row() < len(self.table.rows):
            self.chosen.emit(int(self.table.rows[current.row()]))
