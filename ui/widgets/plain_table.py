"""A table of texts that is replaced as a whole: for results, which are read and copied but not edited."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QAction, QBrush, QColor, QFont, QGuiApplication, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ui.process.guard import guarded
from ui.theme.theme import Theme, ThemeSource

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_BAR_PX, _BAR_ALPHA = 3.0, 60
_NOWHERE = QModelIndex()
_MOST_WRAPPED = 500
_SIZED_BY = 100
"""Rows looked at to find the width of a column."""


class Tone(Enum):
    """What a cell's colour says; its text says the same."""

    PLAIN = auto()
    MUTED = auto()
    GOOD = auto()
    BAD = auto()
    HEADING = auto()
    """Bold: the row begins a part of the table."""


@dataclass(frozen=True)
class Column:
    """A column header. Numbers are right-aligned."""

    title: str
    help: str = ""
    is_number: bool = False
    stretches: bool = False
    """Takes the room that the others leave, which are as wide as their contents; half the table where that is less."""


@dataclass(frozen=True)
class Cell:
    """One cell."""

    text: str = ""
    tip: str = ""
    tone: Tone = Tone.PLAIN
    share: float | None = None
    """From 0 to 1: drawn as a bar behind the text."""


Cells = tuple[Cell, ...]


class PlainTable(QAbstractTableModel):
    """Rows of cells below column headers."""

    def __init__(self, columns: Sequence[Column], theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.columns, self.theme = tuple(columns), theme
        self.rows: tuple[Cells, ...] = ()
        theme.changed.connect(self._repaint)

    def show_rows(self, rows: Sequence[Cells]) -> None:
        """Other rows; where their number is the same, selection and place stay."""
        before, self.rows = self.rows, tuple(rows)
        if len(before) != len(self.rows):
            self.beginResetModel()
            self.endResetModel()
        elif before != self.rows:
            self._repaint()

    def rename_columns(self, titles: Sequence[str]) -> None:
        """Other headers for the first columns."""
        pairs = zip(self.columns, titles, strict=False)
        self.columns = (*(replace(column, title=title) for column, title in pairs), *self.columns[len(titles) :])
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _repaint(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    @guarded
    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        """Text, tip, colour and weight of a cell."""
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        cell = self.rows[index.row()][index.column()]
        if role == Role.DisplayRole:
            return cell.text
        if role == Role.ToolTipRole:
            return cell.tip or cell.text
        if role == Role.TextAlignmentRole:
            return _side(self.columns[index.column()])
        if role == Role.ForegroundRole:
            color = _color(cell.tone, self.theme.current)
            return QBrush(QColor(color)) if color else None
        if role == Role.FontRole and cell.tone is Tone.HEADING:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        """Titles with their help."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.DisplayRole:
            return column.title
        if role == Role.ToolTipRole:
            return column.help or column.title
        return _side(column) if role == Role.TextAlignmentRole else None

    def as_text(self, rows: Sequence[int] | None = None) -> str:
        """Heads and rows (all of them, or these) with tabs between: a spreadsheet takes it as cells."""
        chosen = range(len(self.rows)) if rows is None else rows
        lines = ["\t".join(column.title for column in self.columns)]
        lines += ["\t".join(cell.text for cell in self.rows[row]) for row in chosen]
        return "\n".join(lines)


class _ShareBars(QStyledItemDelegate):
    """Draws the share of a cell behind its text."""

    def __init__(self, table: PlainTable, theme: ThemeSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._table, self._theme = table, theme

    @guarded
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        share = self._table.rows[index.row()][index.column()].share if index.row() < len(self._table.rows) else None
        if share is not None:
            place = QRectF(option.rect).adjusted(_BAR_PX, _BAR_PX, -_BAR_PX, -_BAR_PX)
            place.setWidth(max(place.width() * min(share, 1.0), 1.0))
            color = QColor(self._theme.current.accent)
            color.setAlpha(_BAR_ALPHA)
            painter.fillRect(place, color)
        super().paint(painter, option, index)


class PlainTableView(QTableView):
    """Shows a PlainTable; Ctrl+C copies the selected rows. Long texts wrap where `wraps` says so, in tables of up to
    500 rows: each of them is measured.
    """

    def __init__(self, table: PlainTable, name: str, parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(parent)
        self.table = table
        self.setModel(table)
        self.setItemDelegate(_ShareBars(table, table.theme, self))
        self.setAccessibleName(name)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        is_wrapped = wraps and len(table.rows) <= _MOST_WRAPPED
        self.setWordWrap(is_wrapped)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setVisible(False)
        height = QHeaderView.ResizeMode.ResizeToContents if is_wrapped else QHeaderView.ResizeMode.Fixed
        self.verticalHeader().setSectionResizeMode(height)
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setResizeContentsPrecision(_SIZED_BY)
        mode = QHeaderView.ResizeMode
        for place, column in enumerate(table.columns):
            head.setSectionResizeMode(place, mode.Stretch if column.stretches else mode.ResizeToContents)
        self._stretching = [place for place, column in enumerate(table.columns) if column.stretches]
        self._wanted: dict[int, int] = {}
        for changed in (table.modelReset, table.dataChanged):
            changed.connect(self._settle)
        head.sectionResized.connect(lambda place: None if place in self._stretching else self._share_room())
        copy = QAction(self.tr("&Copy rows"), self)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        self.addAction(copy)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def _settle(self) -> None:
        """Heads of parts go across all columns, and names get the width that they need now."""
        self.clearSpans()
        count = len(self.table.columns)
        for row, (first, *others) in enumerate(self.table.rows):
            if others and first.tone is Tone.HEADING and not any(cell.text for cell in others):
                self.setSpan(row, 0, 1, count)
        self._wanted = {place: self.sizeHintForColumn(place) for place in self._stretching}
        self._share_room()

    def _share_room(self) -> None:
        """A stretching column that the others leave too little is as wide as its texts, and the table scrolls."""
        if self.wordWrap():
            return
        head, room = self.horizontalHeader(), self.viewport().width()
        left = room - sum(head.sectionSize(at) for at in range(head.count()) if at not in self._stretching)
        for place in self._stretching:
            least = min(self._wanted.get(place, 0), room // 2)
            if left >= least:
                head.setSectionResizeMode(place, QHeaderView.ResizeMode.Stretch)
            else:
                head.setSectionResizeMode(place, QHeaderView.ResizeMode.Fixed)
                head.resizeSection(place, least)

    def copy(self) -> None:
        """The selected rows, or all of them, onto the clipboard."""
        chosen = sorted({index.row() for index in self.selectionModel().selectedRows()})
        QGuiApplication.clipboard().setText(self.table.as_text(chosen or None))


def _side(column: Column) -> int:
    side = Qt.AlignmentFlag.AlignRight if column.is_number else Qt.AlignmentFlag.AlignLeft
    return int(side | Qt.AlignmentFlag.AlignVCenter)


def _color(tone: Tone, theme: Theme) -> str:
    return {Tone.MUTED: theme.muted, Tone.GOOD: theme.good, Tone.BAD: theme.bad}.get(tone, "")
