"""The table of decisions: keys, copying, and following the end of a running simulation."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from planner.record.decisions import Decision
from ui.decisions.decision_cells import DecisionCells
from ui.decisions.decision_table import DecisionTable
from ui.decisions.row_texts import DecisionColumn
from ui.process.guard import guarded

_WIDTHS = {
    DecisionColumn.TIME: (76, 76),
    DecisionColumn.COMPONENT: (100, 112),
    DecisionColumn.OBJECT: (80, 132),
    DecisionColumn.DECISION: (124, 156),
}
"""In a narrow view, and in one that has room."""
_WHY_PX, _LEAST_COLUMN_PX = 200, 48
"""The width of the reason below which the other columns become narrow."""


class DecisionView(QTableView):
    """Shows a DecisionTable."""

    chosen = Signal(object)
    """The decision (or None) of the row that became current by the reader's doing."""

    def __init__(self, table: DecisionTable, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._table = table
        self._is_at_end = True
        self._is_sharing = self._has_widths_by_hand = False
        self.empty_text = ""
        """What to say while there are no rows."""
        self.setModel(table)
        self.setItemDelegate(DecisionCells(table, self))
        self.setAccessibleName(self.tr("Decisions"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setWordWrap(False)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setTabKeyNavigation(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._lay_out()
        self.copy_action = QAction(self.tr("&Copy rows"), self)
        self.copy_action.setShortcut(QKeySequence.StandardKey.Copy)
        self.copy_action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.copy_action.triggered.connect(self.copy_rows)
        self.addAction(self.copy_action)
        table.rowsAboutToBeInserted.connect(self._before_insert)
        table.rowsInserted.connect(self._after_insert)
        self.selectionModel().currentRowChanged.connect(self._on_current)

    def _lay_out(self) -> None:
        vertical = self.verticalHeader()
        vertical.setVisible(False)
        vertical.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        vertical.setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setMinimumSectionSize(_LEAST_COLUMN_PX)
        header.setStretchLastSection(True)
        header.sectionResized.connect(self._on_width_by_hand)
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave room for the reason, unless the reader has chosen widths."""
        super().resizeEvent(event)
        if not self._has_widths_by_hand:
            self._share_width()

    def _share_width(self) -> None:
        room = self.viewport().width() - _WHY_PX
        narrow, wide = (sum(widths) for widths in zip(*_WIDTHS.values(), strict=True))
        share = min(max((room - narrow) / (wide - narrow), 0.0), 1.0)
        self._is_sharing = True
        for column, (least, most) in _WIDTHS.items():
            self.horizontalHeader().resizeSection(column, round(least + share * (most - least)))
        self._is_sharing = False

    def _on_width_by_hand(self, column: int) -> None:
        self._has_widths_by_hand |= not self._is_sharing and column != DecisionColumn.WHY

    def current_decision(self) -> Decision | None:
        """The decision of the current row."""
        row = self.currentIndex().row()
        return self._table.decision(row) if 0 <= row < self._table.rowCount() else None

    def show_row(self, row: int, *, select: bool) -> None:
        """Scroll a row into view, to the middle if it was out of view."""
        index = self._table.index(row, 0)
        is_in_sight = self.viewport().rect().contains(self.visualRect(index).center())
        if select:
            self.setCurrentIndex(index)
        if not is_in_sight:
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtCenter)

    def copy_rows(self) -> None:
        """The selected rows with their titles as tab-separated text, for a spreadsheet."""
        rows = sorted(index.row() for index in self.selectionModel().selectedRows())
        role, across = Qt.ItemDataRole.DisplayRole, Qt.Orientation.Horizontal
        lines = ["\t".join(str(self._table.headerData(column, across, role)) for column in DecisionColumn)]
        lines += [
            "\t".join(str(self._table.index(row, column).data(role)) for column in DecisionColumn) for row in rows
        ]
        if rows:
            QGuiApplication.clipboard().setText("\n".join(line.replace("\n", " ") for line in lines) + "\n")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape clears the selection."""
        if event.key() == Qt.Key.Key_Escape and self.selectionModel().hasSelection():
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
        else:
            super().keyPressEvent(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Rows, or why there are none."""
        super().paintEvent(event)
        if self._table.rowCount() == 0 and self.empty_text:
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().placeholderText().color())
            flags = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            painter.drawText(self.viewport().rect().adjusted(16, 8, -16, -8), flags, self.empty_text)

    def _before_insert(self) -> None:
        bar = self.verticalScrollBar()
        self._is_at_end = bar.value() >= bar.maximum() and not self.selectionModel().hasSelection()

    def _after_insert(self) -> None:
        if self._is_at_end:
            self.scrollToBottom()

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.chosen.emit(self._table.decision(current.row()) if current.isValid() else None)
