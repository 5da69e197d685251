"""A finished run to read figures off."""

import numpy as np
import pytest

from planner.plan.model.traffic import Slo
from tests.builders import a_plan, a_workload
from tests.ui.recorded_runs import a_started_run
from ui.runs.messages import RunChunk
from ui.runs.run_data import RunState

NAMES = (
    "nodes_ready_count", "pods_pending_count", "cpu_allocatable_cores", "cpu_requested_cores", "cpu_used_cores",
    "cost_rate_currency_per_h", "latency_p95_ms[web]", "offered_rps[web]", "requests_lost_ratio[web]",
    "slo_missed_ratio[web]",
)  # fmt: skip
STEP_US = 60_000_000


def a_serving_plan(**slo):
    """One workload with load and an SLO of 250 ms."""
    from planner.plan.model.demand import Demand
    from planner.plan.model.traffic import ConstantLoad, Traffic

    web = a_workload(
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=10.0)),
        demand=Demand(cpu_seconds_per_request=0.01),
        slo=Slo(**{"target": "250ms"} | slo),
    )
    return a_plan(workloads=(web,))


def a_run(rows, *, state=RunState.RUNNING, number=1, plan=None):
    """A run with one row a minute; each row gives values for NAMES."""
    run = a_started_run(plan or a_serving_plan(), NAMES, number, state)
    give(run, rows)
    return run


def give(run, rows):
    """More rows."""
    first = len(run.time_s)
    time_us = (np.arange(len(rows)) + first) * STEP_US
    values = np.array(rows, dtype=float).reshape(len(rows), len(NAMES)).T
    done_us = int(time_us[-1]) if len(rows) else 0
    run.append(RunChunk(done_us, 0, time_us, values, (), ()))


def a_row(nodes=4, pending=0, allocatable=16, requested=8, used=4, rate=2.0, p95=100, offered=10, lost=0.0):
    """Values of one instant; the SLO is 250 ms and 1 % lost requests."""
    missed = float(offered > 0 and not (p95 <= 250 and lost <= 0.01))
    return (nodes, pending, allocatable, requested, used, rate, p95, offered, lost, missed)


@pytest.fixture
def rows():
    nan = float("nan")
    return [
        (*a_row(p95=nan, offered=0)[:-1], nan),
        a_row(p95=200, pending=3, nodes=4),
        a_row(p95=600, pending=7, nodes=6, requested=16),
        a_row(p95=100, nodes=9, allocatable=32, requested=8, rate=4.0),
    ]
