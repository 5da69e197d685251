"""Pods per value of a node label, over the positions of a snapshot."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.topology.matchers import Matcher

Mask = NDArray[np.bool_]
NO_DOMAIN = 2_147_483_647


class Topology:
    """The value of one label at every position as a number; 0 where the node lacks the label."""

    def __init__(self, names: dict[str, int], numbers: NDArray[np.int64]) -> None:
        """`names`: the number of every value; `numbers`: those of the positions."""
        self._names = names
        self.numbers = numbers

    @classmethod
    def of(cls, values: Iterable[str | None]) -> "Topology":
        """The value at every position, None where the node lacks the label."""
        found = cls({}, np.zeros(0, dtype=np.int64))
        found.add(values)
        return found

    @property
    def size(self) -> int:
        """Numbers are below this."""
        return len(self._names) + 1

    @property
    def has(self) -> Mask:
        """Positions whose node has the label."""
        return self.numbers > 0

    def add(self, values: Iterable[str | None]) -> None:
        """Positions join at the end."""
        more = [0 if value is None else self._names.setdefault(value, len(self._names) + 1) for value in values]
        self.numbers = np.concatenate([self.numbers, np.array(more, dtype=np.int64)])

    def copy(self) -> "Topology":
        """A copy that can grow by itself."""
        return Topology(dict(self._names), self.numbers)


class DomainCounts:
    """Pods that a matcher chooses, per value of a label."""

    def __init__(
        self,
        matcher: Matcher | None,
        topology: Topology,
        counted: Mask | None = None,
        pods: NDArray[np.int64] | None = None,
    ) -> None:
        self.matcher = matcher
        """Chooses the pods; None chooses none."""
        self.topology = topology
        self.counted = counted
        """Positions that count at all; None: all."""
        self.pods = np.zeros(topology.size, dtype=np.int64) if pods is None else pods
        """Chosen pods by the value's number; none at first."""

    def change(self, position: int, count: int) -> None:
        """Chosen pods come to a position, or leave it when `count` is negative."""
        number = self.topology.numbers[position]
        if number and (self.counted is None or self.counted[position]):
            self.pods[number] += count

    def occupied(self) -> Mask:
        """Positions whose domain holds a chosen pod."""
        found: Mask = (self.pods > 0)[self.topology.numbers]
        return found

    def is_occupied(self, position: int) -> bool:
        """The same for one position."""
        return bool(self.pods[self.topology.numbers[position]] > 0)

    def grow(self, counted: Mask) -> None:
        """The topology has got more positions; `counted`: of the new ones."""
        missing = self.topology.size - len(self.pods)
        if missing:
            self.pods = np.concatenate([self.pods, np.zeros(missing, dtype=np.int64)])
        if self.counted is not None:
            self.counted = np.concatenate([self.counted, counted])

    def copy(self, topology: Topology) -> "DomainCounts":
        """A copy over the copy of its topology."""
        return DomainCounts(self.matcher, topology, self.counted, self.pods.copy())
