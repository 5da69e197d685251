"""The part of the run's time that all plots show."""

from PySide6.QtCore import QObject, Qt, Signal

from ui.runs.time_cursor import TimeCursor

_LEAST_SPAN_S = 1.0
_FOLLOWED_SHARE = 0.15
"""Share of the run that is followed when following begins with the whole run in view."""
_ROOM_AHEAD = 0.03
_KEY_STEP = 0.1
"""Share of the shown time that an arrow key moves."""


class TimeWindow(QObject):
    """Start and end in simulated seconds; the whole run until the user zooms."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._total_s = 3600.0
        self._done_s = 0.0
        self._zoomed: tuple[float, float] | None = None
        self._follows = False

    @property
    def start_s(self) -> float:
        return self._zoomed[0] if self._zoomed is not None else 0.0

    @property
    def end_s(self) -> float:
        return self._zoomed[1] if self._zoomed is not None else self._total_s

    @property
    def is_whole(self) -> bool:
        """Whether all of the run is in view."""
        return self._zoomed is None

    @property
    def follows(self) -> bool:
        """Whether the window moves on with a run that is going."""
        return self._follows

    def set_extent(self, total_s: float, done_s: float) -> None:
        """How long the run is and how far it has come."""
        total_s = max(total_s, _LEAST_SPAN_S)
        is_new = total_s != self._total_s
        self._total_s, self._done_s = total_s, done_s
        if self._zoomed is not None and self._zoomed[0] >= total_s:
            self._zoomed, is_new = None, True
        if self._follows:
            self._catch_up()
        elif is_new:
            self.changed.emit()

    def zoom(self, start_s: float, end_s: float) -> None:
        """Show this part; never outside the run, never less than a second."""
        start_s, end_s = min(start_s, end_s), max(start_s, end_s)
        span_s = min(max(end_s - start_s, _LEAST_SPAN_S), self._total_s)
        start_s = min(max(start_s, 0.0), self._total_s - span_s)
        wanted = (start_s, start_s + span_s) if span_s < self._total_s else None
        if wanted != self._zoomed:
            self._zoomed = wanted
            self.changed.emit()

    def zoom_by(self, factor: float, center_s: float) -> None:
        """Make the span `factor` times as long; the time `center_s` stays where it is."""
        self.zoom(center_s - (center_s - self.start_s) * factor, center_s + (self.end_s - center_s) * factor)

    def pan(self, by_s: float) -> None:
        """Move the window; it stops at the ends of the run and stops following."""
        if self._zoomed is not None:
            self._follows = False
            self.zoom(self.start_s + by_s, self.end_s + by_s)

    def reset(self) -> None:
        """Show the whole run."""
        self._follows = False
        if self._zoomed is not None:
            self._zoomed = None
        self.changed.emit()

    def follow(self, on: bool) -> None:
        """Keep the newest in view, with the span that is shown or a part of the run."""
        if on == self._follows:
            return
        self._follows = on
        if on and self._zoomed is None:
            span_s = self._total_s * _FOLLOWED_SHARE
            self._zoomed = (0.0, span_s)
        if on:
            self._catch_up()
        self.changed.emit()

    def _catch_up(self) -> None:
        span_s = self.end_s - self.start_s
        end_s = min(max(self._done_s + span_s * _ROOM_AHEAD, span_s), self._total_s)
        if (end_s - span_s, end_s) != self._zoomed:
            self._zoomed = (end_s - span_s, end_s)
            self.changed.emit()


def steer(key: int, window: TimeWindow, cursor: TimeCursor) -> bool:
    """Zoom at the cursor, pan, show the whole run or unpin the cursor; False for keys that mean nothing here."""
    center_s = cursor.time_s if cursor.time_s is not None else (window.start_s + window.end_s) / 2
    match key:
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            window.zoom_by(0.5, center_s)
        case Qt.Key.Key_Minus:
            window.zoom_by(2.0, center_s)
        case Qt.Key.Key_Left | Qt.Key.Key_Right:
            step = _KEY_STEP if key == Qt.Key.Key_Right else -_KEY_STEP
            window.pan(step * (window.end_s - window.start_s))
        case Qt.Key.Key_0:
            window.reset()
        case Qt.Key.Key_Home:
            cursor.move(None)
        case _:
            return False
    return True
