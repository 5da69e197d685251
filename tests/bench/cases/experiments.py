"""An experiment of 20 variants: how many runs a second two processes make, and how much faster they are than one.

With HEADROOM_BENCH_SEEDS=200 it is the whole experiment of 4,000 runs, to be run with HEADROOM_BENCH_RUNS=1; one
process makes the runs of a single seed all the same.
"""

import os
import time

from planner.experiments.execution.executor import Executor
from planner.experiments.execution.in_process import InProcess
from planner.experiments.execution.process_pool import ProcessPool
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.variants.runnable_plan import PlanParcel, runnable_plan
from planner.plan.variants.application import with_changes
from tests.bench.cases.hours import SMALL, speed_input

_VARIANTS = 20
_SEEDS_VARIABLE = "HEADROOM_BENCH_SEEDS"


def _runs_per_s() -> dict[str, float]:
    parcels, seeds = _parcels(), int(os.environ.get(_SEEDS_VARIABLE, "1"))
    pool = ProcessPool(2)
    try:
        for executor in (pool, InProcess()):  # warm ones have loaded the program
            _seconds(executor, [RunJob(parcels[0], seed) for seed in range(2)])
        beside = _seconds(pool, [RunJob(parcel, seed) for seed in range(seeds) for parcel in parcels])
    finally:
        pool.close()
    here = _seconds(InProcess(), [RunJob(parcel, 0) for parcel in parcels])
    runs_per_s = seeds * _VARIANTS / beside
    return {"runs_per_s": runs_per_s, "pool_speedup": runs_per_s / (_VARIANTS / here)}


def _parcels() -> list[PlanParcel]:
    """The hour of 20 nodes with node pools of other sizes."""
    plan = speed_input(SMALL)
    name, most = plan.node_groups[0].name, plan.node_groups[0].max_size
    changes = (f"nodeGroups[{name}].maxSize = {most + more}" for more in range(_VARIANTS))
    return [runnable_plan(with_changes(plan, [change])).parcel for change in changes]


def _seconds(executor: Executor, jobs: list[RunJob]) -> float:
    started = time.perf_counter()
    assert sum(1 for _ in executor.results(run_job, jobs, lambda: False)) == len(jobs)
    return time.perf_counter() - started


CASES = {"runs_per_s": _runs_per_s}
UNITS = {"runs_per_s": "runs/s", "pool_speedup": "times"}
