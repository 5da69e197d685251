"""Chooses the executor of an experiment."""

from planner.experiments.execution.dask_cluster import DaskCluster
from planner.experiments.execution.executor import Executor
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.process_pool import ProcessPool, usable_processors


def executor_for(jobs: int | None, scheduler: str | None) -> Executor:
    """A Dask cluster at an address, else `jobs` processes (None: one for each processor); one job runs here.

    Raises ExecutorLost if there is no such cluster.
    """
    if scheduler is not None:
        return DaskCluster(scheduler)
    lanes = usable_processors() if jobs is None else jobs
    return ProcessPool(lanes) if lanes > 1 else InProcess()
