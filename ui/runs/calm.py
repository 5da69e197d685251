"""Limits the update rate of views that are unreadable at ten updates per second."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer


class Calm(QObject):
    """Calls `action` at once, and while calls keep coming at most every `interval_ms`; none is lost.

    What such a view leaves out belongs to the run's thread: every repaint makes it wait many times.
    """

    def __init__(self, action: Callable[[], None], interval_ms: int, parent: QObject) -> None:
        super().__init__(parent)
        self._action, self.interval_ms = action, interval_ms
        self._since = QElapsedTimer()
        self._late = QTimer(self, singleShot=True)
        self._late.timeout.connect(self.now)

    def soon(self) -> None:
        """There is something new."""
        waited_ms = self._since.elapsed() if self._since.isValid() else self.interval_ms
        if waited_ms >= self.interval_ms:
            self.now()
        elif not self._late.isActive():
            self._late.start(self.interval_ms - waited_ms)

    def now(self) -> None:
        """Do not wait."""
        self._late.stop()
        self._since.start()
        self._action()
