"""Lost requests that come again: retries add to the load that made them (docs/model.md).

All tries that a step brings have the same chance of being lost, so the losses of a step are divided among first and
later tries as the arrivals of the step were.
"""

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.serving import Retries

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class Lost(NamedTuple):
    """What became of the tries that were lost in one step."""

    gave_up: float
    waiting: float


class RetryQueue:
    """Tries of one workload that wait for their back-off, and who they are among those that arrive."""

    def __init__(self, retries: Retries) -> None:
        self._back_off_us = [retries.back_off << number for number in range(retries.attempts)]
        self._due: list[deque[tuple[int, float]]] = [deque() for _ in self._back_off_us]
        self._first_only = [1.0] + [0.0] * retries.attempts
        self._shares = self._first_only

    def take(self, until_us: int, fresh: float) -> float:
        """Retries that arrive before `until_us`, in addition to `fresh` first tries in the same step."""
        if not any(self._due):
            if fresh > 0.0:
                self._shares = self._first_only
            return 0.0
        arrivals = [fresh]
        for waiting in self._due:
            back = 0.0
            while waiting and waiting[0][0] < until_us:
                back += waiting.popleft()[1]
            arrivals.append(back)
        total = sum(arrivals)
        if total > 0.0:
            self._shares = [count / total for count in arrivals]
        return total - fresh

    def lose(self, now_us: int, lost: float) -> Lost:
        """Tries lost in the step that ends now: each waits for its back-off, or was the last one."""
        if lost <= 0.0:
            return Lost(0.0, 0.0)
        for number, back_off_us in enumerate(self._back_off_us):
            self._due[number].append((now_us + back_off_us, lost * self._shares[number]))
        gave_up = lost * self._shares[-1]
        return Lost(gave_up, lost - gave_up)

    @property
    def waiting(self) -> float:
        """Tries that wait for their back-off now."""
        return sum(count for waiting in self._due for _, count in waiting)


class RetryQueues:
    """The queues of many workloads, by their positions; only those whose clients try again have one."""

    def __init__(self, retries: Sequence[Retries]) -> None:
        self._queues = {position: RetryQueue(one) for position, one in enumerate(retries) if one.attempts}
        self._has_queue = np.array([one.attempts > 0 for one in retries], np.bool_)

    def __bool__(self) -> bool:
        return bool(self._queues)

    def take(self, positions: Ints, until_us: int, fresh: Floats) -> Floats:
        """`RetryQueue.take` of these workloads."""
        back = np.zeros(len(positions))
        for index in np.flatnonzero(self._has_queue[positions]).tolist():
            back[index] = self._queues[int(positions[index])].take(until_us, float(fresh[index]))
        return back

    def lose(self, positions: Ints, now_us: int, lost: Floats) -> Floats:
        """How many of the tries that these workloads lost are lost for good; without a queue all of them."""
        gave_up = lost.copy()
        for index in np.flatnonzero(self._has_queue[positions] & (lost > 0.0)).tolist():
            gave_up[index] = self._queues[int(positions[index])].lose(now_us, float(lost[index])).gave_up
        return gave_up
