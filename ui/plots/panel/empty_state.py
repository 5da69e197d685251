"""Shown in place of the plots before the first run."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ui.process.guard import guarded
from ui.theme.theme import Theme

_SKETCHES = (
    ((0.0, 0.62), (0.2, 0.6), (0.32, 0.22), (0.6, 0.2), (0.72, 0.55), (1.0, 0.62)),
    ((0.0, 0.72), (0.28, 0.7), (0.46, 0.34), (0.7, 0.3), (0.84, 0.58), (1.0, 0.66)),
)


class EmptyState(QWidget):
    """A faint sketch of two curves and one sentence that says what to do."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme, self._missing = theme, ""
        self.setAccessibleName(self.text())

    def text(self) -> str:
        """What to do."""
        return self._missing or QCoreApplication.translate(
            "plots", "Press Run (F5) to see load, capacity, replicas and latency."
        )

    def show_missing(self, missing: str) -> None:
        """What the plan lacks before it can do anything; empty if it can run."""
        self._missing = missing
        self.setAccessibleName(self.text())
        self.update()

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme
        self.update()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self._theme.panel))
        width, height = min(self.width() * 0.6, 420.0), min(self.height() * 0.3, 130.0)
        box = QRectF((self.width() - width) / 2, self.height() / 2 - height - 8, width, height)
        self._paint_sketch(painter, box)
        font = QFont(self.font())
        font.setPointSizeF(font.pointSizeF() * 1.15)
        painter.setFont(font)
        painter.setPen(QColor(self._theme.text))
        center = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        below = QRectF(20, box.bottom() + 20, self.width() - 40, 60)
        painter.drawText(below, center | Qt.TextFlag.TextWordWrap, self.text())
        if not self._missing:
            self._paint_hint(painter, below.translated(0, 30), center)
        painter.end()

    def _paint_hint(self, painter: QPainter, box: QRectF, alignment: Qt.AlignmentFlag) -> None:
        hint = QCoreApplication.translate("plots", "Drag in a plot to zoom; double-click to show the whole run.")
        painter.setFont(self.font())
        painter.setPen(QColor(self._theme.muted))
        painter.drawText(box, alignment | Qt.TextFlag.TextWordWrap, hint)

    def _paint_sketch(self, painter: QPainter, box: QRectF) -> None:
        painter.setPen(QPen(QColor(self._theme.border), 1))
        painter.drawLine(box.bottomLeft(), box.bottomRight())
        painter.drawLine(box.bottomLeft(), box.topLeft())
        for index, points in enumerate(_SKETCHES):
            spots = [QPointF(box.left() + x * box.width(), box.top() + y * box.height()) for x, y in points]
            path = QPainterPath(spots[0])
            for before, spot in zip(spots[:-1], spots[1:], strict=True):
                middle = (before.x() + spot.x()) / 2
                path.cubicTo(QPointF(middle, before.y()), QPointF(middle, spot.y()), spot)
            color = QColor(self._theme.series_color(index))
            color.setAlphaF(0.55)
            painter.setPen(QPen(color, 2))
            painter.drawPath(path)
