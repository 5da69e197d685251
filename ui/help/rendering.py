"""Markdown in the colours of the theme: Qt reads it, but leaves tables without lines and headings without room."""

from collections.abc import Iterator

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFrame,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)

from ui.theme.theme import Theme

_MARGIN, _INDENT, _CELL_PADDING = 18.0, 22.0, 5.0
_ABOVE_HEADING, _BELOW_HEADING, _BELOW_TEXT = 16.0, 5.0, 7.0
_LINE_PERCENT = 118
_GROWTH = {1: 1.7, 2: 1.3, 3: 1.1}
"""Size of headings as a multiple of the text's."""


def render(document: QTextDocument, markdown: str, theme: Theme, font: QFont) -> None:
    """Fill the document with a page."""
    document.setDefaultFont(font)
    document.setDocumentMargin(_MARGIN)
    document.setIndentWidth(_INDENT)
    document.setMarkdown(markdown, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
    for block in blocks_of(document):
        _dress_block(block, theme, font)
    for table in _tables(document.rootFrame()):
        _dress_table(table, theme)


def blocks_of(document: QTextDocument) -> Iterator[QTextBlock]:
    """All paragraphs, headings, items and cells."""
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


def headings(document: QTextDocument) -> list[tuple[int, str, int]]:
    """Level, text and position of each heading below the page's title."""
    found = ((block.blockFormat().headingLevel(), block.text(), block.position()) for block in blocks_of(document))
    return [heading for heading in found if heading[0] > 1]


def _dress_block(block: QTextBlock, theme: Theme, font: QFont) -> None:
    cursor, level = QTextCursor(block), block.blockFormat().headingLevel()
    form = QTextBlockFormat()
    is_cell = cursor.currentTable() is not None
    if level:
        form.setTopMargin(_ABOVE_HEADING if level > 1 else 0.0)
        form.setBottomMargin(_BELOW_HEADING)
    elif not is_cell:
        form.setBottomMargin(2.0 if block.textList() is not None else _BELOW_TEXT)
        form.setLineHeight(_LINE_PERCENT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    cursor.mergeBlockFormat(form)
    _dress_letters(block, theme, font.pointSizeF() * _GROWTH.get(level, 1.0))


def _dress_letters(block: QTextBlock, theme: Theme, points: float) -> None:
    """Headings in their size; names and commands on a ground of their own; links in the accent."""
    is_heading, parts = block.blockFormat().headingLevel() > 0, block.begin()
    while not parts.atEnd():
        part = parts.fragment()
        form = part.charFormat()
        if is_heading:
            form.clearProperty(QTextCharFormat.Property.FontSizeAdjustment)  # Qt's own, in steps that are too small
            form.setFontPointSize(points)
        if form.isAnchor():
            form.setForeground(QBrush(QColor(theme.accent)))
        elif form.fontFixedPitch():
            form.setFontFamilies([QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()])
            form.setBackground(QBrush(QColor(theme.raised)))
        cursor = QTextCursor(block)
        cursor.setPosition(part.position())
        cursor.setPosition(part.position() + part.length(), QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(form)
        parts += 1


def _tables(frame: QTextFrame) -> Iterator[QTextTable]:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from _tables(child)


def _dress_table(table: QTextTable, theme: Theme) -> None:
    form = table.format()
    form.setBorder(1.0)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(QBrush(QColor(theme.border)))
    form.setBorderCollapse(True)
    form.setCellPadding(_CELL_PADDING)
    form.setCellSpacing(0.0)
    form.setTopMargin(4.0)
    form.setBottomMargin(12.0)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100.0))
    table.setFormat(form)
    for column in range(table.columns()):
        cell = table.cellAt(0, column)
        head = cell.format()
        head.setBackground(QBrush(QColor(theme.raised)))
        cell.setFormat(head)
