"""What a running plan has recorded since the last look; used in the run's thread only."""

from typing import TYPE_CHECKING

import numpy as np

from ui.runs.messages import RunChunk, RunStarted

if TYPE_CHECKING:
    from planner.api import RunView


class Feed:
    """Remembers what was handed on, so that a chunk copies new rows only."""

    def __init__(self, view: "RunView") -> None:
        self._view = view
        self._rows = 0
        self._decisions = 0
        self._statuses = 0
        view.recorder.watch_repeats()

    def started(self) -> RunStarted:
        """The first message of a run."""
        return RunStarted(tuple(self._view.recorder.series), self._view.until_us)

    def chunk(self, done_us: int, with_history: bool = False) -> RunChunk:
        """All that is new; if wanted with a copy of all nodes and pods."""
        recorder, first, known = self._view.recorder, self._rows, self._decisions
        time_us = np.array(recorder.series_time_us[first:], dtype=np.int64)
        values = recorder.series.since(first)
        recorded, repeated = recorder.decisions, recorder.take_repeats()
        repeats = tuple((row, recorded[row]) for row in repeated if row < known)
        decisions = tuple(recorded[known:])
        statuses = tuple(recorder.statuses[self._statuses :])
        self._rows, self._decisions = first + len(time_us), known + len(decisions)
        self._statuses += len(statuses)
        history = self._view.history() if with_history else None
        count = self._view.loop.event_count
        return RunChunk(done_us, count, time_us, values, decisions, repeats, statuses, history)
