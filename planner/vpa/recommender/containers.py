"""The containers that run now: which of their samples count, and their memory peaks in the present window.

Vertical Pod Autoscaler 1.8, recommender/model/container.go.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.vpa.recommender.aggregates import UNSET_US, Aggregates
from planner.vpa.recommender.estimators import amounts

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_MIB = 1024 * 1024


@dataclass(frozen=True)
class MemoryRules:
    """How memory samples of a container count."""

    interval_us: int = 24 * 3_600_000_000
    """The highest memory use in every interval counts."""
    intervals: int = 8
    """For so many intervals without a sample what a container used is kept."""
    bump_ratio: float = 1.2
    bump_bytes: float = 100.0 * _MIB
    """After an OOM kill a container is taken to need that much more: the larger of both."""

    @property
    def kept_us(self) -> int:
        """How long use without new samples is kept."""
        return self.interval_us * self.intervals


class Containers:
    """Columns by container instance; a row is never used again."""

    def __init__(self, aggregates: Aggregates) -> None:
        self._aggregates = aggregates
        self._count = 0
        self.aggregate: Ints = np.zeros(0, np.int64)
        """Row of the aggregate that gets its samples."""
        self._cpu_us: Ints = np.zeros(0, np.int64)
        self._memory_us: Ints = np.zeros(0, np.int64)
        self._end_us: Ints = np.zeros(0, np.int64)
        """End of the present window."""
        self._interval_us: Ints = np.zeros(0, np.int64)
        self._peak: Ints = np.zeros(0, np.int64)
        self._oom_peak: Ints = np.zeros(0, np.int64)
        self._rules: list[MemoryRules] = []

    def add(self, aggregates: list[int], rules: list[MemoryRules]) -> int:
        """New instances with their aggregates; the first of their rows."""
        first, self._count = self._count, self._count + len(aggregates)
        missing = self._count - len(self.aggregate)
        if missing > 0:
            nothing = np.full(max(missing, len(self.aggregate)), UNSET_US, np.int64)
            for name in ("aggregate", "_cpu_us", "_memory_us", "_end_us", "_interval_us", "_peak", "_oom_peak"):
                setattr(self, name, np.concatenate([getattr(self, name), nothing]))
        self.aggregate[first : self._count] = aggregates
        self._interval_us[first : self._count] = [one.interval_us for one in rules]
        self._rules += rules
        return first

    def add_cpu(self, rows: Ints, milli: Ints, times_us: Ints) -> Bools:
        """A CPU sample of each of these instances; which were newer than the last one and count."""
        counts = (times_us > self._cpu_us[rows]) & (milli >= 0)
        if not counts.all():
            rows, milli, times_us = rows[counts], milli[counts], times_us[counts]
        self._aggregates.add_cpu(self.aggregate[rows], milli / 1000.0, times_us)
        self._cpu_us[rows] = times_us
        return np.asarray(counts, np.bool_)

    def add_memory(self, rows: Ints, memory: Ints, times_us: Ints, is_oom: bool = False) -> Bools:
        """A memory sample of each of these instances, bytes; which were not older than the last one and count.

        Only the highest of a window is kept, with the weight of the window's end.
        """
        counts = memory >= 0
        if not is_oom:
            counts &= times_us >= self._memory_us[rows]
        if not counts.all():
            rows, memory, times_us = rows[counts], memory[counts], times_us[counts]
        self._memory_us[rows] = times_us
        first = self._end_us[rows] == UNSET_US
        self._end_us[rows[first]] = times_us[first]
        highest = np.maximum(self._peak[rows], self._oom_peak[rows])
        is_next = times_us >= self._end_us[rows]
        is_higher = ~is_next & (highest != 0) & (memory > highest)
        if is_higher.any():
            self._aggregates.take_peaks(
                self.aggregate[rows[is_higher]], highest[is_higher].astype(np.float64), self._end_us[rows[is_higher]]
            )
        self._open_windows(rows[is_next], times_us[is_next])
        new = is_next | is_higher
        peaks = self._oom_peak if is_oom else self._peak
        peaks[rows[new]] = memory[new]
        self._aggregates.add_peaks(self.aggregate[rows[new]], memory[new].astype(np.float64), self._end_us[rows[new]])
        return np.asarray(counts, np.bool_)

    def add_oom(self, row: int, time_us: int, requested: int) -> bool:
        """A container was killed for want of memory with such a request, bytes; whether that counts."""
        rules = self._rules[row]
        if time_us < self._memory_us[row] - rules.interval_us:
            return False
        used = max(requested, int(self._peak[row]))
        needed = max(used + int(rules.bump_bytes), int(amounts(np.array([used * rules.bump_ratio]))[0]))
        self.add_memory(np.array([row]), np.array([needed]), np.array([time_us]), is_oom=True)
        return True

    def open_peaks(self, rows: Ints, now_us: int) -> tuple[Ints, Ints, Ints]:
        """Of instances whose window is still open: rows, highest use in it, and its end."""
        rows = rows[now_us < self._end_us[rows]]
        return rows, np.maximum(self._peak[rows], self._oom_peak[rows]), self._end_us[rows]

    def _open_windows(self, rows: Ints, times_us: Ints) -> None:
        """Move the ends of windows by whole intervals beyond these times."""
        interval_us = self._interval_us[rows]
        self._end_us[rows] += (times_us - self._end_us[rows]) // interval_us * interval_us + interval_us
        self._peak[rows] = self._oom_peak[rows] = 0
