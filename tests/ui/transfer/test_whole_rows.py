"""Rows of tables in a PDF are on one page, wherever the table begins."""

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QSizeF
from PySide6.QtGui import QPdfWriter, QTextDocument, QTextTable

from ui.transfer.pdf.whole_rows import keep_rows_whole

_PAGE = QSizeF(2000, 2800)


@pytest.fixture
def device(qapp):
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(300)
    yield writer
    buffer.close()


def a_document(device, lines_before, words):
    """Some lines, a heading, and a table with rows of so many words."""
    rows = "".join(f"<tr><td>{at}</td><td>{'more ' * count}</td></tr>" for at, count in enumerate(words))
    document = QTextDocument()
    document.documentLayout().setPaintDevice(device)
    document.setDocumentMargin(0)
    head = "<table width='100%'><thead><tr><th>Time</th><th>Why</th></tr></thead>"
    document.setHtml("<p>line</p>" * lines_before + f"<h3>Decisions</h3>{head}{rows}</table>")
    document.setPageSize(_PAGE)
    return document


def pages_of_rows(document):
    """For each row of the table the pages that its lines are on."""
    (table,) = (frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable))
    return [{page for column in (0, 1) for page in _pages(document, table, row, column)} for row in range(table.rows())]


def _pages(document, table, row, column):
    block = table.cellAt(row, column).firstCursorPosition().block()
    top = document.documentLayout().blockBoundingRect(block).top()
    for number in range(block.layout().lineCount()):
        line = block.layout().lineAt(number)
        yield int((top + line.y()) // _PAGE.height())
        yield int((top + line.y() + line.height() - 1) // _PAGE.height())


@pytest.mark.parametrize("lines_before", range(0, 44, 3))
def test_no_row_is_split_and_no_head_is_alone(device, lines_before):
    document = a_document(device, lines_before, (3, 100, 200, 60, 150, 3, 250, 90, 100, 200, 60, 150, 3, 250, 90))
    keep_rows_whole(document, device)
    pages = pages_of_rows(document)
    assert all(len(row) == 1 for row in pages)
    assert pages[0] == pages[1]
    assert pages == sorted(pages, key=min)
    assert document.pageCount() <= 4


def test_without_it_rows_would_be_split(device):
    split = [max(map(len, pages_of_rows(a_document(device, lines, (200,) * 12)))) for lines in range(10)]
    assert max(split) > 1


def test_a_row_of_many_pages_is_left_as_it_is(device):
    document = a_document(device, 3, (3, 8000, 3))
    keep_rows_whole(document, device)
    assert document.pageCount() < 12
