"""Readings of a run that are kept until it has more: a cursor that moves asks only for its own moment."""

from ui.figures.readings import Readings
from ui.figures.so_far import SoFar
from ui.runs.run_data import RunData


class KnownReadings:
    """Of one run, which may go on."""

    def __init__(self, run: RunData) -> None:
        self._run, self._so_far = run, SoFar(run)
        self._whole: Readings | None = None
        self._place: tuple[object, ...] = ()

    def up_to(self, end_s: float | None) -> Readings:
        """Up to the time that is reached; None for the whole run."""
        place = self._run.names, self._run.state, len(self._run.time_s), end_s
        if self._whole is None or place != self._place:
            self._whole, self._place = Readings(self._run, end_s, self._sums()), place
        return self._whole

    def at(self, time_s: float | None, end_s: float | None) -> Readings:
        """At a moment, which may be the time that is reached."""
        return self.up_to(end_s) if time_s == end_s else Readings(self._run, time_s, self._sums())

    def _sums(self) -> SoFar:
        if not self._so_far.is_of(self._run):
            self._so_far = SoFar(self._run)
        return self._so_far
