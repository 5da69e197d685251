"""Opens runs of an experiment as ordinary runs: both sides of a parting, or a seed on its own."""

from PySide6.QtCore import QObject, Signal

from planner.plan.model.plan import Plan
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession
from ui.runs.thread.controller import RunController


class RunPair(QObject):
    """Runs two plans one after the other; the first becomes the baseline of the second."""

    opened = Signal(float)
    """Both runs are there; go to this moment, in seconds."""

    def __init__(self, controller: RunController, session: RunSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller, self._session = controller, session
        self._next: tuple[Plan, int] | None = None
        self._first: RunData | None = None
        self._at_s = 0.0
        controller.state_changed.connect(self._go_on)

    def start(self, a: Plan, b: Plan, seed: int, at_s: float) -> None:
        """Run both with that seed."""
        self._next, self._at_s = None, at_s
        self._controller.start(a, seed)
        self._first, self._next = self._controller.run, (b, seed)

    def start_one(self, plan: Plan, seed: int) -> None:
        """Run one plan with that seed."""
        self._next = self._first = None
        self._controller.start(plan, seed)

    def _go_on(self) -> None:
        run = self._controller.run
        if run is None or self._first is None or run.state.is_live:
            return
        if run is self._first and self._next is not None:
            (plan, seed), self._next = self._next, None
            if run.state is RunState.FINISHED:
                self._controller.start(plan, seed)
            else:
                self._first = None  # stopped by the user, or failed
        elif run is not self._first and self._next is None:
            first, self._first = self._first, None
            if run.state is RunState.FINISHED and first in self._session.runs:
                self._session.choose_baseline(first)
                self.opened.emit(self._at_s)
