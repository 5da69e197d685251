"""Start-up CPU, latency and noise of the load, from what a workload with known values would show."""

import numpy as np
import pytest
from scipy import stats

from planner.measured.calibration.calibration import calibrate, path_of, with_fits
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from tests.builders import a_plan, a_pod, a_workload

STEPS = 2880
TIME = np.arange(STEPS)
LOAD = 60 + 40 * np.sin(TIME / 200)
PODS = 4.0 + TIME // 20 % 2
COST, IDLE = 0.03, 0.05


def use_of(load, pods, burst=0.0):
    """`burst`: core seconds of a pod that starts, in the step before it is Ready."""
    started = np.append(np.maximum(np.diff(pods), 0), 0)
    scatter = np.random.default_rng(2).normal(1, 0.02, STEPS)
    return (COST * load + IDLE * pods) * scatter + burst / 60 * started


def calibrated(courses, **settings):
    plan = a_plan(workloads=(a_workload("web", pod=a_pod("2"), **settings),))
    found = {Subject(Quantity[name.upper()], "web"): values.astype(np.float32) for name, values in courses.items()}
    measured = MeasuredCluster(0, 60, STEPS, found, {}, "test")
    result = calibrate(plan, measured)
    after = with_fits(plan, result.fits, measured)
    fits = {path_of(fit).partition("].")[2]: fit for fit in result.fits}
    return fits, {item.what: item.why for item in result.left_out}, after.workloads[0]


def test_start_up_cpu_is_what_new_pods_use_beside_the_line():
    courses = {"requests": LOAD, "cpu": use_of(LOAD, PODS, burst=24.0), "ready": PODS}
    fits, _, after = calibrated(courses, startup_cpu_time="30s")
    estimate = fits["startupCpu"].estimate
    assert estimate.low <= 24 / 30 <= estimate.high and estimate.high - estimate.low < 0.3
    assert after.startup_cpu == pytest.approx(800, rel=0.15)


def test_how_long_start_up_cpu_lasts_is_not_guessed():
    courses = {"requests": LOAD, "cpu": use_of(LOAD, PODS, burst=24.0), "ready": PODS}
    fits, left_out, _ = calibrated(courses)
    assert "startupCpu" not in fits and "startupCpuTime" in left_out["start-up CPU"]


@pytest.mark.parametrize("pods", [PODS, np.full(STEPS, 4.0)], ids=["no burst", "no starts"])
def test_without_a_burst_nothing_is_said_of_start_up(pods):
    fits, left_out, _ = calibrated({"requests": LOAD, "cpu": use_of(LOAD, pods), "ready": pods}, startup_cpu_time="30s")
    assert "startupCpu" not in fits and "start-up CPU" not in left_out


def latencies(floor, cv):
    law = stats.gamma(1 / cv**2, scale=COST * cv**2)
    scatter = np.random.default_rng(4).normal(0, 0.001, (2, STEPS))
    return {"latency_p50": floor + law.ppf(0.5) + scatter[0], "latency_p95": floor + law.ppf(0.95) + scatter[1]}


@pytest.mark.parametrize("cv", [0.3, 1.0])
def test_floor_and_variability_of_requests_follow_from_calm_percentiles(cv):
    courses = {"requests": LOAD, "cpu": use_of(LOAD, PODS), "ready": PODS} | latencies(0.05, cv)
    fits, _, after = calibrated(courses, demand={"cpu_seconds_per_request": COST})
    assert after.demand.cv == pytest.approx(cv, rel=0.05)
    assert after.demand.latency_floor == pytest.approx(50_000, abs=1_500)
    assert fits["demand.cv"].estimate.low <= cv <= fits["demand.cv"].estimate.high


def test_pods_that_are_never_calm_tell_no_floor():
    courses = {"requests": LOAD, "cpu": use_of(LOAD, PODS) + 2 * PODS, "ready": PODS} | latencies(0.05, 1.0)
    fits, left_out, _ = calibrated(courses, demand={"cpu_seconds_per_request": COST})
    assert "demand.latencyFloor" not in fits and "only 0 steps" in left_out["latency floor"]


def test_a_width_that_cpu_time_cannot_explain_is_said():
    courses = {"requests": LOAD, "cpu": use_of(LOAD, PODS), "ready": PODS} | latencies(0.05, 1.0)
    _, left_out, _ = calibrated(courses, demand={"cpu_seconds_per_request": 0.001})
    assert "does not explain" in left_out["variability of requests"]


@pytest.mark.parametrize("cv", [0.0, 0.1])
def test_noise_of_the_load_is_what_counting_requests_does_not_explain(cv):
    random = np.random.default_rng(6)
    noisy = random.poisson(LOAD * 60 * np.exp(random.normal(-(cv**2) / 2, cv, STEPS))) / 60
    traffic = {"profile": {"type": "constant", "rate": 60}}
    fits, _, after = calibrated({"requests": noisy, "cpu": use_of(noisy, PODS), "ready": PODS}, traffic=traffic)
    estimate = fits["traffic.noise.cv"].estimate
    assert estimate.low <= cv <= estimate.high and estimate.value == pytest.approx(cv, abs=0.012)
    assert after.traffic.noise.cv == pytest.approx(estimate.value, rel=1e-3)


def test_a_load_that_is_a_trace_has_its_noise_in_it():
    traffic = {"profile": {"type": "trace", "points": [{"at": "0s", "rate": 60}]}}
    fits, _, _ = calibrated({"requests": LOAD, "cpu": use_of(LOAD, PODS), "ready": PODS}, traffic=traffic)
    assert "traffic.noise.cv" not in fits
