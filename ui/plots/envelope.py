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
        """The curve from `start_s` to `end_s` with at most about two points per pixel, one beyond either end.

        `times` rises and has one entry per value. Greatest and least values are kept, also where the curve
        has gaps next to them.
        """
        times = times[: len(self.values)]
        first = max(int(np.searchsorted(times, start_s, side="right")) - 1, 0)
        last = min(int(np.searchsorted(times, end_s, side="left")) + 1, len(times))
        level = _level_for(last - first, pixels)
        if level < 0:
            return Slice(times[first:last], self.values.view[first:last])
        self._complete(level)
        return self._reduced(times, first, last, level)

    def _reduced(self, times: Floats, first: int, last: int, level: int) -> Slice:
        size = 2 << level
        begin = first // size
        end = min(-(-last // size), len(self._low[level]))
        count = max(end - begin, 0)
        tail = (begin + count) * size
        low, high = self._low[level].view[begin:end], self._high[level].view[begin:end]
        starts = times[begin * size : tail : size]
        middles = times[begin * size + size // 2 : tail : size]
        x = np.empty(2 * count + max(last - tail, 0))
        y = np.empty_like(x)
        x[: 2 * count : 2], x[1 : 2 * count : 2] = starts, middles
        # The curve enters a bucket from the value before: the nearer extreme is drawn first.
        rising = _rising(self.values.view, begin * size, tail, size)
        y[: 2 * count : 2] = np.where(rising, low, high)
        y[1 : 2 * count : 2] = np.where(rising, high, low)
        if last > tail:
            x[2 * count :], y[2 * count :] = times[tail:last], self.values.view[tail:last]
        return Slice(x, y)


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
