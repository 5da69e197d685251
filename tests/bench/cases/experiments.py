"""Runs of an experiment: how many a second a pool of two processes makes, and how much faster it is than one."""

import time

from planner.experiments.execution.executor import Executor
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.process_pool import ProcessPool
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.variants.runnable_plan import runnable_plan
from tests.bench.cases.hours import SMALL, speed_input

_RUNS = 20


def _runs_per_s() -> dict[str, float]:
    parcel = runnable_plan(speed_input(SMALL)).parcel
    pool = ProcessPool(2)
    try:
        _seconds(pool, [RunJob(parcel, seed) for seed in range(2)])  # a warm pool has loaded program and plan
        beside = _seconds(pool, [RunJob(parcel, seed) for seed in range(_RUNS)])
    finally:
        pool.close()
    here = _seconds(InProcess(), [RunJob(parcel, seed) for seed in range(_RUNS)])
    return {"runs_per_s": _RUNS / beside, "pool_speedup": here / beside}


def _seconds(executor: Executor, jobs: list[RunJob]) -> float:
    started = time.perf_counter()
    assert sum(1 for _ in executor.results(run_job, jobs, lambda: False)) == len(jobs)
    return time.perf_counter() - started


CASES = {"runs_per_s": _runs_per_s}
UNITS = {"runs_per_s": "runs/s", "pool_speedup": "times"}
