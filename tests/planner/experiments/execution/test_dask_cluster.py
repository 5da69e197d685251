"""Runs on a Dask cluster: two workers of this computer, one of which is lost."""

import os
import signal

import pytest

from planner.errors import PlannerError
from planner.experiments.execution.dask_cluster import DaskCluster
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.variants.runnable_plan import runnable_plan
from tests.planner.experiments.small_plans import a_small_plan

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster(tmp_path):
    made = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=str(tmp_path)
    )
    yield made
    made.close()


def test_nothing_is_lost_with_a_worker_and_the_digests_are_those_of_this_process(cluster):
    parcel = runnable_plan(a_small_plan()).parcel
    jobs = [RunJob(parcel, seed) for seed in range(12)]
    executor = DaskCluster(cluster.scheduler_address)
    found, killed = {}, []
    try:
        for position, outcome in executor.results(run_job, jobs, lambda: False):
            found[position] = outcome
            if len(found) == 3:
                killed.append(cluster.workers[0].pid)
                os.kill(killed[0], signal.SIGKILL)
    finally:
        executor.close()
    assert killed and sorted(found) == list(range(12))
    here = dict(InProcess().results(run_job, jobs, lambda: False))
    assert {position: one.digest for position, one in found.items()} == {p: one.digest for p, one in here.items()}


def test_workers_of_another_version_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("planner.experiments.execution.dask_cluster.__version__", "another")
    with pytest.raises(PlannerError, match="Install the same version everywhere"):
        DaskCluster(cluster.scheduler_address)
