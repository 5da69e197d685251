"""Lost requests that come again (spec/load-latency-cost.md section 2): retries add to the load that made them.

All tries that a step brings have the same chance of being lost, so the losses of a step are divided among first and
later tries as the arrivals of the step were.
"""

from collections import deque
from typing import NamedTuple

from planner.plan.serving import Retries


class Lost(NamedTuple):
    """What became of the tries that were lost in one step."""

    gave_up: float
    waiting: float


class RetryQueue:
    """Tries that wait for their back-off, and who they are among those that arrive."""

    def __init__(self, retries: Retries) -> None:
        self._back_off_us = [retries.back_off << number for number in range(retries.attempts)]
        self._due: list[deque[tuple[int, float]]] = [deque() for _ in self._back_off_us]
        self._shares = [1.0] + [0.0] * retries.attempts

    def take(self, until_us: int, fresh: float) -> float:
        """Tries that come again before `until_us`, beside `fresh` first ones in the same step."""
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
