"""Small signs drawn in the theme's colours; one for each verb and each severity, so colour is never alone."""

from collections.abc import Callable
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from ui.editor.problems.marks import Severity
from ui.theme.theme import Theme

_SIZE = 16
_RATIO = 3
_Draw = Callable[[QPainter], None]


def _lines(*strokes: tuple[tuple[float, float], ...]) -> _Draw:
    def draw(painter: QPainter) -> None:
        for stroke in strokes:
            path = QPainterPath(QPointF(*stroke[0]))
            for point in stroke[1:]:
                path.lineTo(QPointF(*point))
            painter.drawPath(path)

    return draw


def _copy(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.5, 1.5)
    _lines(((3.5, 10.5), (2.5, 10.5), (2.5, 2.5), (10.5, 2.5), (10.5, 3.5)))(painter)


def _twice(painter: QPainter) -> None:
    _copy(painter)
    _lines(((9.5, 7.5), (9.5, 11.5)), ((7.5, 9.5), (11.5, 9.5)))(painter)


def _board(painter: QPainter) -> None:
    painter.drawRoundedRect(QRectF(3.5, 3, 9, 11), 1.5, 1.5)
    _lines(((6, 3), (6, 1.8), (10, 1.8), (10, 3)), ((6, 7.5), (10, 7.5)), ((6, 10.5), (10, 10.5)))(painter)


_SIGNS: dict[str, _Draw] = {
    "add": _lines(((8, 3), (8, 13)), ((3, 8), (13, 8))),
    "duplicate": _twice,
    "delete": _lines(((3, 4.5), (13, 4.5)), ((6, 4.5), (6, 2.5), (10, 2.5), (10, 4.5)),
                     ((4.5, 4.5), (5, 13.5), (11, 13.5), (11.5, 4.5))),
    "up": _lines(((8, 13), (8, 3)), ((4, 7), (8, 3), (12, 7))),
    "down": _lines(((8, 3), (8, 13)), ((4, 9), (8, 13), (12, 9))),
    "copy": _copy,
    "paste": _board,
    "remove": _lines(((4, 4), (12, 12)), ((12, 4), (4, 12))),
    "open": _lines(((4, 6), (8, 10), (12, 6))),
    "up_small": _lines(((4, 10), (8, 6), (12, 10))),
    "closed": _lines(((6, 4), (10, 8), (6, 12))),
}  # fmt: skip


@lru_cache(maxsize=256)
def sign(name: str, color: str, faded: str = "") -> QIcon:
    """The sign of a verb; `faded` is its colour while it is disabled."""
    icon = QIcon(_pixmap(_SIGNS[name], color))
    if faded:
        icon.addPixmap(_pixmap(_SIGNS[name], faded), QIcon.Mode.Disabled)
    return icon


def _pixmap(draw: _Draw, color: str, fill: str = "") -> QPixmap:
    pixmap = QPixmap(_SIZE * _RATIO, _SIZE * _RATIO)
    pixmap.setDevicePixelRatio(_RATIO)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen = QPen(QColor(color), 1.4)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    if fill:
        painter.setBrush(QColor(fill))
    draw(painter)
    painter.end()
    return pixmap


@lru_cache(maxsize=8)
def severity_pixmap(severity: Severity, theme: Theme) -> QPixmap:
    """A disc with a bar for a problem, a triangle for a hint, a tick for neither."""
    if severity is Severity.PROBLEM:
        return _pixmap(_problem(theme.panel), theme.bad, theme.bad)
    if severity is Severity.HINT:
        return _pixmap(_hint(theme.panel), theme.warn, theme.warn)
    return _pixmap(_lines(((3, 8.5), (6.5, 12), (13, 4.5))), theme.good)


def severity_icon(severity: Severity, theme: Theme) -> QIcon:
    """`severity_pixmap` as an icon; none for no severity."""
    return QIcon(severity_pixmap(severity, theme)) if severity else QIcon()


def _problem(ink: str) -> _Draw:
    def draw(painter: QPainter) -> None:
        painter.drawEllipse(QRectF(2, 2, 12, 12))
        painter.setPen(QPen(QColor(ink), 1.8))
        painter.drawLine(QPointF(8, 4.8), QPointF(8, 8.8))
        painter.drawPoint(QPointF(8, 11.3))

    return draw


def _hint(ink: str) -> _Draw:
    def draw(painter: QPainter) -> None:
        path = QPainterPath(QPointF(8, 2.5))
        for point in ((14, 13.2), (2, 13.2)):
            path.lineTo(QPointF(*point))
        path.closeSubpath()
        painter.drawPath(path)
        painter.setPen(QPen(QColor(ink), 1.6))
        painter.drawLine(QPointF(8, 6.2), QPointF(8, 9.2))
        painter.drawPoint(QPointF(8, 11.4))

    return draw
