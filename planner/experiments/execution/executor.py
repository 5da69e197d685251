"""What every executor does: jobs in, results out as they finish, in any order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from planner.errors import PlannerError

J = TypeVar("J")
R = TypeVar("R")
Cancelled = Callable[[], bool]
Work = Callable[[J, Cancelled], R | None]
"""A function of a module, which other processes find by its name; None when it was cancelled."""


class ExecutorLost(PlannerError):
    """The processes that should run an experiment are not there, or keep ending."""


class Executor(Protocol):
    """Runs jobs; which executor it is never changes a result."""

    @property
    def lanes(self) -> int:
        """How many jobs run at once."""

    def results(self, work: Work[J, R], jobs: Sequence[J], cancelled: Cancelled) -> Iterator[tuple[int, R]]:
        """Position and result of each job as it finishes; ends early when `cancelled()` turns true.

        Raises what a job raised, and ExecutorLost.
        """

    def close(self) -> None:
        """End the processes, if there are any."""
