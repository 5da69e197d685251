"""Work of Job pods: the core seconds that each must receive before it ends (docs/model.md).

Whole numbers throughout: work is milli-CPU microseconds, so that the moment of the end is exact while CPU is constant.
"""

import numpy as np
from numpy.typing import NDArray

from planner.units import US_PER_S
from planner.workloads.cpu.usage import Received

Ints = NDArray[np.int64]
MILLI_US_PER_CORE_S = 1000 * US_PER_S


def ends_at_us(now_us: int, left: int, milli: int) -> int | None:
    """When so much work is done by so much CPU, rounded up to microseconds; None: never."""
    return None if milli <= 0 else now_us + -(-max(0, left) // milli)


class JobWork:
    """What is left to do by pod row, how fast it goes, and since when."""

    def __init__(self) -> None:
        self._left: Ints = np.zeros(0, np.int64)
        self._milli: Ints = np.zeros(0, np.int64)
        self._since_us: Ints = np.zeros(0, np.int64)

    def begin(self, pod: int, core_seconds: float, now_us: int) -> None:
        """A pod begins its work, or starts over; it receives nothing yet."""
        missing = pod + 1 - len(self._left)
        if missing > 0:
            missing = max(missing, len(self._left), 64)
            self._left, self._milli, self._since_us = (
                np.concatenate([column, np.zeros(missing, np.int64)])
                for column in (self._left, self._milli, self._since_us)
            )
        self._left[pod] = round(core_seconds * MILLI_US_PER_CORE_S)
        self._milli[pod], self._since_us[pod] = 0, now_us

    def follow(self, received: Received, now_us: int) -> list[tuple[int, int | None]]:
        """From now on pods receive so much: those for which that is new, and when each of them ends (None: never)."""
        changed = self._milli[received.pods] != received.milli
        pods, milli = received.pods[changed], received.milli[changed]
        self._left[pods] -= self._milli[pods] * (now_us - self._since_us[pods])
        self._milli[pods], self._since_us[pods] = milli, now_us
        return [
            (pod, ends_at_us(now_us, left, each))
            for pod, left, each in zip(pods.tolist(), self._left[pods].tolist(), milli.tolist(), strict=True)
        ]
