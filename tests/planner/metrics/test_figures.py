"""Key figures of a run made by hand."""

import math

import pytest

from planner.metrics.figures.key_figures import key_figures
from planner.metrics.figures.service import missed_slos
from planner.metrics.totals import LoadTotals
from planner.plan.model.traffic import Slo
from planner.units import US_PER_S
from tests.planner.metrics.small_run import add_load, small_run

SLO = Slo(percentile=95, target="100ms", max_error_ratio=0.01)


@pytest.mark.parametrize(
    ("name", "expected", "unit"),
    [
        ("slo_attainment[shop]", 3300 / 3600, "ratio"),
        ("slo_attainment_by_requests[shop]", 330_000 / 420_000, "ratio"),
        ("latency_p95_worst[shop]", 500, "ms"),
        ("latency_p95_worst_at[shop]", 60, "s"),
        ("requests_lost[shop]", 15_000, "requests"),
        ("requests_lost", 15_000, "requests"),
        ("pending_pod_time", 250, "s"),
        ("pending_pod_time[reserve]", 0, "s"),
        ("pod_start_max", 260, "s"),
        ("scale_up_to_node_requested_max", 30, "s"),
        ("scale_up_to_node_ready_max", 240, "s"),
        ("scale_up_to_pod_running_max", 260, "s"),
        ("preemptions", 1, "pods"),
        ("evictions", 1, "pods"),
        ("rescales", 4, "count"),
        ("flapping_index", 2, "per_h"),
        ("scale_ups", 1, "count"),
        ("scale_downs", 0, "count"),
        ("nodes_removed", 0, "nodes"),
        ("nodes_added", 1, "nodes"),
        ("nodes_peak", 2, "count"),
        ("pods_pending_peak", 1, "count"),
        ("pods_running_peak", 3, "count"),
        ("cpu_requested_peak", 5, "cores"),
        ("node_hours", 1 + 3510 / 3600, "h"),
        ("cost[blue]", 0.2, "USD"),
        ("cost", 0.2 + 0.4 * 3510 / 3600, "USD"),
        ("cost_per_1000_requests", (0.2 + 0.39) / 405, "USD"),
    ],
)
def test_figure(name, expected, unit):
    figure = key_figures(small_run())[name]
    assert (figure.value, figure.unit) == (pytest.approx(expected), unit)


def test_an_slo_broken_for_a_while_is_missed():
    assert missed_slos(small_run()) == ("shop",)


@pytest.mark.parametrize(
    ("view", "met"),
    [
        pytest.param({"offered_rps": 1.0, "p95_s": 0.1}, True, id="exactly on target"),
        pytest.param({"offered_rps": 1.0, "p95_s": 0.1001}, False, id="too slow"),
        pytest.param({"offered_rps": 1.0, "p95_s": 0.05, "error_ratio": 0.02}, False, id="too many errors"),
        pytest.param({"offered_rps": 1.0, "error_ratio": 1.0}, False, id="load without pods"),
        pytest.param({}, True, id="no load, nothing to miss"),
    ],
)
def test_an_slo_is_met_when_latency_and_errors_both_are(view, met):
    totals = LoadTotals({0: SLO})
    add_load(totals, 0, US_PER_S, {0: view})
    assert totals.slo_missed.tolist() == [0.0 if met else 1.0]
    assert totals.of[0].of_time == float(met)


def test_the_first_of_equally_bad_steps_is_reported():
    totals = LoadTotals({0: None})
    for second in (5, 10):
        add_load(totals, second * US_PER_S, 5 * US_PER_S, {0: {"p95_s": 0.2, "p99_s": math.nan}})
    assert (totals.of[0].worst_p95_us, totals.of[0].worst_p99_us) == (5 * US_PER_S, -1)
