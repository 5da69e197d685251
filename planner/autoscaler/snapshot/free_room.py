"""What is free at each position of a simulated cluster, and where pods find room."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.snapshot.domain_counts import Mask
from planner.autoscaler.snapshot.round_robin import fill_rounds, room_for, visiting_order
from planner.state.resources import Amounts, pod_amounts
from planner.state.specs import PodSpec

_FIRST_LOOK = 64
_FIRST_TRIES = 4
"""Positions looked at one by one before whole stretches are: most searches end at once."""


class _Need(NamedTuple):
    """Requests of one pod of a template, the pod itself counted."""

    amounts: Amounts
    by_column: tuple[tuple[int, int], ...]
    """Column and amount of each requested resource: faster than the array for a single node."""


class FreeRoom:
    """Room by position; what pods ask is known by template."""

    def __init__(self, allocatable: NDArray[np.int64], free: NDArray[np.int64]) -> None:
        """Both of shape (positions, resources)."""
        self._needs: dict[int, _Need] = {}
        self.allocatable = allocatable
        self.free = free

    def need(self, spec: PodSpec) -> Amounts:
        """Requests of one pod of the template, the pod itself counted."""
        return self._need(spec).amounts

    def needed(self, spec: PodSpec) -> tuple[tuple[int, int], ...]:
        """The same as columns with what they have to have free."""
        return self._need(spec).by_column

    def has_room(self, spec: PodSpec, position: int) -> bool:
        """Whether one pod of the template fits there, resources only."""
        free = self.free[position].tolist()
        for column, amount in self._need(spec).by_column:
            if free[column] < amount:
                return False
        return True

    def first_fit(self, spec: PodSpec, allowed: Mask, start: int) -> int | None:
        """The first allowed position with room, walking round from `start`."""
        count, asked = len(self.free), self._need(spec).by_column
        for position in range(start, min(start + _FIRST_TRIES, count)):
            if allowed[position]:
                free = self.free[position].tolist()
                for column, amount in asked:
                    if free[column] < amount:
                        break
                else:
                    return position
        near = min(start + _FIRST_LOOK, count)
        for begin, end in ((start, near), (near, count), (0, start)):
            hits = self._with_room(spec, allowed, begin, end)
            if len(hits):
                return begin + int(hits[0])
        return None

    def fill(self, spec: PodSpec, accepts: Mask, start: int, count: int) -> list[int]:
        """Take the room of up to `count` pods of a template, each where the search after the last one finds it first.

        Their positions in that order, of those that `accepts` allows; the first search begins at `start`.
        """
        need = self._need(spec).amounts
        taken = fill_rounds(np.where(accepts, room_for(self.free, need), 0), start, count)
        self.free -= taken[:, np.newaxis] * need
        found: list[int] = visiting_order(taken, start).tolist()
        return found

    def _with_room(self, spec: PodSpec, allowed: Mask, begin: int, end: int) -> NDArray[np.int64]:
        fits = allowed[begin:end]
        for column, amount in self._need(spec).by_column:
            fits = fits & (self.free[begin:end, column] >= amount)
        return np.flatnonzero(fits)

    def _need(self, spec: PodSpec) -> _Need:
        known = self._needs.get(spec.index)
        if known is None:
            amounts = pod_amounts(spec.request)
            columns = np.flatnonzero(amounts).tolist()
            known = _Need(amounts, tuple(zip(columns, amounts[columns].tolist(), strict=True)))
            self._needs[spec.index] = known
        return known
