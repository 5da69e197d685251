"""Which of equally good nodes is taken: Kubernetes leaves it open (docs/decisions/ties.md)."""

from typing import Protocol

import numpy as np

from planner.scheduler.cycle.select import NameOrder
from planner.scheduler.interface import Rows


class Ties(Protocol):
    """Chooses among equals."""

    def choose(self, rows: Rows) -> int:
        """One of the node rows, which are in the order of the search."""

    def offset(self, count: int) -> int:
        """Where a list of so many candidates is begun."""


class FirstByName:
    """The smallest name wins, and lists are begun at their start: the same whatever the seed."""

    def __init__(self, names: NameOrder) -> None:
        self._names = names

    def choose(self, rows: Rows) -> int:
        """The row with the smallest name."""
        return self._names.smallest(rows)

    def offset(self, count: int) -> int:
        """Always the start."""
        return 0


class Drawn:
    """Drawn from a generator of the plan's seed."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._generator = generator

    def choose(self, rows: Rows) -> int:
        """Any row with the same chance; nothing is drawn for a single one."""
        return int(rows[0 if len(rows) == 1 else self.offset(len(rows))])

    def offset(self, count: int) -> int:
        """Any position with the same chance."""
        return int(self._generator.random() * count)
