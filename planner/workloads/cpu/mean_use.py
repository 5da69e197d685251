"""Mean CPU use between two looks: what is spent is shown once, and nothing is left out.

CPU is milli-CPU, CPU time core-seconds.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.units import US_PER_S
from planner.workloads.cpu.cpu_meter import Ended
from planner.workloads.cpu.running_pods import NOT_RUNNING, Ints

Floats = NDArray[np.float64]
Rows = NDArray[np.int32]
Sizes = tuple[int, int]
Running = tuple[Ints, tuple[Ints, Ints]]
"""Rows of pods that run; nodes and kinds by pod row."""
Used = tuple[Callable[[Ints, Ints], Floats], tuple[Any, Any]]
"""What pods of these rows and kinds have used so far, and the columns that this is read from."""
_MILLI_S = 1e3 * US_PER_S


class UseOfRow(NamedTuple):
    """Milli-CPU."""

    by_workload: Floats
    by_node: Floats


class MeanUse:
    """CPU time at the last look by pod row, and the pods that have ended since."""

    def __init__(self) -> None:
        self._seen: Floats = np.zeros(0)
        self._ended: list[Ended] = []
        self._last_us = 0
        self._kernel = _kernel()

    def end(self, ended: Ended) -> None:
        """Pods run no more."""
        if len(ended.rows):
            self._ended.append(ended)

    def look(self, now_us: int, pods: Running, used: Used, workload: Rows, sizes: Sizes) -> UseOfRow:
        """Mean use since the last look, of pods that run and of those that ended.

        `workload`: by pod row; `sizes`: how many workload rows and node rows there are.
        """
        missing = len(workload) - len(self._seen)
        if missing > 0:
            self._seen = np.r_[self._seen, np.zeros(max(missing, len(self._seen), 64))]
        elapsed_us = now_us - self._last_us
        self._last_us, ended, self._ended = now_us, _joined(self._ended), []
        milli_per_s = _MILLI_S / elapsed_us if elapsed_us > 0 else 0.0
        return self._sums(pods, ended, used, milli_per_s, workload, sizes)

    def _sums(
        self, pods: Running, ended: Ended | None, used: Used, milli_per_s: float, workload: Rows, sizes: Sizes
    ) -> UseOfRow:
        rows, (node, kind) = pods
        used_s, columns = used
        if self._kernel is not None:
            found = UseOfRow(np.zeros(sizes[0]), np.zeros(sizes[1]))
            self._kernel((rows, node, kind), True, *columns, milli_per_s, self._seen, workload, *found)
            if ended is not None:
                gone = *ended, np.full(len(ended.rows), NOT_RUNNING)
                self._kernel(gone, False, *columns, milli_per_s, self._seen, workload, *found)
            return found
        node, kind = node[rows], kind[rows]
        if ended is not None:
            rows, node = np.concatenate([rows, ended.rows]), np.concatenate([node, ended.node])
            kind = np.concatenate([kind, np.full(len(ended.rows), NOT_RUNNING)])
        total = used_s(rows, kind)
        # Rounding of the sums must not show.
        milli = np.maximum(0.0, total - self._seen[rows]) * milli_per_s
        self._seen[rows] = total
        by_workload = np.bincount(workload[rows], milli, minlength=sizes[0]).astype(np.float64)
        return UseOfRow(by_workload, np.bincount(node, milli, minlength=sizes[1]).astype(np.float64))


def _joined(ended: list[Ended]) -> Ended | None:
    if len(ended) < 2:
        return ended[0] if ended else None
    return Ended(*(np.concatenate(column) for column in zip(*ended, strict=True)))


def _kernel() -> Callable[..., None] | None:
    """The compiled twin of the sums, and of what pods have used."""
    if not switch.in_use():
        return None
    from planner.kernels.load.cpu_time import add_mean_use

    return add_mean_use
