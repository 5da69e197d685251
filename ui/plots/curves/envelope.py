"""Curves reduced to what the screen can show, without losing a peak or a dip.

A curve of a long run has far more points than the screen has columns. An `Envelope` keeps, beside the values,
the least and the greatest value of every 2, 4, 8, ... neighbours, brought up to date when a level is drawn.
Drawing then takes one slice of the level whose buckets are one to two pixels wide: at most two points per pixel.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_FIRST_CAPACITY = 1024


class Growing:
    """A float array that is appended to in place; `view` shows what is there."""

    def __init__(self) -> None:
        self._data = np.empty(_FIRST_CAPACITY)
        self._count = 0

    def __len__(self) -> int:
        return self._count

    @property
    def view(self) -> Floats:
        return self._data[: self._count]

    def extend(self, values: Floats) -> None:
        end = self._count + len(values)
        if end > len(self._data):
            bigger = np.empty(max(end, 2 * len(self._data)))
            bigger[: self._count] = self._data[: self._count]
            self._data = bigger
        self._data[self._count : end] = values
        self._count = end


class Slice(NamedTuple):
    """Points to draw."""

    x: Floats
    y: Floats


class Cells(NamedTuple):
    """How the values in view are put together: `buckets` of 2**(level+1) values, then value by value."""

    level: int
    """-1 for no buckets."""
    first: int
    last: int
    buckets: int
    tail: int
    """First value after the buckets."""
    x: Floats
    """Times of the points to draw."""


class Envelope:
    """The values of one curve and the least and greatest of its buckets; nan means there was no value."""

    def __init__(self) -> None:
        self.values = Growing()
        self._low: list[Growing] = []
        """Level k has buckets of 2**(k+1) values; only complete buckets are kept."""
        self._high: list[Growing] = []

    def __len__(self) -> int:
        return len(self.values)

    def append(self, values: Floats) -> None:
        """Add values at the end."""
        self.values.extend(values)

    def _complete(self, level: int) -> None:
        """Bring the levels up to this one up to date with the values."""
        low = high = self.values
        for step in range(level + 1):
            if step == len(self._low):
                self._low.append(Growing())
                self._high.append(Growing())
            done, ready = len(self._low[step]), len(low) // 2
            if ready > done:
                self._low[step].extend(np.fmin.reduce(_pairs(low.view, done, ready), axis=1))
                self._high[step].extend(np.fmax.reduce(_pairs(high.view, done, ready), axis=1))
            low, high = self._low[step], self._high[step]

    def window(self, times: Floats, start_s: float, end_s: float, pixels: int) -> Slice:
        """The curve from `start_s` to `end_s`; see `cells_of` and `drawn`. `times` has one entry per value."""
        cells = cells_of(times[: len(self.values)], start_s, end_s, pixels)
        return Slice(cells.x, self.drawn(cells))

    def drawn(self, cells: Cells) -> Floats:
        """A value for every `x` of the cells: of buckets the least and the greatest.

        So both are kept, also where the curve has gaps next to them.
        """
        if cells.level < 0:
            return self.values.view[cells.first : cells.last]
        self._complete(cells.level)
        size, count = 2 << cells.level, cells.buckets
        begin, tail = cells.first // size, cells.tail
        low = self._low[cells.level].view[begin : begin + count]
        high = self._high[cells.level].view[begin : begin + count]
        y = np.empty(len(cells.x))
        # The curve enters a bucket from the value before: the nearer extreme is drawn first.
        rising = _rising(self.values.view, begin * size, tail, size)
        y[: 2 * count : 2] = np.where(rising, low, high)
        y[1 : 2 * count : 2] = np.where(rising, high, low)
        y[2 * count :] = self.values.view[tail : cells.last]
        return y


def cells_of(times: Floats, start_s: float, end_s: float, pixels: int) -> Cells:
    """The values from `start_s` to `end_s` and one beyond either end, in cells: about two points per pixel.

    `times` rises. Curves over the same times share the cells.
    """
    first = max(int(np.searchsorted(times, start_s, side="right")) - 1, 0)
    last = min(int(np.searchsorted(times, end_s, side="left")) + 1, len(times))
    level = _level_for(last - first, pixels)
    if level < 0:
        return Cells(level, first, last, 0, first, times[first:last])
    size = 2 << level
    begin = first // size
    count = max(min(-(-last // size), len(times) // size) - begin, 0)
    tail = (begin + count) * size
    last = max(last, tail)
    x = np.empty(2 * count + last - tail)
    x[: 2 * count : 2], x[1 : 2 * count : 2] = (
        times[begin * size : tail : size],
        times[begin * size + size // 2 : tail : size],
    )
    x[2 * count :] = times[tail:last]
    return Cells(level, first, last, count, tail, x)


def _pairs(values: Floats, done: int, ready: int) -> Floats:
    return values[2 * done : 2 * ready].reshape(-1, 2)


def _rising(values: Floats, begin: int, end: int, size: int) -> NDArray[np.bool_]:
    """Whether each bucket ends higher than it begins."""
    result: NDArray[np.bool_] = values[begin + size - 1 : end : size] >= values[begin:end:size]
    return result


def _level_for(points: int, pixels: int) -> int:
    """Level of the narrowest buckets of which there are no more than pixels; -1 takes every value."""
    per_pixel = -(-points // max(pixels, 1))
    return (per_pixel - 1).bit_length() - 1
