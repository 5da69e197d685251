"""What is read off the series of a running simulation."""

import pytest

from planner.api import run_plan
from planner.plan.edits.edit import replace_at
from tests.ui.figures.conftest import NAMES, a_row, a_run, a_serving_plan
from tests.ui.recorded_runs import a_finished_run
from ui.figures.readings import Readings
from ui.runs.run_data import RunData


@pytest.mark.parametrize(("time_s", "expected"), [
    pytest.param(None, (2 / 3, 100.0, 0.0, 9.0, (4.0, 9.0), 0.25), id="the newest"),
    pytest.param(130.0, (0.5, 600.0, 7.0, 6.0, (4.0, 6.0), 1.0), id="a moment between two rows"),
    pytest.param(60.0, (1.0, 200.0, 3.0, 4.0, (4.0, 4.0), 0.5), id="the moment of a row"),
])  # fmt: skip
def test_readings_are_taken_at_a_given_time(qapp, rows, time_s, expected):
    run = Readings(a_run(rows), time_s)
    share, workload = run.attainment
    assert workload == "web"
    read = (share, run.latency_ms, run.pending(), run.nodes(), run.nodes_before, run.cpu_share("requested"))
    assert read == (pytest.approx(expected[0]), *expected[1:])


def test_peaks_and_sums_cover_the_run_so_far(qapp, rows):
    run = Readings(a_run(rows), None)
    assert (run.latency_peak.value, run.latency_peak.time_s) == (600.0, 120.0)
    assert (run.pending_peak.value, run.pending_s) == (7.0, 120.0)
    assert run.cost == pytest.approx(3 * 2.0 / 60)
    assert run.cost_rate() == 4.0
    assert run.mean_cpu_share("used") == pytest.approx(16 / 80)


def test_lost_requests_miss_the_slo_and_idle_time_meets_it(qapp):
    nan = float("nan")
    rows = [a_row(lost=0.5), a_row(p95=nan, offered=0), a_row(p95=nan, offered=5), a_row()]
    assert Readings(a_run(rows), None).attainment == (0.5, "web")


def test_nothing_is_known_before_anything_arrived(qapp):
    run = RunData(1, "run 1", a_serving_plan(), 1)
    for moment in (None, 0.0, 100.0):
        read = Readings(run, moment)
        assert [read.attainment, read.latency_ms, read.latency_peak, read.pending(), read.nodes()] == [None] * 5
        assert read.nodes_before is None
        assert [read.cpu_share("used"), read.cost_rate(), read.cost, read.figure("cost")] == [None] * 4


def test_before_the_first_row_nothing_is_known_either(qapp, rows):
    assert Readings(a_run(rows), -1.0).nodes() is None


def test_a_finished_run_is_read_from_its_figures(qapp):
    plan = replace_at(a_serving_plan(), ("simulation", "duration"), 600_000_000)
    result = run_plan(plan)
    run = a_finished_run(plan, result)
    assert set(NAMES) <= set(run.names)
    read = Readings(run, None)
    assert read.cost == result.figures["cost"].value
    assert read.attainment[0] == result.figures["slo_attainment[web]"].value
    assert read.latency_peak.value == result.figures["latency_p95_worst[web]"].value
    part = Readings(run, 300.0)
    assert part.figure("cost") is None and part.cost == pytest.approx(read.cost / 2)


@pytest.mark.parametrize(("timeout_us", "p95", "words"), [
    pytest.param(10_000_000, 9_000.0, ("9 s", ""), id="below the time-out"),
    pytest.param(10_000_000, 38_220_000.0, ("≥ 10 s", "time-out"), id="beyond the time-out"),
    pytest.param(10_000_000, float("inf"), ("≥ 10 s", "time-out"), id="never"),
    pytest.param(0, 38_220_000.0, ("≥ 60 min", "whole run"), id="longer than the run"),
])  # fmt: skip
def test_a_latency_beyond_its_bound_reads_as_the_bound(qapp, timeout_us, p95, words):
    plan = replace_at(a_serving_plan(), ("simulation", "duration"), 3_600_000_000)
    plan = replace_at(plan, ("workloads", 0, "demand", "timeout"), timeout_us)
    run = Readings(a_run([a_row(), a_row(p95=p95)], plan=plan), None)
    assert run.latency_words(run.latency_ms) == words
    assert run.latency_words(run.latency_peak.value) == words and run.latency_peak.time_s == 60.0
