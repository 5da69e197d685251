"""The one point in simulated time that all views look at."""

from PySide6.QtCore import QObject, Signal


class TimeCursor(QObject):
    """A time of the run in seconds, or None while the views look at the newest."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._time_s: float | None = None

    @property
    def time_s(self) -> float | None:
        """The position of the cursor."""
        return self._time_s

    def move(self, time_s: float | None) -> None:
        """Put the cursor there; views are notified if it moves."""
        if time_s != self._time_s:
            self._time_s = time_s
            self.moved.emit()
