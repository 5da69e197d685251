"""Histograms whose samples lose weight with age, a row each.

Vertical Pod Autoscaler 1.8, recommender/util/histogram.go, histogram_options.go, decaying_histogram.go. Times are
microseconds since the first day of the year 1, which is where the age of weights begins.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.vpa.recommender.exponential import power_of_two

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
EPOCH_US = 62_135_596_800_000_000
"""1970-01-01 on this scale."""
GROWTH = 1.05 - 1.0
"""How much wider each bucket is than the one before."""
_LOG_GROWTH = np.log(np.array([1.0 + GROWTH]))
EPSILON = 0.0001
"""Weights below count as none."""
_MOST_HALF_LIVES = 100
_CHECKPOINT_WEIGHT = 10_000
_NS_PER_US = 1000
"""Ages are divided in nanoseconds as upstream, since those of more than 104 days are no exact doubles."""


class Buckets:
    """Borders of buckets that grow by 5 %; the first is `first` wide, the last holds all from about `most` on."""

    def __init__(self, first: float, most: float) -> None:
        self._first = first
        self.count = math.ceil(math.log(most * GROWTH / first + 1.0) / math.log(1.0 + GROWTH)) + 1
        start = first * ((1.0 + GROWTH) ** np.arange(self.count) - 1.0) / GROWTH
        self.end = np.append(start[1:], start[-1])
        """What a percentile in each bucket reads as: its end, and the start of the last one."""

    def begin_of(self, end: float) -> float:
        """Where the bucket begins that ends there."""
        return max(0.0, (end - self._first) / (1.0 + GROWTH))

    def of(self, values: Floats) -> Ints:
        """The bucket of each value."""
        found = (np.log(values * GROWTH / self._first + 1.0) / _LOG_GROWTH).astype(np.int64)
        return np.where(values < self._first, 0, np.minimum(found, self.count - 1))


CPU_BUCKETS = Buckets(0.01, 1000.0)
"""Cores."""
MEMORY_BUCKETS = Buckets(1e7, 1e12)
"""Bytes."""


class Histograms:
    """Rows of weights by bucket, their sums, and the time at which a sample would weigh what it is given."""

    def __init__(self, buckets: Buckets, half_life_us: int, rows: int = 0) -> None:
        self.buckets = buckets
        self._half_life_us = half_life_us
        self._rows = rows
        self._weights = np.zeros((rows, buckets.count))
        self._used = slice(buckets.count, 0)
        """From the first to behind the last bucket that was ever used: all others are empty in every row."""
        self._total = np.zeros(rows)
        self.reference_us = np.zeros(rows, np.int64)

    def append(self, rows: int) -> None:
        """More rows, empty."""
        self._rows += rows
        missing = self._rows - len(self._total)
        if missing > 0:
            missing = max(missing, len(self._total))
            self._weights = np.concatenate([self._weights, np.zeros((missing, self.buckets.count))])
            self._total = np.concatenate([self._total, np.zeros(missing)])
            self.reference_us = np.concatenate([self.reference_us, np.zeros(missing, np.int64)])

    def add(self, rows: Ints, values: Floats, weight: float, times_us: Ints) -> None:
        """A sample for each of these rows, which may appear several times."""
        weights, buckets = weight * self._decay(rows, times_us), self.buckets.of(values)
        self._use(buckets)
        np.add.at(self._weights.reshape(-1), rows * self.buckets.count + buckets, weights)
        np.add.at(self._total, rows, weights)

    def subtract(self, rows: Ints, values: Floats, weight: float, times_us: Ints) -> None:
        """Take samples away that were added with the same weight and time; each row appears once."""
        weights, cells = weight * self._decay(rows, times_us), (rows, self.buckets.of(values))
        self._weights[cells] = _left(self._weights[cells], weights)
        self._total[rows] = _left(self._total[rows], weights)

    def is_empty(self, rows: Ints) -> NDArray[np.bool_]:
        """Rows without a weight that counts."""
        return np.asarray(~(self._weights[rows] >= EPSILON).any(axis=1), np.bool_)

    def percentiles(self, shares: tuple[float, ...], rows: Ints | None = None) -> Floats:
        """For each share a row of values: the end of the bucket where so much of the weight is reached, 0 if empty."""
        wanted = slice(self._rows) if rows is None else rows
        weights, total = self._weights[:, self._used][wanted], self._total[wanted]
        counts = weights >= EPSILON
        used = np.flatnonzero(counts.any(axis=0))
        if not len(used):
            return np.zeros((len(shares), len(weights)))
        width = int(used[-1]) + 1
        counts = counts[:, :width]
        least, most = counts.argmax(axis=1), width - 1 - counts[:, ::-1].argmax(axis=1)
        is_before = np.arange(width) < least[:, None]
        sums = np.cumsum(np.where(is_before, 0.0, weights[:, :width]), axis=1)
        found = [np.minimum((sums < (share * total)[:, None]).sum(axis=1), most) for share in shares]
        ends = self.buckets.end[self._used][np.maximum(np.array(found), least)]
        return np.where(counts.any(axis=1), ends, 0.0)

    def merged(self, rows: Ints, groups: Ints, group_count: int) -> "Histograms":
        """One histogram for each group of rows. Rows of a group are first brought to its latest reference time.

        Where every row is its own group, these are not copied: they change with the next sample.
        """
        if self._rows == group_count and np.array_equal(rows, groups) and np.array_equal(rows, np.arange(group_count)):
            return self
        made = Histograms(self.buckets, self._half_life_us, group_count)
        np.maximum.at(made.reference_us, groups, self.reference_us[rows])
        wanted_us = made.reference_us[groups]
        older = self.reference_us[rows] < wanted_us
        self._shift(rows[older], wanted_us[older])
        made._used = self._used
        weights, into = self._weights[:, self._used], made._weights[:, self._used]
        for some in _one_of_each(groups):
            into[groups[some]] += weights[rows[some]]
            made._total[groups[some]] += self._total[rows[some]]
        return made

    def checkpoint(self, row: int) -> tuple[dict[int, int], float]:
        """What a checkpoint keeps of a row: weights as whole numbers up to 10,000, and their real sum."""
        largest = float(self._weights[row].max())
        if largest <= 0.0:
            return {}, float(self._total[row])
        counts = np.flatnonzero(self._weights[row] >= EPSILON)
        scaled = np.floor(self._weights[row] * (_CHECKPOINT_WEIGHT / largest) + 0.5).astype(np.int64)
        kept = range(int(counts[0]), int(counts[-1]) + 1) if len(counts) else ()
        return {bucket: int(scaled[bucket]) for bucket in kept if scaled[bucket]}, float(self._total[row])

    def load(self, row: int, weights: dict[int, int], total: float, reference_us: int) -> None:
        """Put the content of a checkpoint into an empty row."""
        together = sum(weights.values())
        for bucket, weight in weights.items():
            self._weights[row, bucket] = weight * (total / together)
        self._use(np.array(list(weights), np.int64))
        self._total[row], self.reference_us[row] = total, reference_us

    def _use(self, buckets: Ints) -> None:
        if len(buckets):
            first, last = int(buckets.min()), int(buckets.max())
            self._used = slice(min(self._used.start, first), max(self._used.stop, last + 1))

    def _decay(self, rows: Ints, times_us: Ints) -> Floats:
        """Weight of a sample of each time against one at the reference, which moves on if it is too long ago."""
        age_us = times_us - self.reference_us[rows]
        far = age_us > _MOST_HALF_LIVES * self._half_life_us
        if far.any():
            for row, time_us in zip(rows[far].tolist(), times_us[far].tolist(), strict=True):
                if time_us > self.reference_us[row] + _MOST_HALF_LIVES * self._half_life_us:
                    self._shift(np.array([row]), np.array([time_us]))
            age_us = times_us - self.reference_us[rows]
        if len(age_us) > 1 and age_us.min() == age_us.max():  # samples of one minute against one reference
            return np.full(len(age_us), self._powers(age_us[:1])[0])
        return self._powers(age_us)

    def _powers(self, age_us: Ints) -> Floats:
        return power_of_two((age_us * _NS_PER_US) / (self._half_life_us * _NS_PER_US))

    def _shift(self, rows: Ints, times_us: Ints) -> None:
        """Move references to these times, rounded to whole half-lives."""
        half = self._half_life_us
        wanted_us = (times_us + half // 2) // half * half
        exponent = np.rint((self.reference_us[rows] - wanted_us) / half).astype(np.int64)
        factor = np.ldexp(1.0, np.maximum(exponent, -2000).astype(np.int32))
        self._weights[rows] *= factor[:, None]
        self._total[rows] *= factor
        self.reference_us[rows] = wanted_us


def _one_of_each(groups: Ints) -> Iterator[Ints]:
    """Places of the first member of each group, then of the second of those that have one, and so on."""
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    number = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))
    for at in range(int(number.max(initial=-1)) + 1):
        yield order[number == at]


def _left(weights: Floats, taken: Floats) -> Floats:
    left = weights - taken
    return np.where(left < EPSILON, 0.0, left)
