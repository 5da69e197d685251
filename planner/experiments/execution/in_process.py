"""One job after the other, in this process."""

from collections.abc import Iterator, Sequence

from planner.experiments.execution.executor import Cancelled, J, R, Work


class InProcess:
    """An executor without processes of its own."""

    lanes = 1

    def results(self, work: Work[J, R], jobs: Sequence[J], cancelled: Cancelled) -> Iterator[tuple[int, R]]:
        """In the order of the jobs."""
        for position, job in enumerate(jobs):
            if cancelled():
                return
            result = work(job, cancelled)
            if result is None:
                return
            yield position, result

    def close(self) -> None:
        """Nothing to end."""
