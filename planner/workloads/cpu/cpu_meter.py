"""CPU time that pods have used besides the work of requests, kept by kind and pod by pod where they differ.

docs/model.md, "CPU". CPU is milli-CPU, CPU time core-seconds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.units import US_PER_S
from planner.workloads.cpu.running_pods import NOT_RUNNING, Ints, Moved

Floats = NDArray[np.float64]
_S_PER_MILLI_US = 1e-3 / US_PER_S


class Ended(NamedTuple):
    """Pods that run no more: rows and nodes."""

    rows: Ints
    node: Ints


class CpuMeter:
    """What a pod has used is what a pod of its kind would have used, and what it used besides."""

    def __init__(self) -> None:
        self._now_us = 0
        # Whole milli-CPU microseconds: sums do not depend on the moments at which they were added to.
        self._of_kind: Ints = np.zeros(0, np.int64)
        self._own: Ints = np.zeros(0, np.int64)

    def spend(self, now_us: int, kinds_milli: Ints, rows: Ints, kind: Ints, milli: Ints) -> None:
        """Pods of each kind have used this much since the last call; those of `rows` (of these kinds) `milli`."""
        elapsed, self._now_us = now_us - self._now_us, now_us
        if elapsed <= 0 or not len(kinds_milli):
            return
        missing = len(kinds_milli) - len(self._of_kind)
        if missing:
            self._of_kind = np.r_[self._of_kind, np.zeros(missing, np.int64)]
        self._of_kind = self._of_kind + kinds_milli * elapsed
        if len(rows):
            self._own[rows] += (milli - kinds_milli[kind]) * elapsed

    def move(self, moved: Moved, kinds: int) -> None:
        """Pods have changed their kind; there are so many kinds now."""
        self._reserve(int(moved.rows[-1]) + 1)
        missing = kinds - len(self._of_kind)
        if missing > 0:
            self._of_kind = np.r_[self._of_kind, np.zeros(missing, np.int64)]
        for kind, sign in ((moved.before, 1), (moved.after, -1)):
            had = np.flatnonzero(kind != NOT_RUNNING)
            self._own[moved.rows[had]] += sign * self._of_kind[kind[had]]

    def used_s(self, rows: Ints, kind: Ints) -> Floats:
        """What pods have used so far; `kind` NOT_RUNNING for those that have ended."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        used = self._own[rows]
        if not len(kind) or kind.min() > NOT_RUNNING:
            used += self._of_kind[kind]
        else:
            runs = np.flatnonzero(kind != NOT_RUNNING)
            used[runs] += self._of_kind[kind[runs]]
        return np.asarray(used * _S_PER_MILLI_US, np.float64)

    @property
    def columns(self) -> tuple[Ints, Ints, float]:
        """What pods have used of their own, by row, and what one of each kind has used, and the unit of both, seconds.

        Rows that are missing have used nothing.
        """
        return self._own, self._of_kind, _S_PER_MILLI_US

    def _reserve(self, count: int) -> None:
        missing = count - len(self._own)
        if missing > 0:
            self._own = np.r_[self._own, np.zeros(max(missing, len(self._own), 64), np.int64)]
