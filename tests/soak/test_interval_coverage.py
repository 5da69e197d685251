"""Intervals hold the true value as often as they say, for real runs of a small plan."""

import numpy as np
import pytest

from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.statistics.estimates import mean_interval
from planner.experiments.statistics.paired import paired_difference
from planner.experiments.variants.runnable_plan import runnable_plan
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Noise, Slo, Traffic
from tests.builders import a_plan, a_workload

FIGURES = ("requests_offered[shop]", "slo_attainment[shop]", "latency_p95_worst[shop]", "cpu_used_mean")


def a_tiny_plan(replicas):
    """A few pods under noisy load for a minute."""
    shop = a_workload(
        "shop",
        replicas=replicas,
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=40.0), noise=Noise(cv=0.2)),
        demand=Demand(cpu_seconds_per_request=0.02),
        slo=Slo(target="60ms"),
    )
    pool = NodeGroup(name="pool", cpu="2", memory="16Gi", initial_size=1, price_per_hour=1.0)
    return a_plan(workloads=(shop,), node_groups=(pool,), simulation=SimulationSettings(duration="1m"))


def columns(plan, seeds):
    """Figures by seed."""
    parcel = runnable_plan(plan).parcel
    runs = [run_job(RunJob(parcel, seed), lambda: False).figures for seed in seeds]
    return {name: np.array([run[name].value for run in runs]) for name in FIGURES}


def coverage(repeats, size, population):
    """Share of intervals that hold the value of many seeds: of each plan, and of their difference."""
    few, many = (columns(a_tiny_plan(replicas), range(repeats * size + population)) for replicas in (3, 4))
    hits = []
    for name in FIGURES:
        for values in (few[name], many[name]):
            true = values[repeats * size :].mean()
            parts = values[: repeats * size].reshape(repeats, size)
            hits += [found.low <= true <= found.high for found in map(mean_interval, parts)]
        pairs = few[name], many[name]
        true = (pairs[1] - pairs[0])[repeats * size :].mean()
        parts = (values[: repeats * size].reshape(repeats, size) for values in pairs)
        for a, b in zip(*parts, strict=True):
            found = paired_difference(a, b).estimate
            hits.append(found.low <= true <= found.high)
    return float(np.mean(hits))


@pytest.mark.soak
@pytest.mark.timeout(4 * 3600)
def test_of_two_hundred_repeats_93_to_97_percent_hold_the_value_of_two_thousand_seeds():
    assert 0.93 <= coverage(repeats=200, size=20, population=2_000) <= 0.97


def test_a_few_repeats_hold_the_value_of_more_seeds():
    assert 0.88 <= coverage(repeats=8, size=10, population=60) <= 1.0
