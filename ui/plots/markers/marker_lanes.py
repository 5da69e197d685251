"""A strip of lanes above the plots: what the autoscalers and the scheduler did, when."""

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from planner.record.decisions import Decision
from planner.units import US_PER_S
from ui.plots.markers.markers import DecisionMark, Kind, MarkLog, direction_of
from ui.plots.timeline.time_window import TimeWindow
from ui.process.guard import guarded
from ui.theme.theme import Theme
from ui.wording.explained import why_of
from ui.wording.numbers import clock_text

LANE_HEIGHT = 13
_TOLD = 8
"""So many decisions are spelled out in a tool tip."""
_LINED = frozenset({Kind.EVENT, Kind.PREEMPTION, Kind.EVICTION, Kind.KILL, Kind.SCALE_UP, Kind.FAULT})
"""Lanes whose marks go on as thin lines through the plots."""
_MOST_LINES = 24


class MarkerLanes(QWidget):
    """Marks of one run. Hover explains, click or arrow keys choose a decision, a further click the next one."""

    chosen = Signal(object)
    """The decision (planner.record.decisions.Decision) that was picked."""

    def __init__(self, window: TimeWindow, theme: Theme, left: int, right: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._window, self._theme = window, theme
        self._left, self._right = left, right
        self._log = MarkLog(())
        self._picked: Decision | None = None
        self.lanes: list[list[DecisionMark]] = []
        """What is drawn, a list per lane."""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(QCoreApplication.translate("plots", "Decisions over time"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_log(self, log: MarkLog) -> None:
        """Show the marks of a run from the start."""
        self._log, self._picked = log, None
        self.refresh()

    def set_margins(self, left: int, right: int) -> None:
        """Where the time begins and ends, as in the plots below."""
        if (left, right) != (self._left, self._right):
            self._left, self._right = left, right
            self.refresh()

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._theme = theme
        self.update()

    def refresh(self) -> None:
        """Lay the marks out for the time in view."""
        pixels = max(self.width() - self._left - self._right, 1)
        start_s, end_s = self._window.start_s, self._window.end_s
        self.lanes = [self._log.marks(kind, start_s, end_s, pixels) for kind in self._log.kinds]
        height = len(self._log.kinds) * LANE_HEIGHT
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(height)
            QTimer.singleShot(0, self, self.updateGeometry)  # the plots may be placed right now, with the old height
        self.setVisible(bool(self._log.kinds))
        self.update()

    def lined_times(self) -> list[float]:
        """Times of the marks that matter most; none if there are too many to distinguish."""
        marks = [mark for lane in self.lanes for mark in lane if mark.kind in _LINED]
        return [mark.first.time_us / US_PER_S for mark in marks] if len(marks) <= _MOST_LINES else []

    def sizeHint(self) -> QSize:
        return QSize(300, len(self._log.kinds) * LANE_HEIGHT)

    # -- painting ---------------------------------------------------------------------------------

    def resizeEvent(self, event: QEvent) -> None:
        self.refresh()

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self._theme.panel))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = painter.font()
        font.setPointSizeF(max(font.pointSizeF() * 0.82, 6.5))
        painter.setFont(font)
        for row, kind in enumerate(self._log.kinds):
            top = row * LANE_HEIGHT
            painter.setPen(QColor(self._theme.muted))
            label = QRectF(0, top, self._left - 6, LANE_HEIGHT)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, kind.title)
            painter.setPen(QColor(self._theme.grid))
            middle = top + LANE_HEIGHT / 2
            painter.drawLine(QPointF(self._left, middle), QPointF(self.width() - self._right, middle))
            for mark in self.lanes[row]:
                self._paint_mark(painter, mark, top)
        if self.hasFocus():
            painter.setPen(QColor(self._theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()

    def _paint_mark(self, painter: QPainter, mark: DecisionMark, top: int) -> None:
        is_picked = self._picked is not None and any(self._picked is one for one in mark.decisions)
        color = QColor(self._theme.accent if is_picked else _color(mark.kind, self._theme))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        middle, x = top + LANE_HEIGHT / 2, self._left + (mark.left + mark.right) / 2
        if len(mark.decisions) == 1:
            _paint_glyph(painter, QPointF(x, middle), direction_of(mark.first))
            return
        text = str(len(mark.decisions))
        width = QFontMetricsF(painter.font()).horizontalAdvance(text) + 8
        half = max(mark.right - mark.left + 8, width) / 2
        pill = QRectF(x - half, top + 1.5, 2 * half, LANE_HEIGHT - 3)
        painter.drawRoundedRect(pill, 5, 5)
        painter.setPen(QColor(self._theme.panel))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    # -- tool tips and picking --------------------------------------------------------------------

    def mark_at(self, x: float, y: float) -> DecisionMark | None:
        """The mark under a point of the widget."""
        row = int(y // LANE_HEIGHT)
        if not 0 <= row < len(self.lanes):
            return None
        at = x - self._left
        near = [mark for mark in self.lanes[row] if mark.left - 7 <= at <= mark.right + 7]
        return min(near, key=lambda mark: abs((mark.left + mark.right) / 2 - at), default=None)

    def explain(self, mark: DecisionMark) -> str:
        """What happened there, a decision a line."""
        line = QCoreApplication.translate("plots", "{time}  {subject}: {why}")
        lines = [
            line.format(time=clock_text(one.time_us / US_PER_S), subject=one.subject, why=why_of(one))
            for one in mark.decisions[:_TOLD]
        ]
        if len(mark.decisions) > _TOLD:
            more = QCoreApplication.translate("plots", "and {count} more")
            lines.append(more.format(count=len(mark.decisions) - _TOLD))
        return "\n".join([mark.kind.title, *lines])

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() is QEvent.Type.ToolTip:
            mark = self.mark_at(event.pos().x(), event.pos().y())
            if mark is None:
                QToolTip.hideText()
            else:
                QToolTip.showText(event.globalPos(), self.explain(mark), self)
            return True
        return bool(super().event(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        is_on = self.mark_at(event.position().x(), event.position().y()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if is_on else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        mark = self.mark_at(event.position().x(), event.position().y())
        if mark is not None and event.button() is Qt.MouseButton.LeftButton:
            self._pick(_after(mark.decisions, self._picked))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}
        everyone = sorted((one for lane in self.lanes for mark in lane for one in mark.decisions), key=_time)
        if event.key() not in steps or not everyone:
            super().keyPressEvent(event)
            return
        step = steps[Qt.Key(event.key())]
        at = next((n for n, one in enumerate(everyone) if one is self._picked), -1 if step > 0 else len(everyone))
        self._pick(everyone[min(max(at + step, 0), len(everyone) - 1)])

    def _pick(self, decision: Decision) -> None:
        self._picked = decision
        self.update()
        self.chosen.emit(decision)


def _time(decision: Decision) -> int:
    return decision.time_us


def _after(decisions: tuple[Decision, ...], picked: Decision | None) -> Decision:
    """The one after the picked one, or the first."""
    for position, decision in enumerate(decisions):
        if decision is picked:
            return decisions[(position + 1) % len(decisions)]
    return decisions[0]


def _color(kind: Kind, theme: Theme) -> str:
    if kind in (Kind.FAULT, Kind.KILL):
        return theme.bad
    if kind in (Kind.PREEMPTION, Kind.EVICTION):
        return theme.pending
    if kind is Kind.EVENT:
        return theme.text
    grow_and_shrink = {Kind.SCALE_UP: theme.good, Kind.SCALE_DOWN: theme.warn, Kind.NODE: theme.warn}
    return grow_and_shrink.get(kind, theme.muted)


def _paint_glyph(painter: QPainter, middle: QPointF, direction: int) -> None:
    """A triangle that points where the size goes, or a diamond."""
    x, y, size = middle.x(), middle.y(), 4.5
    if direction == 0:
        points = [(x, y - size), (x + size, y), (x, y + size), (x - size, y)]
    else:
        up = -size * direction
        points = [(x, y + up), (x + size, y - up * 0.8), (x - size, y - up * 0.8)]
    painter.drawPolygon(QPolygonF([QPointF(px, py) for px, py in points]))
