"""What the colours and the frames of the map mean."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from planner.record.moment import NodeState
from ui.map.drawing.coloring import LegendEntry
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_SWATCH, _GAP, _APART, _LEFT = 11, 6, 16, 12
_MOST_LINES = 2


class MapLegend(QWidget):
    """Swatches with words, in at most two lines; what has no room is left out."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entries: tuple[LegendEntry, ...] = ()
        self.waiting = self.heading = ""
        self._lines = 1
        self._states = (
            (NodeState.BOOTING, self.tr("booting")),
            (NodeState.DRAINING, self.tr("draining")),
            (NodeState.TROUBLE, self.tr("not ready or under pressure")),
        )
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Legend of the map"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(300, self._lines * self._line + 4)

    @property
    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def show_entries(self, entries: tuple[LegendEntry, ...], heading: str, waiting: str) -> None:
        """Other colours, what they are about, and how many pods wait."""
        if (entries, heading, waiting) != (self.entries, self.heading, self.waiting):
            self.entries, self.heading, self.waiting = entries, heading, waiting
            self.setAccessibleDescription("; ".join([waiting, heading, *(entry.text for entry in entries)]))
            self._fit()

    def _fit(self) -> None:
        """As many lines as are needed."""
        lines = 1 + sum(place.y() > 2 and place.x() == _LEFT for place, _what, _text in self._places())
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def _places(self) -> list[tuple[QPoint, LegendEntry | NodeState | None, str]]:
        """Where each swatch is with its text; those without a swatch are texts alone."""
        metrics, x, y, found = self.fontMetrics(), _LEFT, 2, []
        heads: list[tuple[LegendEntry | NodeState | None, str]] = [
            (None, text) for text in (self.waiting, self.heading) if text
        ]
        for what, text in [*heads, *((entry, entry.text) for entry in self.entries), *self._states]:
            wide = metrics.horizontalAdvance(text) + (_SWATCH + _GAP if what is not None else 0)
            if x + wide > self.width() - _LEFT and x > _LEFT:
                x, y = _LEFT, y + self._line
                if y > 2 + (_MOST_LINES - 1) * self._line:
                    break
            found.append((QPoint(x, y), what, text))
            x += wide + _APART
        return found

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme.current
        for place, what, text in self._places():
            x = place.x()
            painter.setPen(QColor(theme.text))
            if what is None:
                painter.setPen(QColor(theme.pending if text == self.waiting else theme.muted))
            else:
                self._paint_swatch(painter, QRect(x, place.y() + (self._line - _SWATCH) // 2, _SWATCH, _SWATCH), what)
                painter.setPen(QColor(theme.text))
                x += _SWATCH + _GAP
            area = QRect(x, place.y(), self.width(), self._line)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter), text)

    def _paint_swatch(self, painter: QPainter, area: QRect, what: LegendEntry | NodeState) -> None:
        theme = self._theme.current
        if isinstance(what, LegendEntry):
            painter.fillRect(area, QColor.fromRgb(what.color))
            return
        if what is NodeState.DRAINING:
            painter.fillRect(area, QColor(theme.raised))
            painter.fillRect(area, Qt.BrushStyle.BDiagPattern)
        dashes = {NodeState.BOOTING: Qt.PenStyle.DashLine}.get(what, Qt.PenStyle.SolidLine)
        colors = {NodeState.BOOTING: theme.warn, NodeState.TROUBLE: theme.bad}
        pen = QPen(QColor(colors.get(what, theme.muted)), 1.6, dashes)
        pen.setDashPattern([2, 1.5]) if what is NodeState.BOOTING else None
        painter.setPen(pen)
        painter.drawRect(area.adjusted(0, 0, -1, -1))
        if what is NodeState.TROUBLE:
            for step in range(5):
                painter.drawLine(area.right() - 5 + step, area.top(), area.right(), area.top() + 5 - step)
