"""A line in the log when a run begins, pauses and ends, for reports of faults."""

import logging

from PySide6.QtCore import QObject

from planner.units import US_PER_S
from ui.runs.run_data import RunData, RunState
from ui.runs.session import RunSession

_LOG = logging.getLogger("headroom")


class RunLog(QObject):
    """Follows the runs of a session."""

    def __init__(self, session: RunSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._followed = 0
        session.runs_changed.connect(self._follow)

    def _follow(self) -> None:
        for run in self._session.runs:
            if run.number > self._followed:
                self._followed = run.number
                _LOG.info("run %d started: seed %d, %d s", run.number, run.seed, run.until_us // US_PER_S)
                run.state_changed.connect(lambda run=run: _log_state(run))


def _log_state(run: RunData) -> None:
    if run.state is RunState.RUNNING:
        return
    _LOG.info(
        "run %d %s: %d s simulated, %d events, %d decisions",
        run.number, run.state.name.lower(), run.done_us // US_PER_S, run.event_count, len(run.decisions),
    )  # fmt: skip
