"""Runs that are there already: an executor that makes none, and only counts those that are missing."""

from collections.abc import Iterator, Sequence

from planner.experiments.execution.executor import Cancelled, J, R, Work


class OnlyKeptRuns:
    """Stands in for an executor where an experiment is opened again without running."""

    lanes = 1

    def __init__(self) -> None:
        self.missing = 0
        """Jobs that would have to be done."""

    def results(self, work: Work[J, R], jobs: Sequence[J], cancelled: Cancelled) -> Iterator[tuple[int, R]]:
        """Nothing."""
        self.missing += len(jobs)
        yield from ()

    def is_short(self) -> bool:
        """Whether something is missing; the experiment counts as cancelled then."""
        return self.missing > 0

    def close(self) -> None:
        """Nothing to end."""
