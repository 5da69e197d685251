"""A week of a pool's disruption budgets, drawn as seven days of 24 hours."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from planner.karpenter.pools.budget_calendar import AllowedTime
from planner.karpenter.pools.budget_schedule import UNLIMITED
from planner.language.translation import language
from ui.process.guard import guarded
from ui.theme.theme import ThemeSource

_DAYS, _HOURS, _HOUR_STEP = 7, 24, 6
_ROW_PX, _GAP_PX, _NAMES_PX, _SIDE_PX = 18, 3, 44, 14
_SHARE = 0.3


class BudgetWeek(QWidget):
    """Red: no disruption; coloured: so many nodes at once; green: no limit."""

    def __init__(self, theme: ThemeSource, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._begins = datetime.min
        self.times: Sequence[AllowedTime] = ()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Disruptions allowed in the course of a week, UTC"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, self._top() + _DAYS * (_ROW_PX + _GAP_PX))

    def show_times(self, begins: datetime, times: Sequence[AllowedTime]) -> None:
        """Another week; `begins`: its Monday at midnight."""
        self._begins, self.times = begins, times
        self.setAccessibleDescription("; ".join(map(self._sentence, times)))
        self.update()

    def _top(self) -> int:
        return self.fontMetrics().height() + _GAP_PX

    def _x_of(self, hour: float) -> float:
        return _NAMES_PX + (self.width() - _NAMES_PX - _SIDE_PX) * hour / _HOURS

    def _y_of(self, day: int) -> int:
        return self._top() + day * (_ROW_PX + _GAP_PX)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(self._theme.current.muted))
        for hour in range(0, _HOURS + 1, _HOUR_STEP):
            place = QRectF(self._x_of(hour) - 20, 0, 40, self._top())
            painter.drawText(place, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, f"{hour}")
        for day in range(_DAYS):
            place = QRectF(0, self._y_of(day), _NAMES_PX - 6, _ROW_PX)
            name = _day_name(day + 1)
            painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, name)
        for time in self.times:
            self._paint(painter, time)

    def _paint(self, painter: QPainter, time: AllowedTime) -> None:
        theme = self._theme.current
        for place in self._places(time):
            painter.fillRect(place, theme.pale(self._color(time.allowed), _SHARE))
            painter.setPen(QColor(theme.text))
            text = number_of(time.allowed)
            if painter.fontMetrics().horizontalAdvance(text) + 4 <= place.width():
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)

    def _color(self, allowed: int) -> QColor:
        theme = self._theme.current
        return QColor(theme.bad if allowed == 0 else theme.good if allowed == UNLIMITED else theme.accent)

    def _places(self, time: AllowedTime) -> list[QRectF]:
        """A rectangle for each day that the time touches."""
        found = []
        for day in range(_DAYS):
            midnight = self._begins + timedelta(days=day)
            hours = [(at - midnight) / timedelta(hours=1) for at in (time.begins, time.ends)]
            first, last = max(hours[0], 0.0), min(hours[1], float(_HOURS))
            if first < last:
                left = self._x_of(first)
                found.append(QRectF(left, self._y_of(day), self._x_of(last) - left - 1, _ROW_PX))
        return found

    @guarded
    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            under = (time for time in self.times for place in self._places(time) if place.contains(event.pos()))
            QToolTip.showText(event.globalPos(), "".join(map(self._sentence, list(under)[:1])), self)
            return True
        return super().event(event)

    def _sentence(self, time: AllowedTime) -> str:
        span = f"{self._moment(time.begins)} – {self._moment(time.ends)}"
        if time.allowed == 0:
            return self.tr("{span}: no disruption").format(span=span)
        if time.allowed == UNLIMITED:
            return self.tr("{span}: no limit").format(span=span)
        return self.tr("{span}: at most {count} at once").format(span=span, count=time.allowed)

    def _moment(self, at: datetime) -> str:
        return f"{_day_name(at.isoweekday())} {at:%H:%M}"


def _day_name(day: int) -> str:
    """In the language of the texts; 1: Monday."""
    return QLocale(language()).standaloneDayName(day, QLocale.FormatType.ShortFormat)


def number_of(allowed: int) -> str:
    """As it is written into the calendar."""
    return "∞" if allowed == UNLIMITED else f"{allowed}"
