"""How long the requests in a backlog really waited: until the work before them was done.

A request that arrives at t waits until the integral of capacity from t reaches the backlog before it, so the worst
wait belongs to an earlier arrival than the largest backlog. Source: spec/load-latency-cost.md section 3.
"""

from collections import deque

_SHORTEST_US = 1_000_000


class BacklogWaits:
    """Follows requests that arrive at the ends of steps while the backlog is longer than a step of service.

    In very short steps it must be longer than a second: what is served in them says little.
    """

    def __init__(self) -> None:
        self._served = 0.0
        self._waiting: deque[tuple[int, float]] = deque()
        self.worst_s = 0.0
        """Longest wait of a request that met a backlog and was served."""
        self.worst_us = -1
        """When that request arrived; -1 while there was none."""

    def add(self, end_us: int, step_us: int, served: float, in_flight: float) -> list[tuple[int, float]]:
        """One step that ends at `end_us`; arrivals (time, seconds waited) whose turn came in it."""
        self._served += served
        settled: list[tuple[int, float]] = []
        while self._waiting and self._waiting[0][1] <= self._served:
            arrived_us, turn = self._waiting.popleft()
            left = (self._served - turn) / served if served > 0.0 else 0.0
            wait_s = (end_us - left * step_us - arrived_us) / 1e6
            settled.append((arrived_us, wait_s))
            if wait_s > self.worst_s:
                self.worst_s, self.worst_us = wait_s, arrived_us
        if in_flight * step_us > served * max(step_us, _SHORTEST_US):
            self._waiting.append((end_us, self._served + in_flight))
        elif in_flight == 0.0:
            self._waiting.clear()
        return settled
