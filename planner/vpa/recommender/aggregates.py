"""What containers of one name and one set of pod labels used together, a row each.

Vertical Pod Autoscaler 1.8, recommender/model/aggregate_container_state.go and cluster.go.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.vpa.recommender.histograms import CPU_BUCKETS, MEMORY_BUCKETS, Histograms

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
UNSET_US = 0
"""No time: the first day of the year 1."""
_CPU_WEIGHT = 0.1
_MEMORY_WEIGHT = 1.0
_US_PER_H = 3_600_000_000
_US_PER_S = 1_000_000
_GARBAGE_US = _US_PER_H


@dataclass(frozen=True)
class AggregationRules:
    """Flags of the recommender that say how fast samples lose weight: by half in these times."""

    cpu_half_life_us: int = 24 * _US_PER_H
    memory_half_life_us: int = 24 * _US_PER_H


class Checkpoint(NamedTuple):
    """What outlives the process of what one container of a VPA used. Times in whole seconds."""

    cpu: tuple[dict[int, int], float, int]
    memory: tuple[dict[int, int], float, int]
    """Weights by bucket, their sum, reference time."""
    samples: int
    first_us: int
    last_us: int


class Merged(NamedTuple):
    """What each container of each VPA used: histograms and numbers of CPU samples, a row for each slot."""

    cpu: Histograms
    memory: Histograms
    samples: Ints
    first_us: Ints
    last_us: Ints

    def checkpoint(self, slot: int) -> Checkpoint:
        """What is saved of a slot."""
        cpu, memory = ((*one.checkpoint(slot), _seconds(one.reference_us[slot])) for one in (self.cpu, self.memory))
        times_us = _seconds(self.first_us[slot]), _seconds(self.last_us[slot])
        return Checkpoint(cpu, memory, int(self.samples[slot]), *times_us)


class Aggregates:
    """Histograms and times of each row. `slot` is the container of a VPA that it counts for."""

    def __init__(self, rules: AggregationRules) -> None:
        self.cpu = Histograms(CPU_BUCKETS, rules.cpu_half_life_us)
        self.memory = Histograms(MEMORY_BUCKETS, rules.memory_half_life_us)
        self._samples: Ints = np.zeros(0, np.int64)
        self._first_us: Ints = np.zeros(0, np.int64)
        self._last_us: Ints = np.zeros(0, np.int64)
        self._created_us: Ints = np.zeros(0, np.int64)
        self._slot: Ints = np.zeros(0, np.int64)
        self._kept_us: Ints = np.zeros(0, np.int64)
        self._alive: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._loaded: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._collected_us = UNSET_US

    def add(self, slot: int, kept_us: int, now_us: int) -> int:
        """A new row for a slot; it is kept for so long without samples."""
        self.cpu.append(1)
        self.memory.append(1)
        for name in ("_samples", "_first_us", "_last_us", "_created_us", "_slot", "_kept_us"):
            setattr(self, name, np.append(getattr(self, name), 0))
        self._alive, self._loaded = np.append(self._alive, True), np.append(self._loaded, False)
        self._created_us[-1], self._slot[-1], self._kept_us[-1] = now_us, slot, kept_us
        return len(self._slot) - 1

    def load(self, slot: int, saved: Checkpoint) -> None:
        """A row with what an earlier process saved."""
        row = self.add(slot, 0, UNSET_US)
        self._loaded[row] = True
        self.cpu.load(row, *saved.cpu)
        self.memory.load(row, *saved.memory)
        self._samples[row], self._first_us[row], self._last_us[row] = saved.samples, saved.first_us, saved.last_us

    def add_cpu(self, rows: Ints, cores: Floats, times_us: Ints, count: int = 1) -> None:
        """CPU samples, each of them so often; a row may appear several times."""
        self.cpu.add(rows, cores, _CPU_WEIGHT * count, times_us)
        np.add.at(self._samples, rows, count)
        np.maximum.at(self._last_us, rows, times_us)
        fresh = self._first_us[rows] == UNSET_US
        if fresh.any():
            self._first_us[rows[fresh]] = np.iinfo(np.int64).max
        np.minimum.at(self._first_us, rows, times_us)

    def add_peaks(self, rows: Ints, memory: Floats, ends_us: Ints, count: int = 1) -> None:
        """Peaks of memory use, each of them so often, in windows that end at these times."""
        self.memory.add(rows, memory, _MEMORY_WEIGHT * count, ends_us)

    def take_peaks(self, rows: Ints, memory: Floats, ends_us: Ints) -> None:
        """Take peaks away that a higher one replaces."""
        for row, value, end_us in zip(rows.tolist(), memory.tolist(), ends_us.tolist(), strict=True):
            self.memory.subtract(np.array([row]), np.array([value]), _MEMORY_WEIGHT, np.array([end_us]))

    def are_alive(self, rows: Ints) -> bool:
        """Whether none of these rows was dropped."""
        return bool(self._alive.all() or self._alive[rows].all())

    def slots(self) -> Ints:
        """Slots with an aggregate."""
        return np.unique(self._slot[self._alive])

    def slots_of(self, rows: Ints) -> Ints:
        """The slots that these rows count for."""
        return self._slot[rows]

    def merged(self, slot_count: int) -> Merged:
        """All that counts, by slot."""
        rows = np.flatnonzero(self._alive)
        slots = self._slot[rows]
        samples, first, last = (np.zeros(slot_count, np.int64) for _ in range(3))
        np.add.at(samples, slots, self._samples[rows])
        np.maximum.at(last, slots, self._last_us[rows])
        known = self._first_us[rows] != UNSET_US
        first[slots[known]] = np.iinfo(np.int64).max
        np.minimum.at(first, slots[known], self._first_us[rows[known]])
        cpu = self.cpu.merged(rows, slots, slot_count)
        return Merged(cpu, self.memory.merged(rows, slots, slot_count), samples, first, last)

    def is_garbage_due(self, now_us: int) -> bool:
        """Whether the last collection is an hour ago."""
        return now_us - self._collected_us >= _GARBAGE_US

    def collect_garbage(self, now_us: int, active_rows: Iterable[int]) -> list[int]:
        """Drop what is empty without a pod, and what has no sample for long. The rows."""
        self._collected_us = now_us
        is_active = np.zeros(len(self._slot), np.bool_)
        is_active[list(active_rows)] = True
        since_us = np.where(self._samples > 0, self._last_us, self._created_us)
        expired = now_us - since_us >= self._kept_us
        dropped = self._alive & ~self._loaded & (expired | (~is_active & (self._samples == 0)))
        self._alive &= ~dropped
        return [int(row) for row in np.flatnonzero(dropped)]


def _seconds(time_us: int) -> int:
    return int(time_us) // _US_PER_S * _US_PER_S
