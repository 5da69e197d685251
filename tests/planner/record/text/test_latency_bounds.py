"""No latency is said to be longer than the time-out or the run."""

import math

import pytest

from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds
from planner.units import US_PER_H, US_PER_S
from tests.builders import a_plan, a_workload

P95 = "latency_p95_worst[shop]"


def bounds(timeout_s):
    shop = a_workload(name="shop")
    demand = shop.demand.model_copy(update={"timeout": timeout_s * US_PER_S})
    plan = a_plan(workloads=(shop.model_copy(update={"demand": demand}),))
    return LatencyBounds.of(plan, US_PER_H)


@pytest.mark.parametrize(("timeout_s", "milliseconds", "text"), [
    (10, 182.4, "182 ms"), (10, 10_000.0, "≥ 10 s (time-out)"), (10, math.inf, "≥ 10 s (time-out)"),
    (0, 637 * 60_000.0, "≥ 60 min (whole run)"), (0, math.inf, "≥ 60 min (whole run)"), (10, math.nan, "–"),
])  # fmt: skip
def test_a_latency_beyond_its_bound_is_the_bound(timeout_s, milliseconds, text):
    of = bounds(timeout_s)
    assert of.text("shop", milliseconds) == text
    assert of.text("shop", of.bounded(P95, Figure(milliseconds, "ms")).value) == text


def test_other_figures_have_no_bound():
    figure = Figure(1e9, "s")
    assert bounds(10).bounded("pending_pod_time", figure) is figure
