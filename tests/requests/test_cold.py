"""Pods that have just become ready beside warm ones, against single requests."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from planner.workloads.load.demand import Demands
from planner.workloads.load.step.load_step import step_workloads
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.slowed_pods import slowed
from tests.requests.grid import MOST
from tests.requests.loads import open_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Work

WORK_S = 0.01
SLOWER = 3.0
STEP_S = 5.0


@pytest.mark.parametrize("discipline", ["sharing", "queue"])
@pytest.mark.parametrize(("workers", "cores", "busy"), [(1, 1, 0.2), (4, 4, 0.25), (8, 4, 0.1), (2, 8, 0.2)])
def test_latency_is_that_of_the_requests_of_cold_and_of_warm_pods(discipline, workers, cores, busy):
    demand = Demand(cpu_seconds_per_request=WORK_S, cv=0.5, workers=workers, discipline=discipline)
    could, rate = min(workers, cores), busy * min(workers, cores) / WORK_S
    law = PodLaw(workers=could, sharing=discipline == "sharing", cores=cores)
    runs = [open_load(law, rate, Work.of(slower * WORK_S, 0.5), 30_000) for slower in (1.0, SLOWER)]
    known = np.concatenate([run.responses for run in runs])
    milli = np.full(2, 1000 * cores)
    slower = np.array([1.0, SLOWER])
    warm = np.floor(milli / slower).astype(np.int64)
    groups = PodGroups.of(
        Demands.of([demand]), np.zeros(2, np.int64), np.ones(2, np.int64), warm, warm, np.ones(2, np.bool_)
    )
    groups = slowed(groups, slower)
    held = np.zeros(2)
    for _ in range(20):
        step, pods = step_workloads(groups, np.array([2.0 * rate]), held, STEP_S)
        held = pods.in_flight
    assert step.mean_s[0] == pytest.approx(known.mean(), rel=MOST.mean_s)
    assert step.p50_s[0] == pytest.approx(np.percentile(known, 50), rel=MOST.p50_s)
    assert step.p95_s[0] == pytest.approx(np.percentile(known, 95), rel=MOST.p95_s)
    assert step.p99_s[0] == pytest.approx(np.percentile(known, 99), rel=MOST.p99_s)
