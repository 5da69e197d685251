"""Draws a report on the pages of a PDF."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QBuffer, QByteArray, QHashSeed, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPageLayout, QPageSize, QPainter, QPdfWriter, QTextDocument
from PySide6.QtSvg import QSvgRenderer

from planner.reports.content.report import RunReport
from planner.reports.formats.pages import drawings, print_parts
from ui.transfer.pdf.whole_rows import keep_rows_whole

_DOTS_PER_INCH = 300
_MARGIN_MM = 16
_FOOT_MM = 8.0
_GAP_MM = 5.0
_MUTED = QColor("#5a6475")
_FONT_POINTS = 9
_STYLE = """
body { color: #1d2430; }
h1 { font-size: 20pt; } h2 { font-size: 13pt; margin-top: 14px; } h3 { font-size: 10pt; margin-top: 10px; }
th { color: #5a6475; font-size: 8pt; } td { font-size: 8pt; }
.cell { border-top: 1px solid #dde1e8; }
.next { padding-left: 10px; }
.muted, .note, .notes { color: #5a6475; } .note { font-size: 8pt; }
.good { color: #00714f; } .bad { color: #b3261e; }
"""
_METADATA = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>'
"""In place of what Qt writes, which has the time of day."""
_CREATED = re.compile(rb"/(CreationDate|ModDate) \(D:[^)]*\)")
_IDENTITY = re.compile(rb"/ID \[\s*<[0-9A-Fa-f]*>\s*<[0-9A-Fa-f]*>\s*\]")
_DATE = b"20000101000000Z"


@dataclass(frozen=True)
class PdfParts:
    """What is drawn; texts alone, so that another process can do it."""

    title: str
    front: str
    """HTML before the plots."""
    back: str
    """HTML after them."""
    plots: tuple[str, ...]
    """As SVG."""


def parts_of(report: RunReport) -> PdfParts:
    """The texts of a report."""
    front, back = print_parts(report)
    return PdfParts(report.title, front, back, tuple(drawings(report)))


def pdf_of(report: RunReport) -> bytes:
    """The whole file. The same report gives the same bytes with the same fonts."""
    return pdf_of_parts(parts_of(report))


def pdf_of_parts(parts: PdfParts) -> bytes:
    """The same, of its texts."""
    QHashSeed.setDeterministicGlobalSeed()  # the order of the fonts in the file
    try:
        return _without_date(_drawn(parts))
    finally:
        QHashSeed.resetRandomGlobalSeed()


def _drawn(parts: PdfParts) -> bytes:
    content, buffer = QByteArray(), QBuffer()
    buffer.setBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(_DOTS_PER_INCH)
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    page = QPageSize(QPageSize.PageSizeId.A4)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, margins, QPageLayout.Unit.Millimeter))
    writer.setTitle(parts.title)
    writer.setCreator("Headroom")
    writer.setDocumentXmpMetadata(QByteArray(_METADATA))
    _Pages(writer, parts).draw()
    buffer.close()
    return bytes(content.data())


def _without_date(content: bytes) -> bytes:
    """A fixed date and no identity, at the same places of the file."""

    def dated(match: re.Match[bytes]) -> bytes:
        room = len(match[0]) - len(match[1]) - len(b"/ (D:)")
        return b"/%b (D:%b)" % (match[1], _DATE[:room].ljust(room))

    content = _CREATED.sub(dated, content)
    return _IDENTITY.sub(lambda match: re.sub(rb"[0-9A-Fa-f](?=[0-9A-Fa-f]*>)", b"0", match[0]), content)


class _Pages:
    """The pages in order: the first one with the verdict, plots, then tables."""

    def __init__(self, writer: QPdfWriter, parts: PdfParts) -> None:
        self._writer, self._title = writer, parts.title
        area = writer.pageLayout().paintRectPixels(_DOTS_PER_INCH)
        self._width, self._height = float(area.width()), area.height() - _dots(_FOOT_MM)
        self._texts = [self._document(parts.front), self._document(parts.back)]
        self._plots = [QSvgRenderer(QByteArray(text.encode())) for text in parts.plots]
        self._number = 0

    def draw(self) -> None:
        """All pages."""
        plots = self._pages_of_plots()
        count = sum(text.pageCount() for text in self._texts) + len(plots)
        painter = QPainter(self._writer)
        try:
            self._draw_text(painter, self._texts[0], count)
            for page in plots:
                self._begin_page(painter, count)
                for renderer, place in page:
                    renderer.render(painter, place)
            self._draw_text(painter, self._texts[1], count)
        finally:
            painter.end()

    def _document(self, html: str) -> QTextDocument:
        document = QTextDocument()
        document.setDefaultFont(QFont("sans-serif", _FONT_POINTS))
        document.setDefaultStyleSheet(_STYLE)
        document.documentLayout().setPaintDevice(self._writer)
        document.setDocumentMargin(0)
        document.setHtml(html)
        document.setPageSize(QSizeF(self._width, self._height))
        keep_rows_whole(document, self._writer)
        return document

    def _pages_of_plots(self) -> Sequence[Sequence[tuple[QSvgRenderer, QRectF]]]:
        pages: list[list[tuple[QSvgRenderer, QRectF]]] = []
        below = 0.0
        for renderer in self._plots:
            size = renderer.defaultSize()
            height = self._width * size.height() / size.width()
            if not pages or below + height > self._height:
                pages.append([])
                below = 0.0
            pages[-1].append((renderer, QRectF(0.0, below, self._width, height)))
            below += height + _dots(_GAP_MM)
        return pages

    def _draw_text(self, painter: QPainter, document: QTextDocument, count: int) -> None:
        for page in range(document.pageCount()):
            self._begin_page(painter, count)
            view = QRectF(0.0, page * self._height, self._width, self._height)
            painter.save()
            painter.translate(0.0, -view.top())
            document.drawContents(painter, view)
            painter.restore()

    def _begin_page(self, painter: QPainter, count: int) -> None:
        """A new page with its foot."""
        if self._number:
            self._writer.newPage()
        self._number += 1
        painter.save()
        painter.setFont(QFont("sans-serif", _FONT_POINTS - 2))
        painter.setPen(_MUTED)
        foot = QRectF(0.0, self._height, self._width, _dots(_FOOT_MM))
        bottom = Qt.AlignmentFlag.AlignBottom
        painter.drawText(foot, bottom | Qt.AlignmentFlag.AlignLeft, self._title[:100])
        painter.drawText(foot, bottom | Qt.AlignmentFlag.AlignRight, f"{self._number} / {count}")
        painter.restore()


def _dots(millimetres: float) -> float:
    return millimetres / 25.4 * _DOTS_PER_INCH
