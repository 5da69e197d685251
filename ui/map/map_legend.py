"""What the colours and the frames of the map mean."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from planner.record.moment import NodeState
from ui.map.drawing.coloring import LegendEntry
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_SWATCH, _GAP, _APART, _LEFT, _TOP = 11, 6, 16, 12, 2
_MOST_LINES = 2
Part = tuple[LegendEntry | NodeState | None, str]
"""A swatch with its text; a text alone without one."""
Place = tuple[QPoint, LegendEntry | NodeState | None, str]


class MapLegend(QWidget):
    """Swatches with words, in at most two lines."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.entries: tuple[LegendEntry, ...] = ()
        self.waiting = self.heading = ""
        self.more = 0
        """Colours beside those of the entries."""
        self.places: list[Place] = []
        self._lines = 1
        self._states: tuple[Part, ...] = (
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

    def show_entries(self, entries: tuple[LegendEntry, ...], heading: str, waiting: str, more: int = 0) -> None:
        """Other colours, what they are about, how many pods wait, and how many colours have no entry."""
        if (entries, heading, waiting, more) != (self.entries, self.heading, self.waiting, self.more):
            self.entries, self.heading, self.waiting, self.more = entries, heading, waiting, more
            rest = [text for _what, text in self._rest(len(entries))]
            self.setAccessibleDescription("; ".join([waiting, heading, *(entry.text for entry in entries), *rest]))
            self._fit()

    def _fit(self) -> None:
        """As many lines as are needed."""
        self.places = self._placed()
        lines = 1 + sum(place.y() > _TOP and place.x() == _LEFT for place, _what, _text in self.places)
        if lines != self._lines:
            self._lines = lines
            self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.FontChange:
            self._fit()
        super().changeEvent(event)

    def _placed(self) -> list[Place]:
        """Where each part is: as many colours as leave room for what the frames mean, and how many more there are."""
        heads: list[Part] = [(None, text) for text in (self.waiting, self.heading) if text]
        for count in range(len(self.entries), 0, -1):
            colors: list[Part] = [(entry, entry.text) for entry in self.entries[:count]]
            found, is_whole = self._in_lines([*heads, *colors, *self._rest(count), *self._states])
            if is_whole:
                return found
        return self._in_lines([*heads, *self._states])[0]

    def _rest(self, count: int) -> list[Part]:
        more = self.more + len(self.entries) - count
        return [(None, QCoreApplication.translate("Map", "and {0} more").format(more))] if more else []

    def _in_lines(self, parts: Sequence[Part]) -> tuple[list[Place], bool]:
        """Places of the parts that have room, and whether these are all."""
        metrics, x, y, found = self.fontMetrics(), _LEFT, _TOP, list[Place]()
        for what, text in parts:
            wide = metrics.horizontalAdvance(text) + (_SWATCH + _GAP if what is not None else 0)
            if x + wide > self.width() - _LEFT and x > _LEFT:
                x, y = _LEFT, y + self._line
                if y > _TOP + (_MOST_LINES - 1) * self._line:
                    return found, False
            found.append((QPoint(x, y), what, text))
            x += wide + _APART
        return found, True

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme.current
        for place, what, text in self.places:
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
