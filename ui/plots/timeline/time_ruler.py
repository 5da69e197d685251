"""The times below all plots, and the time of the cursor."""

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.plots.timeline.axes import time_ticks
from ui.plots.timeline.time_window import TimeWindow
from ui.process.guard import guarded
from ui.theme.theme import Theme
from ui.wording.numbers import clock_text


class TimeRuler(QWidget):
    """Stays in place while the plots above it scroll."""

    def __init__(self, window: TimeWindow, theme: Theme, left: int, right: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window, self._theme = window, theme
        self._left, self._right = left, right
        self._cursor_s: float | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(QCoreApplication.translate("plots", "Simulated time"))
        window.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(300, self.fontMetrics().height() + 8)

    def set_margins(self, left: int, right: int) -> None:
        """Where the time begins and ends, as in the plots above."""
        self._left, self._right = left, right
        self.update()

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme
        self.update()

    def move_cursor(self, time_s: float | None) -> None:
        """Show the time of the cursor."""
        self._cursor_s = time_s
        self.update()

    def x_of(self, time_s: float) -> float:
        """Pixel column of a time."""
        start_s, end_s = self._window.start_s, self._window.end_s
        return self._left + (time_s - start_s) / (end_s - start_s) * (self.width() - self._left - self._right)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, metrics = QPainter(self), QFontMetricsF(self.font())
        painter.fillRect(self.rect(), QColor(self._theme.panel))
        painter.setPen(QColor(self._theme.muted))
        start_s, end_s = self._window.start_s, self._window.end_s
        for time_s in time_ticks(start_s, end_s, self.width() - self._left - self._right):
            painter.drawLine(QPointF(self.x_of(time_s), 0), QPointF(self.x_of(time_s), 3))
        for time_s in self.labelled_times():
            painter.drawText(self._place(time_s, metrics), Qt.AlignmentFlag.AlignCenter, clock_text(time_s))
        if self._cursor_s is not None and self._has_cursor:
            self._paint_cursor(painter, self._place(self._cursor_s, metrics), clock_text(self._cursor_s))
        painter.end()

    def labelled_times(self) -> list[float]:
        """Times of ticks that are written out: those that the time of the cursor leaves room for."""
        times = time_ticks(self._window.start_s, self._window.end_s, self.width() - self._left - self._right)
        if self._cursor_s is None or not self._has_cursor:
            return times
        metrics = QFontMetricsF(self.font())
        taken = self._place(self._cursor_s, metrics)
        return [time_s for time_s in times if not self._place(time_s, metrics).intersects(taken)]

    @property
    def _has_cursor(self) -> bool:
        return self._cursor_s is not None and self._window.start_s <= self._cursor_s <= self._window.end_s

    def _place(self, time_s: float, metrics: QFontMetricsF) -> QRectF:
        """Room for a time, moved inwards at the ends."""
        width = metrics.horizontalAdvance("000:00:00") + 4
        x = min(max(self.x_of(time_s) - width / 2, 0.0), self.width() - width)
        return QRectF(x, 4, width, metrics.height() + 2)

    def _paint_cursor(self, painter: QPainter, place: QRectF, text: str) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.cursor))
        painter.drawRoundedRect(place, 3, 3)
        painter.setPen(QColor(self._theme.panel))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
