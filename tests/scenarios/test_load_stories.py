"""What shipped scenarios show about load, latency and cost: figures that must hold whatever else changes."""

import math
from fractions import Fraction

import numpy as np
import pytest

from planner.plan.files.io import load_plan
from planner.record.decisions import Verdict
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.scenarios.test_scenarios import PROJECT, result_of

LATENCIES = ("latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")
NODE_S = 1e-6
"""Times of the table of nodes are exact to the microsecond."""


def plan_of(name):
    return load_plan(PROJECT / "scenarios" / name / "plan.headroom")


def story(name):
    return result_of(PROJECT / "scenarios" / name / "plan.headroom")


def test_a_throttled_pods_tail_rises_long_before_its_mean_use_reaches_the_limit():
    result = story("throttled-pods")
    limit = 8 * 1.0
    use, tail = result.series["cpu_used_cores[limited]"], result.series["latency_p99_ms[limited]"]
    calm = tail[result.time_us == 120 * US_PER_S][0]
    doubled = np.flatnonzero(tail > 2.0 * calm)[0]
    missed = np.flatnonzero(tail > 90.0)[0]
    assert use[missed] < 0.5 * limit, "the SLO is missed with half of the CPU unused"
    assert use[doubled] < 0.7 * limit


def test_the_same_pods_without_a_limit_keep_their_tail():
    result = story("throttled-pods")
    tail = result.series["latency_p99_ms[unlimited]"]
    assert np.nanmax(tail) < 1.1 * np.nanmin(tail)
    assert result.figures["slo_attainment[unlimited]"].value == 1 > result.figures["slo_attainment[limited]"].value
    same = [result.series[f"cpu_used_cores[{name}]"].mean() for name in ("limited", "unlimited")]
    assert same[0] == pytest.approx(same[1], rel=0.01), "both do the same work, but for chance"


def halved():
    """Results of the plan with 32, 16, 8, 4 and 2 pods."""
    plan = plan_of("how-few-pods")
    (api,) = plan.workloads
    for replicas in (32, 16, 8, 4, 2):
        yield run_plan(plan.model_copy(update={"workloads": (api.model_copy(update={"replicas": replicas}),)}))


def test_halving_the_pods_never_improves_anything_users_feel():
    results = list(halved())
    for more, fewer in zip(results, results[1:], strict=False):
        for name in LATENCIES:
            before, after = more.series[f"{name}[api]"], fewer.series[f"{name}[api]"]
            both = ~(np.isnan(before) | np.isnan(after))
            assert both.sum() > 70
            assert (after[both] >= before[both] * (1 - 1e-9)).all(), name
        assert fewer.figures["slo_attainment[api]"].value <= more.figures["slo_attainment[api]"].value
        assert fewer.figures["requests_lost[api]"].value >= more.figures["requests_lost[api]"].value
    attained = [result.figures["slo_attainment[api]"].value for result in results]
    assert attained[0] == attained[1] == 1 > attained[2] > attained[3] > attained[4]


def test_a_days_cost_is_hand_arithmetic_from_the_lives_of_its_nodes():
    """Every node: whole seconds from its request until it is gone, a minute at least, at the price of its pool."""
    result = story("diurnal-shop")
    prices = {group.name: Fraction(str(group.price_per_hour)) for group in plan_of("diurnal-shop").node_groups}
    total, hours = Fraction(0), Fraction(0)
    for node in result.nodes:
        begin_us = round(node["requested_s"] / NODE_S)
        end_us = result.until_us if node["removed_s"] is None else round(node["removed_s"] / NODE_S)
        billed_s = max(60, math.ceil(Fraction(end_us - begin_us, US_PER_S)))
        total += prices[node["node_group"]] * billed_s / 3600
        hours += Fraction(end_us - begin_us, 3600 * US_PER_S)
    assert len(result.nodes) > 25, "nodes came and went"
    assert abs(result.figures["cost"].value - total) < Fraction(1, 100)
    assert result.figures["cost"].value == pytest.approx(float(total), rel=1e-12)
    assert result.figures["node_hours"].value == pytest.approx(float(hours), rel=1e-12)


def test_a_days_nodes_are_those_of_its_scale_up_decisions():
    result = story("diurnal-shop")
    begun = sum(group.initial_size for group in plan_of("diurnal-shop").node_groups)
    came = sorted(node["requested_s"] for node in result.nodes)[begun:]
    asked = [one for one in result.decisions if one.verdict is Verdict.TRIGGERED]
    assert len(came) == sum(round(one.details.added) * (1 + one.repeats) for one in asked) > 10
    assert {one.time_us / US_PER_S for one in asked} <= set(came)
    gone = {node["node"]: node["delete_requested_s"] for node in result.nodes if node["delete_requested_s"] is not None}
    removed = [one for one in result.decisions if one.verdict is Verdict.REMOVED]
    assert gone == {one.subject: one.time_us / US_PER_S for one in removed}


def test_a_flash_sales_worst_wait_comes_before_its_largest_backlog_has_drained():
    result = story("flash-sale")
    backlog, times = result.series["in_flight_count[shop]"], result.time_us / US_PER_S
    largest = int(backlog.argmax())
    drained = times[largest:][np.flatnonzero(backlog[largest:] < 0.05 * backlog[largest])[0]]
    worst, arrived = (result.figures[f"backlog_wait_{name}[shop]"].value for name in ("worst", "worst_at"))
    assert worst > 5.0
    assert arrived <= times[largest] < drained, "it belongs to an earlier arrival than the largest backlog"
    assert arrived + worst < drained
