"""The table of a list: edits in place, several rows at once, choices as boxes."""

from typing import Any

from PySide6.QtCore import QAbstractItemModel, QItemSelection, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QUndoStack
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui.editor.previews.spark import paint_spark
from ui.editor.tables.table_model import CHOICES_ROLE, SPARK_ROLE, RowTableModel
from ui.editor.values.field_help import field_help
from ui.editor.values.inputs import ChoiceInput, LineInput
from ui.help.context_help import HelpText
from ui.process.guard import guarded

_MIN_COLUMN, _MAX_COLUMN = 54, 190
_NAMES_SHARE = 28
"""Percent of the view that names may have."""
_SIGN_ROOM, _GAP = 26, 6
"""The first column may get a sign at any time."""
_SPARK_COLUMN = 150
_SIZED_BY = 40
"""Rows looked at to find the width of a column."""


class RowTable(QTableView):
    """Rows of one section."""

    row_chosen = Signal(int)

    def __init__(self, model: RowTableModel, undo: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self.setItemDelegate(_CellDelegate(undo, self))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setResizeContentsPrecision(_SIZED_BY)
        self.setAccessibleName(self.tr("Rows of the selected section"))
        self.selectionModel().currentRowChanged.connect(lambda now, _before: self.row_chosen.emit(now.row()))
        self.selectionModel().selectionChanged.connect(lambda _on, _off: self._gather())
        model.modelReset.connect(self._order_columns)
        model.modelReset.connect(self._fit_columns)
        model.rowsInserted.connect(self._fit_new)

    @property
    def row_model(self) -> RowTableModel:
        """What it shows."""
        return self._model

    def help_text(self) -> HelpText:
        """What the column of the current cell means."""
        index = self.currentIndex()
        if not index.isValid() or index.column() >= len(self._model.columns):
            return HelpText(self.accessibleName(), self.tr("Choose a cell to learn what its column means."))
        return field_help(self._model.columns[index.column()].shape, self._model.path_of(index))

    def positions(self) -> list[int]:
        """The selected rows, in order."""
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def choose(self, rows: list[int]) -> None:
        """Select rows and make the first the current one, in the column that is current."""
        if rows == self.positions() and rows and self.currentIndex().row() == rows[0]:
            return
        column = max(self.currentIndex().column(), 0)
        self.clearSelection()
        for number, row in enumerate(rows):
            index = self._model.index(row, column)
            if number == 0:
                self.setCurrentIndex(index)
            flag = self.selectionModel().SelectionFlag
            self.selectionModel().select(index, flag.Select | flag.Rows)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on a box is the delegate's; its cell becomes the current one all the same."""
        super().mousePressEvent(event)
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index != self.currentIndex():
            selection = self.selectionModel()
            flag = selection.SelectionFlag
            selection.setCurrentIndex(
                index, flag.NoUpdate if selection.isSelected(index) else flag.ClearAndSelect | flag.Rows
            )

    def selectAll(self) -> None:
        """All rows that a filter lets through; one of them becomes the current one."""
        shown = [row for row in range(self._model.rowCount()) if not self.isRowHidden(row)]
        if shown and self.currentIndex().row() not in shown:
            first = min(shown, key=self.verticalHeader().visualIndex)
            self.setCurrentIndex(self._model.index(first, max(self.currentIndex().column(), 0)))
        super().selectAll()

    def drop_hidden(self) -> None:
        """Select no row that a filter hides: nobody sees what an edit does to it."""
        hidden, last = QItemSelection(), self._model.columnCount() - 1
        for row in self.positions():
            if self.isRowHidden(row):
                hidden.select(self._model.index(row, 0), self._model.index(row, last))
        if not hidden.isEmpty():
            self.selectionModel().select(hidden, self.selectionModel().SelectionFlag.Deselect)

    def _gather(self) -> None:
        self.drop_hidden()
        self._model.together = self.positions()

    def _order_columns(self) -> None:
        """What is said of a row stands where it is looked for; the others as the section names them."""
        header, columns = self.horizontalHeader(), [column.path for column in self._model.columns]
        for number in range(self._model.columnCount()):
            header.moveSection(header.visualIndex(number), number)
        for number, fact in enumerate(self._model.facts, len(columns)):
            if fact.before in columns:
                header.moveSection(header.visualIndex(number), header.visualIndex(columns.index(fact.before)))

    def _fit_new(self, _parent: QModelIndex, first: int, last: int) -> None:
        """Names of new rows can be told apart; the first rows of a table are what its columns are fitted to."""
        if last - first + 1 == self._model.rowCount():
            self._fit_columns()
            return
        width = min(self.sizeHintForColumn(0) + _SIGN_ROOM, self._most_px(0))
        self.setColumnWidth(0, max(self.columnWidth(0), width))

    def _most_px(self, column: int) -> int:
        """Names may be longer where there is room."""
        return _MAX_COLUMN if column else max(_MAX_COLUMN, self.viewport().width() * _NAMES_SHARE // 100)

    def _fit_columns(self) -> None:
        """As wide as the title and the first rows need."""
        self.resizeColumnsToContents()
        for column in range(self._model.columnCount()):
            room = _SIGN_ROOM if column == 0 else _GAP
            width = min(max(self.columnWidth(column) + room, _MIN_COLUMN), self._most_px(column))
            rows = range(min(self._model.rowCount(), _SIZED_BY))
            is_picture = any(self._model.index(row, column).data(SPARK_ROLE) is not None for row in rows)
            self.setColumnWidth(column, _SPARK_COLUMN if is_picture else width)


class _CellDelegate(QStyledItemDelegate):
    """A line for what is typed, a box for what is chosen; texts go to the model as they are."""

    def __init__(self, undo: QUndoStack, parent: QWidget) -> None:
        super().__init__(parent)
        self._undo = undo

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        spark = index.data(SPARK_ROLE)
        if spark is not None:
            paint_spark(painter, QRectF(option.rect), spark, QPen(option.palette.link().color(), 1.2))

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        words: list[str] | None = index.data(CHOICES_ROLE)
        if words is None:
            line = LineInput(self._undo, parent)
            line.setFrame(False)
            return line
        box = ChoiceInput(words, nothing="—", parent=parent)
        box.typed.connect(lambda _text: self._finish(box))
        return box

    def _finish(self, box: ChoiceInput) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: QModelIndex | QPersistentModelIndex) -> None:
        assert isinstance(editor, LineInput | ChoiceInput)
        editor.show_text(str(index.data(Qt.ItemDataRole.EditRole) or ""))
        if isinstance(editor, LineInput):
            editor.selectAll()

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        assert isinstance(editor, LineInput | ChoiceInput)
        before: Any = index.data(Qt.ItemDataRole.EditRole)
        if editor.text() != before:
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)
