"""Workers of a Dask cluster, for experiments that outgrow one machine. Needs the extra `headroom[dask]`."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

from planner import __version__
from planner.experiments.execution.executor import Cancelled, ExecutorLost, J, R, Work
from planner.language.translation import marked, tr

_CONNECT_S = 10
_POLL_S = 0.2
_RETRIES = 3
_MISSING = marked("Dask is not installed. Install it with: pip install 'headroom[dask]'")


class DaskCluster:
    """A client of a scheduler. Dask runs the jobs of a worker that is lost on another one."""

    def __init__(self, address: str) -> None:
        """Raises ExecutorLost if Dask is not installed, or nothing answers at the address."""
        try:
            distributed: Any = import_module("distributed")  # late: an extra
        except ImportError as error:
            raise ExecutorLost(_MISSING) from error
        try:
            self._client: Any = distributed.Client(address, timeout=_CONNECT_S, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ExecutorLost(
                tr("No Dask scheduler answers at {address}. Check the address (--scheduler).", address=address)
            ) from error
        self._check_versions(address)
        self.lanes = max(1, sum(self._client.nthreads().values()))

    def _check_versions(self, address: str) -> None:
        others = sorted(frozenset(self._client.run(version_here).values()) - {__version__})
        if others:
            self.close()
            problem = tr(
                "Workers at {address} have version {others} of the program; this one is {own}.",
                address=address,
                others=", ".join(others),
                own=__version__,
            )
            raise ExecutorLost(tr("{problem} Install the same version everywhere.", problem=problem))

    def results(self, work: Work[J, R], jobs: Sequence[J], cancelled: Cancelled) -> Iterator[tuple[int, R]]:
        """As they finish."""
        wait: Any = import_module("distributed").wait
        running = {
            self._client.submit(work, job, go_on, pure=False, retries=_RETRIES): position
            for position, job in enumerate(jobs)
        }
        try:
            while running:
                if cancelled():
                    return
                try:
                    with self._client.as_current():
                        done = wait(list(running), timeout=_POLL_S, return_when="FIRST_COMPLETED").done
                except TimeoutError:
                    continue
                for future in sorted(done, key=running.__getitem__):
                    result = future.result()
                    position = running.pop(future)
                    if result is not None:
                        yield position, result
        finally:
            self._client.cancel(list(running), force=True)

    def close(self) -> None:
        """Leave the cluster; its workers stay."""
        self._client.close()


def version_here() -> str:
    """The version of the program in this process."""
    return __version__


def go_on() -> bool:
    """Jobs of other machines are not asked to end; they are dropped."""
    return False
