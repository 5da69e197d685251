"""The loads that were tried, on a line: a filled dot where every SLO held, a cross where one broke."""

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from planner.api import TriedLoad
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_SIDE_PX, _DOT_PX, _BAR_PX = 26, 5.0, 8.0
_HEIGHT_PX, _SHARE = 58, 0.35
Place = Callable[[float], float]
"""From a factor to its pixel column."""
_TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)


class FactorScale(QWidget):
    """Load factors on a logarithmic line, coloured up to the largest load that met every SLO."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._tried: tuple[TriedLoad, ...] = ()
        self._now: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Loads tried"))
        self.setToolTip(self.tr("Dots: every SLO met at this load. Crosses: an SLO missed. Ring: being tried now."))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, _HEIGHT_PX)

    def show_runs(self, tried: Sequence[TriedLoad], now: float | None) -> None:
        """The runs so far; `now`: the factor that is being tried."""
        if (tuple(tried), now) != (self._tried, self._now):
            self._tried, self._now = tuple(tried), now
            self.update()

    def _ends(self) -> tuple[float, float]:
        factors = [one.factor for one in self._tried] + ([self._now] if self._now is not None else []) + [1.0]
        low, high = math.log(min(factors)), math.log(max(factors))
        room = max(0.08 * (high - low), 0.35)
        return low - room, high + room

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        low, high = self._ends()
        width = self.width() - 2 * _SIDE_PX

        def x_of(factor: float) -> float:
            return _SIDE_PX + width * (math.log(factor) - low) / (high - low)

        self._paint_line(painter, x_of)
        self._paint_ticks(painter, x_of, low, high)
        for one in self._tried:
            self._paint_run(painter, QPointF(x_of(one.factor), self._line_y), kept=one.kept)
        if self._now is not None:
            painter.setPen(QPen(QColor(self._theme.current.accent), 2.0))
            painter.setBrush(QColor(self._theme.current.panel))
            painter.drawEllipse(QPointF(x_of(self._now), self._line_y), _DOT_PX, _DOT_PX)
        painter.end()

    @property
    def _line_y(self) -> float:
        return 18.0

    def _paint_line(self, painter: QPainter, x_of: Place) -> None:
        """The line up to the largest load that met every SLO, and beyond the smallest that did not."""
        theme, kept = self._theme.current, [one.factor for one in self._tried if one.kept]
        broken = [one.factor for one in self._tried if not one.kept]
        left, right = float(_SIDE_PX) / 2, self.width() - _SIDE_PX / 2
        parts = [(left, right, theme.grid)]
        if kept:
            parts.append((left, x_of(max(kept)), theme.pale(theme.good, _SHARE).name()))
        if broken:
            parts.append((x_of(min(broken)), right, theme.pale(theme.bad, _SHARE).name()))
        painter.setPen(Qt.PenStyle.NoPen)
        for start, end, color in parts:
            painter.setBrush(QColor(color))
            painter.drawRoundedRect(QRectF(start, self._line_y - _BAR_PX / 2, end - start, _BAR_PX), 4, 4)

    def _paint_ticks(self, painter: QPainter, x_of: Place, low: float, high: float) -> None:
        theme = self._theme.current
        for factor in _TICKS:
            if low <= math.log(factor) <= high:
                painter.setPen(QColor(theme.text if factor == 1.0 else theme.muted))
                x = x_of(factor)
                painter.drawLine(QPointF(x, self._line_y + 8), QPointF(x, self._line_y + 12))
                place = QRectF(x - 40, self._line_y + 13, 80, 20)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, f"{factor:g}×")

    def _paint_run(self, painter: QPainter, at: QPointF, *, kept: bool) -> None:
        theme = self._theme.current
        if kept:
            painter.setPen(QPen(QColor(theme.panel), 1.0))
            painter.setBrush(QColor(theme.good))
            painter.drawEllipse(at, _DOT_PX, _DOT_PX)
            return
        painter.setPen(QPen(QColor(theme.bad), 2.2))
        for turn in (1, -1):
            arm = QPointF(_DOT_PX - 1, turn * (_DOT_PX - 1))
            painter.drawLine(at - arm, at + arm)
