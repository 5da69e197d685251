"""A part of the window as a picture or as a drawing."""

import re
from collections.abc import Callable, Sequence
from html import escape
from types import MappingProxyType

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint, QRect, QSize
from PySide6.QtGui import QColor, QFont, QFontInfo, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

_PICTURE_SCALE = 2.0
_FAMILY = re.compile(rb'font-family="([^",]+)"')


def png_of(parts: Sequence[QWidget], _title: str, background: QColor) -> bytes:
    """What is shown, one part below the other, at twice the resolution, as PNG."""
    size = _size_of(parts)
    picture = QPixmap(size * _PICTURE_SCALE)
    picture.setDevicePixelRatio(_PICTURE_SCALE)
    picture.fill(background)
    painter = QPainter(picture)
    _render(parts, painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(data.data())


def svg_of(parts: Sequence[QWidget], title: str, background: QColor) -> bytes:
    """What is shown, one part below the other, as SVG."""
    area = QRect(QPoint(), _size_of(parts))
    data = QByteArray()
    generator = QSvgGenerator()
    buffer = QBuffer(data)
    generator.setOutputDevice(buffer)
    generator.setSize(area.size())
    generator.setViewBox(area)
    generator.setTitle(title)
    generator.setResolution(parts[0].logicalDpiX())  # else letters are smaller than the room that was made for them
    painter = QPainter(generator)
    painter.fillRect(area, background)
    _render(parts, painter)
    painter.end()
    return _FAMILY.sub(_with_fallback, bytes(data.data()))


def _size_of(parts: Sequence[QWidget]) -> QSize:
    for part in parts:
        _give_size(part)
    return QSize(max(part.width() for part in parts), sum(part.height() for part in parts))


def _render(parts: Sequence[QWidget], painter: QPainter) -> None:
    y = 0
    for part in parts:
        part.render(painter, QPoint(0, y))
        y += part.height()


def _give_size(part: QWidget) -> None:
    """A part that has had no room so far, such as a plot squeezed to nothing, is drawn in the size it asks for."""
    if part.size().isEmpty():
        part.resize(part.sizeHint())


def _with_fallback(written: re.Match[bytes]) -> bytes:
    """Another machine may not know the family, least of all one that is an alias of this system."""
    known = QFontInfo(QFont(written[1].decode()))
    kind = "monospace" if known.fixedPitch() else "sans-serif"
    return f'font-family="{escape(known.family())}, {kind}"'.encode()


PICTURES: MappingProxyType[str, Callable[[Sequence[QWidget], str, QColor], bytes]] = MappingProxyType(
    {"png": png_of, "svg": svg_of}
)
"""By the ending of their files."""
