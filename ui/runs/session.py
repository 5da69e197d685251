"""The runs of this session: the current one, and the one it is compared with."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ui.runs.likeness import is_like
from ui.runs.run_data import RunData

MAX_RUNS = 20
MAX_BYTES = 2 << 30
"""Limits on the number and the size of the runs kept; beyond them the oldest are dropped."""


class RunSession(QObject):
    """Runs in the order they were started. All have numbers from 1; numbers are never given twice."""

    current_changed = Signal()
    baseline_changed = Signal()
    runs_changed = Signal()
    dropped = Signal(object)
    """The run (RunData) that had to go because there are too many."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[RunData, ...] = ()
        self._current: RunData | None = None
        self._baseline: RunData | None = None
        self._follows = True
        self._last_number = 0
        self._plan_number = 0
        self._plans: dict[Path, int] = {}

    @property
    def runs(self) -> tuple[RunData, ...]:
        """All runs that are kept."""
        return self._runs

    @property
    def current(self) -> RunData | None:
        """The run that the views show."""
        return self._current

    @property
    def baseline(self) -> RunData | None:
        """The run that the current one is compared with."""
        return self._baseline

    @property
    def compares_with_previous(self) -> bool:
        """Whether the baseline is always the like run before the current one; so until another is chosen."""
        return self._follows

    def take_over(self, other: "RunSession") -> None:
        """Have the runs of another session, which is not used any more; for one that no view shows yet."""
        for run in other._runs:
            run.setParent(self)
        self._runs, self._current, self._baseline = other._runs, other._current, other._baseline
        self._follows, self._last_number = other._follows, other._last_number
        self._plan_number, self._plans = other._plan_number, other._plans

    def begin_plan(self, path: Path | None) -> None:
        """Another plan is open; one of a file that was open before goes on where it was, and the same file that is read
        again keeps the run that is shown.
        """
        known, before = self._plans.get(path) if path is not None else None, self._plan_number
        self._plan_number = known if known is not None else 1 + max((self._plan_number, *self._plans.values()))
        self.name_plan(path)
        if self._plan_number != before:
            self.choose_current(None)

    def name_plan(self, path: Path | None) -> None:
        """The file of the open plan."""
        if path is not None:
            self._plans[path] = self._plan_number

    def next_number(self) -> int:
        """The number of the run that comes next."""
        self._last_number += 1
        return self._last_number

    def add(self, run: RunData) -> None:
        """A run has started: it becomes the current one, and the oldest that is not shown may be dropped."""
        run.setParent(self)
        run.plan_number = self._plan_number
        self._runs = (*self._runs, run)
        self._last_number = max(self._last_number, run.number)
        self.choose_current(run)
        gone = self._too_many()
        self._runs = tuple(run for run in self._runs if run not in gone)
        self.runs_changed.emit()
        for old in gone:
            self.dropped.emit(old)
            old.deleteLater()

    def _too_many(self) -> list[RunData]:
        """The oldest runs, as many as are needed to keep the bounds; the current one and the baseline stay."""
        count, weight = len(self._runs), sum(run.weight_bytes for run in self._runs)
        gone = []
        for run in self._runs:
            if count <= MAX_RUNS and weight <= MAX_BYTES:
                break
            if run is not self._current and run is not self._baseline and not run.state.is_live:
                gone.append(run)
                count, weight = count - 1, weight - run.weight_bytes
        return gone

    def choose_baseline(self, run: RunData | None) -> None:
        """Compare with this run from now on; None compares with nothing."""
        self._follows = False
        self._set_baseline(run)

    def compare_with_previous(self) -> None:
        """Compare each run with the like one before it: of the same plan, as long, and complete."""
        self._follows = True
        self._set_baseline(self._before_current())

    def choose_current(self, run: RunData | None) -> None:
        """Show this run."""
        if run is not self._current:
            self._current = run
            if self._follows:
                self._set_baseline(self._before_current())
            self.current_changed.emit()

    def _before_current(self) -> RunData | None:
        earlier: RunData | None = None
        for run in self._runs:
            if run is self._current:
                return earlier
            if self._current is not None and is_like(self._current, run):
                earlier = run
        return None

    def _set_baseline(self, run: RunData | None) -> None:
        if run is not self._baseline:
            self._baseline = run
            self.baseline_changed.emit()
