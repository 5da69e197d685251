"""The one point in simulated time that all views look at."""

from PySide6.QtCore import QObject, Signal

from ui.runs.calm import Calm
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession

BESIDE_A_RUN_MS = 50
"""Beside a run views are told of moves at most so often: every picture of another moment is time taken from the run."""


class TimeCursor(QObject):
    """A time of the run in seconds, or None while the views look at the newest."""

    moved = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._time_s: float | None = None
        self._run: RunData | None = None
        self._telling = Calm(self.moved.emit, 0, self)

    @property
    def time_s(self) -> float | None:
        """The position of the cursor."""
        return self._time_s

    def move(self, time_s: float | None) -> None:
        """Put the cursor there; views are notified if it moves."""
        if time_s != self._time_s:
            self._time_s = time_s
            self._telling.soon()

    def give_way_to(self, session: RunSession) -> None:
        """Tell views less often while the current run of this session goes on."""

        def follow() -> None:
            if self._run is not None:
                self._run.state_changed.disconnect(self._choose_interval)
            self._run = session.current
            if self._run is not None:
                self._run.state_changed.connect(self._choose_interval)
            self._choose_interval()

        session.current_changed.connect(follow)
        follow()

    def _choose_interval(self) -> None:
        is_running = self._run is not None and self._run.state is RunState.RUNNING
        self._telling.interval_ms = BESIDE_A_RUN_MS if is_running else 0
