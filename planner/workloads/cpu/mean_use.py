"""Mean CPU use between two looks: what is spent is shown once, and nothing is left out.

CPU is milli-CPU, CPU time core-seconds.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.units import US_PER_S
from planner.workloads.cpu.cpu_meter import Ended
from planner.workloads.cpu.running_pods import Ints

Floats = NDArray[np.float64]
_MILLI_S = 1e3 * US_PER_S


class MeanUse:
    """CPU time at the last look by pod row, and the pods that have ended since."""

    def __init__(self) -> None:
        self._seen: Floats = np.zeros(0)
        self._ended: list[Ended] = []
        self._last_us = 0

    def end(self, ended: Ended) -> None:
        """Pods run no more."""
        if len(ended.rows):
            self._ended.append(ended)

    def look(self, now_us: int, rows: Ints, node: Ints, used_s: Callable[[Ints], Floats]) -> tuple[Ints, Ints, Floats]:
        """Pods, their nodes and the mean use of each since the last look; of these that run, and those that ended."""
        if self._ended:
            rows = np.concatenate([rows, *(one.rows for one in self._ended)])
            node = np.concatenate([node, *(one.node for one in self._ended)])
        missing = int(rows.max()) + 1 - len(self._seen) if len(rows) else 0
        if missing > 0:
            self._seen = np.r_[self._seen, np.zeros(max(missing, len(self._seen), 64))]
        total, elapsed_us = used_s(rows), now_us - self._last_us
        used = np.maximum(0.0, total - self._seen[rows])  # rounding of the sums must not show
        self._seen[rows], self._last_us, self._ended = total, now_us, []
        return rows, node, used * (_MILLI_S / elapsed_us) if elapsed_us > 0 else np.zeros(len(rows))
