"""The retries of clients come back from what a run with them would show."""

from functools import cache

import numpy as np
import pytest

from planner.api import run_plan
from planner.measured.calibration.calibration import calibrate, with_fits
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.measured_load import measured_traffic
from planner.measured.quantities import Quantity
from planner.plan.model.plan import SimulationSettings
from tests.builders import a_node_group, a_plan, a_pod, a_workload

STEPS, COST = 90, 0.03


def the_plan(attempts):
    """Three pods that are overloaded half of the time."""
    traffic = {"profile": {"type": "sine", "mean": 55, "amplitude": 40, "period": "30m"}, "noise": {"cv": 0.05}}
    demand = {"cpu_seconds_per_request": COST, "queue_limit": 20, "retries": {"attempts": attempts}}
    web = a_workload("web", replicas=3, pod=a_pod("500m", limits={"cpu": "500m"}), traffic=traffic, demand=demand)
    settings = SimulationSettings(duration="90m", record_interval="1m")
    return a_plan(simulation=settings, node_groups=(a_node_group(initial_size=3),), workloads=(web,))


def test_steps_in_which_requests_fail_say_nothing_of_what_a_request_costs():
    fit, *_ = calibrate(the_plan(0), measured(2)[0]).fits
    assert fit.field[-1] == "cpu_seconds_per_request" and fit.estimate.low <= COST <= fit.estimate.high


@cache
def measured(attempts):
    """What counters of attempts, retries and requests that are given up would have shown."""
    run = run_plan(the_plan(attempts))
    offered, again, lost = (run.series[f"{column}[web]"][1:] for column in ("offered_rps", "retried_rps", "lost_rps"))
    courses = {Quantity.REQUESTS: offered + again, Quantity.RETRIES: again, Quantity.GIVEN_UP: lost}
    courses[Quantity.CPU] = run.series["cpu_used_cores[web]"][1:]
    found = {Subject(quantity, "web"): course.astype(np.float32) for quantity, course in courses.items()}
    return MeasuredCluster(0, 60, len(offered), found, {}, "run"), offered


@pytest.mark.parametrize("attempts", [0, 1, 2, 4])
def test_the_retries_of_a_run_are_found_again(attempts):
    seen, _ = measured(attempts)
    found = calibrate(the_plan(0), seen)
    (fit,) = [one for one in found.fits if one.field[-1] == "attempts"]
    assert fit.estimate.low <= attempts <= fit.estimate.high or fit.estimate.value == pytest.approx(attempts, abs=0.1)
    after = with_fits(the_plan(3), [fit], seen)
    assert after.workloads[0].demand.retries.attempts == attempts
    assert (after.measured[0].path, after.measured[0].value) == (
        "workloads[web].demand.retries.attempts", str(attempts),
    )  # fmt: skip


def test_a_plan_that_retries_gets_the_load_without_retries():
    seen, offered = measured(2)
    for attempts, expected in ((2, offered), (0, seen.course(Quantity.REQUESTS, "web"))):
        profile = measured_traffic(seen, the_plan(attempts).workloads[0]).profile
        assert [point.rate for point in profile.points] == pytest.approx(list(expected), rel=1e-4)


def left_out(**courses):
    found = {Subject(Quantity[key.upper()], "web"): np.full(STEPS, value, np.float32) for key, value in courses.items()}
    calibration = calibrate(the_plan(0), MeasuredCluster(0, 60, STEPS, found, {}, "test"))
    assert not [fit for fit in calibration.fits if fit.field[-1] == "attempts"]
    return [one.why for one in calibration.left_out if one.what == "retries"]


@pytest.mark.parametrize(
    ("courses", "why"),
    [
        ({"requests": 10, "retries": 1}, ["there is no series of requests that were given up"]),
        ({"requests": 10, "retries": 0, "given_up": 0}, ["only 0 steps have requests that fail; 30 are needed"]),
        ({"requests": 10, "retries": 5, "given_up": 0},
         ["hardly any request is given up, so the number of attempts does not show"]),
        ({"requests": 10}, []),
    ],
)  # fmt: skip
def test_what_does_not_tell_the_retries_is_said(courses, why):
    assert left_out(**courses) == why


def test_retries_between_two_numbers_are_said():
    chance, random = 0.5, np.random.default_rng(1)
    given_up = 10 * chance**2.5 * random.normal(1, 0.05, STEPS)
    failed = 10 * chance * (1 - chance**2.5) / (1 - chance)
    courses = {
        Quantity.REQUESTS: 10 + failed - given_up, Quantity.RETRIES: failed - given_up, Quantity.GIVEN_UP: given_up,
    }  # fmt: skip
    found = {Subject(quantity, "web"): course.astype(np.float32) for quantity, course in courses.items()}
    (why,) = [one.why for one in calibrate(the_plan(0), MeasuredCluster(0, 60, STEPS, found, {}, "")).left_out
              if one.what == "retries"]  # fmt: skip
    assert "which is no single number" in why
