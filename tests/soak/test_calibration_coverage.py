"""Costs of simulated clusters are found again, and are inside their intervals as often as these say."""

import io

import pytest

from planner.api import run_plan
from planner.measured.calibration.calibration import calibrate
from planner.measured.collecting import Collector
from planner.measured.formats.exposition import read_exposition
from tests.planner.measured.observed_run import openmetrics
from tests.planner.measured.prometheus.test_closed_loop import COST, the_plan

SEEDS = 100
SCATTER = 0.02
"""Between scrapes: 1 % in a minute."""


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_fitted_costs_are_within_5_percent_and_inside_their_intervals_for_95_of_100_seeds():
    plan = the_plan(COST, 40)
    costs = []
    for seed in range(SEEDS):
        text = openmetrics(plan, run_plan(plan, seed=seed, until_us=2 * 3600 * 10**6), SCATTER)
        collector = Collector(plan, "run")
        for series in read_exposition(io.StringIO(text), "run"):
            collector.take(series)
        fits = calibrate(plan, collector.measured()).fits
        (cost,) = [fit for fit in fits if fit.field[-1] == "cpu_seconds_per_request"]
        costs.append(cost.estimate)
    assert sum(abs(cost.value / COST - 1) <= 0.05 for cost in costs) >= 95
    inside = sum(cost.low <= COST <= cost.high for cost in costs)
    assert inside >= 95
