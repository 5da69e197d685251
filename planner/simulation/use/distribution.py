"""How amounts of CPU and memory in use are spread: counts in narrow buckets, of many containers at once."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_WIDTH = 1.01
"""Each bucket ends this much above its start: percentiles are up to 1 % too high."""
_BUCKETS = 3_100
"""Up to some 20 TB."""


class UseDistribution(NamedTuple):
    """What was used, over all samples: milli-CPU or bytes."""

    samples: int
    mean: float
    p50: float
    p90: float
    p95: float
    p99: float
    peak: int


class UseTallies:
    """The samples of many containers. A sample is a whole number of milli-CPU or bytes."""

    def __init__(self, rows: int) -> None:
        self._counts = np.zeros((rows, _BUCKETS), np.int32)
        self._sums, self._peaks = np.zeros(rows), np.zeros(rows, np.int64)

    def add(self, rows: Ints, amounts: Ints, times: Ints | int = 1) -> None:
        """A sample of each of these rows; `times`: it counts so often."""
        buckets = np.ceil(np.log(np.maximum(amounts, 1)) / np.log(_WIDTH)).astype(np.int64)
        np.add.at(self._counts, (rows, np.minimum(buckets, _BUCKETS - 1)), times)
        np.add.at(self._sums, rows, amounts * np.asarray(times, np.float64))
        np.maximum.at(self._peaks, rows, amounts)

    def of(self, row: int) -> UseDistribution | None:
        """The distribution of a row; None without a sample."""
        counts = self._counts[row]
        samples, peak = int(counts.sum()), int(self._peaks[row])
        if not samples:
            return None
        reached = np.searchsorted(np.cumsum(counts), np.array((0.5, 0.9, 0.95, 0.99)) * samples)
        p50, p90, p95, p99 = np.minimum(_WIDTH ** reached.astype(np.float64), peak).tolist()
        return UseDistribution(samples, float(self._sums[row]) / samples, p50, p90, p95, p99, peak)
