"""Requests of a series of points: how many arrive between two points is known, by chance is only when.

A trace and other lists of points say what was counted. The chance of arrivals is in these counts already; drawing
Poisson numbers on top of them would count it twice. Within an interval each of the requests that are still to come
arrives in the next step with the same probability, its share of the rest of the interval (a binomial number).
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.traffic import ClipLoad, LoadProfile, PointsLoad, ScaleLoad, TraceLoad

Floats = NDArray[np.float64]
_NEVER_US = 1 << 62


class _Series(NamedTuple):
    """Moments of the points of one profile, and the distance of its repetitions; 0: none."""

    points_us: list[int]
    length_us: int

    def next_us(self, now_us: int) -> int:
        """The first point after a moment."""
        done_us = (now_us - self.points_us[0]) // self.length_us * self.length_us if self.length_us else 0
        at = bisect_right(self.points_us, now_us - done_us)
        if at < len(self.points_us):
            return done_us + self.points_us[at]
        return done_us + self.length_us + self.points_us[0] if self.length_us else _NEVER_US


class RecordedArrivals:
    """The intervals of many profiles; those without points are one endless interval."""

    def __init__(self, profiles: Sequence[LoadProfile | None]) -> None:
        found = [_series(profile) for profile in profiles]
        self._series = {row: series for row, series in enumerate(found) if series is not None}
        self._end_us = np.array([0 if row in self._series else _NEVER_US for row in range(len(found))], np.int64)
        self._owed, self._nothing = np.zeros((2, len(found)))
        """Requests of the present interval that should have arrived and have not."""

    def __bool__(self) -> bool:
        return bool(self._series)

    def step(self, now_us: int, dt_us: int, expected: Floats) -> tuple[Floats, Floats]:
        """Mean number of requests in the step to come, and its share of the rest of the interval; by profile.

        `expected`: by the rate alone.
        """
        if not self._series:
            return expected, self._nothing
        for row in np.flatnonzero(self._end_us <= now_us).tolist():
            self._end_us[row], self._owed[row] = self._series[row].next_us(now_us), 0.0
        left_us = self._end_us - now_us
        share = np.where(self._end_us < _NEVER_US, np.minimum(1.0, dt_us / left_us), 0.0)
        return np.maximum(0.0, expected + share * self._owed), share

    def arrived(self, expected: Floats, count: Floats, share: Floats) -> None:
        """So many arrived in the step that `step` was called for."""
        if not self._series:
            return
        self._owed += np.where(share > 0.0, expected - count, 0.0)


def _series(profile: LoadProfile | None) -> _Series | None:
    match profile:
        case ScaleLoad() | ClipLoad():
            return _series(profile.profile)
        case PointsLoad() if len(profile.points) > 1:
            return _Series([point.at for point in profile.points], 0)
        case TraceLoad() if len(profile.points) > 1:
            moved_us = profile.points[0].at + profile.skip - profile.shift
            repeats = profile.at_end == "repeat"
            return _Series([point.at - moved_us for point in profile.points], profile.length_us if repeats else 0)
    return None
