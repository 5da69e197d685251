"""Who calls whom: the requests that a workload serves make calls to others."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.workloads.load.demand import Floats, Ints
from planner.workloads.served_workload import ServedWorkload


class Calls:
    """The calls of workloads by position, and their levels: each workload comes after all that call it."""

    def __init__(self, items: Sequence[ServedWorkload], position_of: Mapping[int, int], owner: Ints) -> None:
        """`owner`: position of the workload from whose queue each fetches: their steps are taken together."""
        calls = [
            (position, position_of[row], per_request)
            for position, item in enumerate(items)
            for row, per_request in item.calls
        ]
        self._caller = np.array([caller for caller, _, _ in calls], np.int64)
        self._callee = np.array([callee for _, callee, _ in calls], np.int64)
        self._per_request = np.array([per_request for _, _, per_request in calls])
        self._level: Ints = np.zeros(len(items), np.int64)
        for _ in items:  # a chain is no longer than there are workloads, and calls never form cycles
            if not len(calls):
                break
            before = self._level.copy()
            np.maximum.at(self._level, self._callee, self._level[self._caller] + 1)
            self._level = np.maximum(self._level, self._level[owner])
            if np.array_equal(before, self._level):
                break
        self._levels = int(self._level.max()) + 1 if len(items) else 0

    def __bool__(self) -> bool:
        return len(self._caller) > 0

    def levels_of(self, positions: Ints) -> Iterator[Ints]:
        """The positions by level, first level first."""
        if self._levels == 1:
            yield positions
            return
        level = self._level[positions]
        for one in range(self._levels):
            yield positions[level == one]

    def with_callers(self, positions: Ints) -> Ints:
        """Positions and all that call them, ascending."""
        if not len(self._caller):
            return positions
        wanted: NDArray[np.bool_] = np.zeros(len(self._level), np.bool_)
        wanted[positions] = True
        for _ in range(self._levels):
            wanted[self._caller[wanted[self._callee]]] = True
        return np.flatnonzero(wanted)

    def made(self, part: Ints, served: Floats) -> Floats:
        """Calls to each workload that the served requests of some make."""
        of_all = np.zeros(len(self._level))
        of_all[part] = served
        made = np.bincount(self._callee, of_all[self._caller] * self._per_request, minlength=len(of_all))
        return made.astype(np.float64)
