"""The data behind one curve of one run, kept up to date as the run progresses."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.record.text.latency_bounds import subject_of
from ui.plots.catalogue import Together
from ui.plots.curves.curves import Curve
from ui.plots.curves.envelope import Cells, Envelope
from ui.runs.run_data import RunData
from ui.wording.numbers import Unit, value_text

Floats = NDArray[np.float64]
Columns = NDArray[np.intp]
"""Positions of series among the names of a run."""
_S_PER_H = 3600.0


class CurveData:
    """Combines columns of a run into one curve. Columns that the run does not have count as nothing."""

    def __init__(self, curve: Curve, run: RunData) -> None:
        self.curve, self.run = curve, run
        self._columns = _known(curve.columns, run)
        self._own = _known(curve.own, run)
        self._envelope = Envelope()
        self._sum = 0.0
        """What an accumulating curve had come to at the last time taken over."""

    def __len__(self) -> int:
        return len(self._envelope)

    @property
    def is_empty(self) -> bool:
        """Whether the run has none of the columns."""
        return not len(self._columns)

    def catch_up(self) -> bool:
        """Take over what the run has recorded since the last call; whether there was anything new."""
        begin, end = len(self._envelope), len(self.run.time_s)
        if self.is_empty or end <= begin:
            return False
        if self.curve.line.accumulates:
            values = self._sum + self._accumulated(self._columns, max(begin - 1, 0), end)[begin - max(begin - 1, 0) :]
            self._sum = float(values[-1])
        else:
            values = _combined(self.run, self._columns, self.curve.combine, begin, end)
        values[np.isinf(values)] = np.nan  # a percentile of requests that are never answered has no place in a plot
        self._envelope.append(values)
        return True

    def drawn(self, cells: Cells) -> Floats:
        """Values to draw, one for every time of the cells."""
        return self._envelope.drawn(cells)

    def value_at(self, time_s: float | None) -> float:
        """The curve's own value at a time, or the newest; nan where there is none."""
        times = self.run.time_s
        row = len(times) - 1 if time_s is None else int(np.searchsorted(times, time_s, side="right")) - 1
        if row < 0 or not len(self._own):
            return float("nan")
        if self.curve.line.accumulates:
            return float(self._accumulated(self._own, 0, row + 1)[-1])
        return float(_combined(self.run, self._own, self.curve.combine, row, row + 1)[0])

    def text_at(self, time_s: float | None, unit: Unit) -> str:
        """That value for reading: a latency at most as long as the time-out, beyond which no request is answered."""
        value = self.value_at(time_s)
        if unit is Unit.MILLISECONDS and len(self._own) and value >= self._longest_ms:
            return f"≥ {value_text(self._longest_ms, unit)}"
        return value_text(value, unit)

    @cached_property
    def _longest_ms(self) -> float:
        bounds = self.run.latency_bounds
        return max(bounds.longest_ms(subject_of(self.run.names[column])) for column in self._own)

    def own_values(self) -> Floats:
        """All values of the curve's own part, one per time of the run."""
        if not len(self._own):
            return np.full(len(self.run.time_s), np.nan)
        if self.curve.line.accumulates:
            return self._accumulated(self._own, 0, len(self.run.time_s))
        return _combined(self.run, self._own, self.curve.combine, 0, len(self.run.time_s))

    def _accumulated(self, columns: Columns, begin: int, end: int) -> Floats:
        """What the rates per hour come to from the first of these rows on: each holds until the next row."""
        rates = _combined(self.run, columns, self.curve.combine, begin, end)
        sums = np.zeros(end - begin)
        np.cumsum(np.diff(self.run.time_s[begin:end]) * rates[:-1] / _S_PER_H, out=sums[1:])
        return sums


def _known(columns: Sequence[str], run: RunData) -> Columns:
    return np.array([run.rows[column] for column in columns if column in run.rows], np.intp)


def _combined(run: RunData, columns: Columns, how: Together, begin: int, end: int) -> Floats:
    values = run.parts(columns, begin, end)
    total: Floats = np.fmax.reduce(values) if how is Together.WORST else values.sum(axis=0)
    return total
