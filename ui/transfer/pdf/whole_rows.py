"""Keeps the rows of tables whole: Qt breaks pages between any two lines, also in the middle of a row."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from PySide6.QtGui import QPaintDevice, QTextBlock, QTextCursor, QTextDocument, QTextFormat, QTextTable, QTextTableCell

_DOTS_PER_INCH_OF_A_FORMAT = 96.0
"""Lengths of a QTextFormat are given so; the layout scales them to its device."""
_HEAD_ROWS = 1


@dataclass(frozen=True)
class _Extent:
    """Where the text of a row is, in dots from the top of the first page."""

    top: float
    bottom: float

    def is_split(self, page: float) -> bool:
        """Whether it is on two pages though one could hold it."""
        return int(self.top // page) != int((self.bottom - 1.0) // page) and self.bottom - self.top < page / 2


def keep_rows_whole(document: QTextDocument, device: QPaintDevice) -> None:
    """Begin a row on the next page that this one would split; rows that take half a page or more stay split."""
    page = document.pageSize().height()
    scale = device.logicalDpiY() / _DOTS_PER_INCH_OF_A_FORMAT
    for table in _tables(document):
        for row in range(_HEAD_ROWS, table.rows()):
            extent = _extent(document, table, row)
            if row == _HEAD_ROWS:  # no head of a table is alone on a page
                extent = _Extent(_extent(document, table, 0).top, extent.bottom)
            if not extent.is_split(page):
                continue
            if row == _HEAD_ROWS:
                _begin_page(table)
            else:
                _fill_page(table, row - 1, (page - extent.top % page) / scale)


def _tables(document: QTextDocument) -> Iterator[QTextTable]:
    """In order; a page that begins sooner moves only what follows."""
    return (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))


def _extent(document: QTextDocument, table: QTextTable, row: int) -> _Extent:
    layout = document.documentLayout()
    tops, bottoms = [], []
    for column in range(table.columns()):
        for block in _blocks(table.cellAt(row, column)):
            lines, top = block.layout(), layout.blockBoundingRect(block).top()
            for number in range(lines.lineCount()):
                line = lines.lineAt(number)
                tops.append(top + line.y())
                bottoms.append(top + line.y() + line.height())
    return _Extent(min(tops), max(bottoms))


def _blocks(cell: QTextTableCell) -> Iterator[QTextBlock]:
    block, last = cell.firstCursorPosition().block(), cell.lastCursorPosition().block()
    while block != last:
        yield block
        block = block.next()
    yield last


def _fill_page(table: QTextTable, row: int, room: float) -> None:
    """Make a row so much higher, below its text."""
    for column in range(table.columns()):
        cell = table.cellAt(row, column)
        shape = cell.format().toTableCellFormat()
        shape.setBottomPadding(table.format().toTableFormat().cellPadding() + room)
        cell.setFormat(shape)


def _begin_page(table: QTextTable) -> None:
    """Begin a page with the table and its headings."""
    headings = list(takewhile(lambda block: block.blockFormat().headingLevel() > 0, _blocks_before(table)))
    if headings:
        cursor = QTextCursor(headings[-1])
        shape = cursor.blockFormat()
        shape.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        cursor.setBlockFormat(shape)
    else:
        whole = table.format().toTableFormat()
        whole.setPageBreakPolicy(QTextFormat.PageBreakFlag.PageBreak_AlwaysBefore)
        table.setFormat(whole)


def _blocks_before(table: QTextTable) -> Iterator[QTextBlock]:
    block = table.document().findBlock(table.firstPosition() - 1)
    while block.isValid():
        yield block
        block = block.previous()
