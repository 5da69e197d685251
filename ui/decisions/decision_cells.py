"""Draws the cells of the table of decisions.

The style of the program lays out the whole text of a cell several times to draw its beginning, and asks the model for
seven things first. Beside a run the rows follow the newest decision or a cursor that is moved, and whatever drawing
them takes is taken from the run.
"""

from functools import lru_cache

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from ui.decisions.decision_table import DecisionTable
from ui.process.guard import guarded

_AROUND_PX = 7
"""Where the style begins a text: its padding and the margin of a text."""
_LEAST_LETTER_PX = 2
"""No letter is narrower, so more letters than fit need not be looked at."""
_SPECIAL = QStyle.StateFlag.State_Selected | QStyle.StateFlag.State_HasFocus


class DecisionCells(QStyledItemDelegate):
    """Ordinary cells are drawn here; those that are selected or have the focus are left to the style."""

    def __init__(self, table: DecisionTable, parent: QWidget) -> None:
        super().__init__(parent)
        self._table = table

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """The beginning of a text, as much as there is room for."""
        if option.state & _SPECIAL:
            super().paint(painter, option, index)
            return
        area, row, column, font = option.rect, index.row(), index.column(), painter.font()
        if self._table.is_marked(row):
            painter.fillRect(area, self._table.mark_color)
        width = area.width() - 2 * _AROUND_PX
        text, above_px, height_px = _shown(self._table.text(row, column), width, font.key())
        painter.setPen(QColor(self._table.ink(row, column)))
        painter.drawText(area.x() + _AROUND_PX, area.y() + (area.height() - height_px) // 2 + above_px, text)


@lru_cache(maxsize=1_000)
def _shown(text: str, width: int, font: str) -> tuple[str, int, int]:
    """What is drawn of a text, with the height of its letters above the line and in all."""
    described = QFont()
    described.fromString(font)
    metrics = QFontMetrics(described)
    beginning = text[: width // _LEAST_LETTER_PX + 1]
    return metrics.elidedText(beginning, Qt.TextElideMode.ElideRight, width), metrics.ascent(), metrics.height()
