"""How long the requests in a backlog really waited: until the work before them was done.

A request that arrives at t waits until the integral of capacity from t reaches the backlog before it, so the worst
wait belongs to an earlier arrival than the largest backlog.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
_SHORTEST_US = 1_000_000


class Settled(NamedTuple):
    """A request of a workload whose turn has come: when it arrived and how long it waited."""

    position: int
    arrived_us: int
    wait_s: float


class BacklogWaits:
    """Follows requests of many workloads that arrive at the ends of steps while a backlog is longer than a step.

    In very short steps it must be longer than a second: what is served in them says little.
    """

    def __init__(self, count: int) -> None:
        self.ever_served = np.zeros(count)
        """Requests since the start of the run, by position of the workload."""
        self._waiting: dict[int, deque[tuple[int, float]]] = {}
        self.worst_s = np.zeros(count)
        """Longest wait of a request that met a backlog and was served, by position of the workload."""
        self.worst_us = np.full(count, -1, np.int64)
        """When that request arrived; -1 while there was none."""

    def add(self, positions: Ints, end_us: int, step_us: Ints, served: Floats, in_flight: Floats) -> list[Settled]:
        """One step of these workloads that ends at `end_us`; requests whose turn came in it."""
        self.ever_served[positions] += served
        if not self._waiting and not np.count_nonzero(_are_behind(step_us, served, in_flight)):
            return []
        return self.follow(positions, end_us, step_us, served, in_flight)

    @property
    def are_waiting(self) -> bool:
        """Whether any request is followed."""
        return bool(self._waiting)

    def follow(self, positions: Ints, end_us: int, step_us: Ints, served: Floats, in_flight: Floats) -> list[Settled]:
        """The same once what was served is counted in `ever_served`."""
        behind = _are_behind(step_us, served, in_flight)
        settled: list[Settled] = []
        for index, position in enumerate(positions.tolist()):
            if behind[index] or position in self._waiting:
                step = (end_us, int(step_us[index]), float(served[index]))
                settled.extend(self._settle(position, *step))
                self._follow(position, end_us, float(in_flight[index]), bool(behind[index]))
        for position, arrived_us, wait_s in settled:
            if wait_s > self.worst_s[position]:
                self.worst_s[position], self.worst_us[position] = wait_s, arrived_us
        return settled

    def _settle(self, position: int, end_us: int, step_us: int, served: float) -> list[Settled]:
        """Requests of a workload whose turn came in the step."""
        done, waiting, settled = float(self.ever_served[position]), self._waiting.get(position), []
        while waiting and waiting[0][1] <= done:
            arrived_us, turn = waiting.popleft()
            left = (done - turn) / served if served > 0.0 else 0.0
            settled.append(Settled(position, arrived_us, (end_us - left * step_us - arrived_us) / 1e6))
        return settled

    def _follow(self, position: int, end_us: int, in_flight: float, behind: bool) -> None:
        if behind:
            turn = float(self.ever_served[position]) + in_flight
            self._waiting.setdefault(position, deque()).append((end_us, turn))
        elif in_flight == 0.0 or not self._waiting[position]:
            del self._waiting[position]


def _are_behind(step_us: Ints, served: Floats, in_flight: Floats) -> NDArray[np.bool_]:
    """Where a backlog is longer than a step."""
    return np.asarray(in_flight * step_us > served * np.maximum(step_us, _SHORTEST_US))
