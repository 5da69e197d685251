"""A part of the window as a picture or as a drawing."""

from collections.abc import Callable
from types import MappingProxyType

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPoint
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

_PICTURE_SCALE = 2.0


def png_of(part: QWidget, _title: str, background: QColor) -> bytes:
    """What is shown, at twice the resolution, as PNG."""
    picture = QPixmap(part.size() * _PICTURE_SCALE)
    picture.setDevicePixelRatio(_PICTURE_SCALE)
    picture.fill(background)
    part.render(picture, QPoint())
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")
    return bytes(data.data())


def svg_of(part: QWidget, title: str, background: QColor) -> bytes:
    """What is shown, as SVG."""
    data = QByteArray()
    generator = QSvgGenerator()
    buffer = QBuffer(data)
    generator.setOutputDevice(buffer)
    generator.setSize(part.size())
    generator.setViewBox(part.rect())
    generator.setTitle(title)
    painter = QPainter(generator)
    painter.fillRect(part.rect(), background)
    part.render(painter, QPoint())
    painter.end()
    return bytes(data.data())


PICTURES: MappingProxyType[str, Callable[[QWidget, str, QColor], bytes]] = MappingProxyType(
    {"png": png_of, "svg": svg_of}
)
"""By the ending of their files."""
