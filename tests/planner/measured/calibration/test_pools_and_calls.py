"""Boot times of pools, memory of requests and calls between workloads, from what known values would show."""

import numpy as np
import pytest

from planner.measured.calibration.calibration import calibrate, path_of, with_fits
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.plan.derived.named_values import named_value
from tests.builders import a_node_group, a_plan, a_pod, a_workload

STEPS = 1440
TIME = np.arange(STEPS)
RANDOM = np.random.default_rng(3)
LOAD = 60 + 40 * np.sin(TIME / 100)
OTHER = 30 + 20 * np.sin(TIME / 37)
MIB = 2**20


def course(quantity, name, values):
    return {Subject(quantity, name): np.asarray(values, dtype=np.float32)}


def calibrated(courses, plan, **seen):
    measured = MeasuredCluster(0, 60, STEPS, courses, {}, "test")._replace(**seen)
    result = calibrate(plan, measured)
    after = with_fits(plan, result.fits, measured)
    return (
        {path_of(fit): fit.estimate for fit in result.fits},
        {(one.name, one.what): one.why for one in result.left_out},
        after,
    )


def test_delays_of_a_pool_are_fitted_with_their_intervals():
    launches, boots = RANDOM.normal(150, 20, 40), RANDOM.normal(30, 5, 40)
    plan = a_plan(node_groups=(a_node_group("general"),))
    fits, _, after = calibrated({}, plan, node_launches={"general": launches}, node_boots={"general": boots})
    for field, truth in (("provisioningDelay", 150), ("provisioningSpread", 20), ("readyDelay", 30)):
        found = fits[f"nodeGroups[general].{field}"]
        assert found.low <= truth <= found.high and found.samples == 40
    pool = after.node_groups[0]
    assert pool.provisioning_delay == pytest.approx(150e6, rel=0.1) and pool.ready_delay == pytest.approx(30e6, rel=0.1)
    assert {number.path for number in after.measured} == set(fits)


@pytest.mark.parametrize(
    ("seen", "what", "why"),
    [
        ({"node_launches": {"general": np.ones(5)}}, "provisioning delay", "only 5 nodes came; 6 are needed"),
        ({"node_boots": {"general": np.ones(5)}}, "ready delay", "only 5 nodes came; 6 are needed"),
        ({"node_boots": {"general": np.ones(9)}}, "provisioning delay", "cluster_autoscaler_node_group_target_count"),
    ],
)
def test_too_few_nodes_are_said(seen, what, why):
    _, left_out, _ = calibrated({}, a_plan(node_groups=(a_node_group("general"),)), **seen)
    assert why in left_out["general", what]


def memory(each, flying):
    courses = course(Quantity.IN_FLIGHT, "web", flying) | course(Quantity.READY, "web", np.full(STEPS, 4.0))
    per_pod = (200 + each * np.asarray(flying) / 4) * RANDOM.normal(1, 0.01, STEPS)
    return courses | course(Quantity.MEMORY, "web", per_pod * 4 * MIB)


def test_memory_of_requests_in_flight_is_told_from_that_of_the_pod():
    fits, _, after = calibrated(memory(5.0, LOAD), a_plan(workloads=(a_workload("web"),)))
    found, start = fits["workloads[web].memoryUse.perInFlightRequest"], fits["workloads[web].memoryUse.start"]
    assert found.low <= 5 * MIB <= found.high and start.low <= 200 * MIB <= start.high
    assert after.workloads[0].memory_use.per_in_flight_request == 5 * MIB


@pytest.mark.parametrize(
    ("each", "flying", "why"),
    [(0.0, LOAD, "does not follow"), (5.0, np.full(STEPS, 8.0), "hardly varies")],
)
def test_memory_that_tells_nothing_of_requests_is_said(each, flying, why):
    fits, left_out, _ = calibrated(memory(each, flying), a_plan(workloads=(a_workload("web"),)))
    assert "workloads[web].memoryUse.perInFlightRequest" not in fits
    assert "workloads[web].memoryUse.start" in fits
    assert why in left_out["web", "memory per request"]


def shop(called):
    """Two workloads that call a third, and the loads of all."""
    plan = a_plan(workloads=(
        a_workload("web", pod=a_pod(), calls=[{"workload": "api", "perRequest": 1}]),
        a_workload("admin", pod=a_pod(), calls=[{"workload": "api", "perRequest": 1}]),
        a_workload("api", pod=a_pod()),
    ))  # fmt: skip
    loads = (("web", LOAD), ("admin", OTHER), ("api", called))
    return plan, {key: values for name, load in loads for key, values in course(Quantity.REQUESTS, name, load).items()}


def test_calls_per_request_of_each_caller_are_told_apart():
    plan, courses = shop((2.5 * LOAD + 0.5 * OTHER) * RANDOM.normal(1, 0.02, STEPS))
    fits, _, after = calibrated(courses, plan)
    for path, truth in (("workloads[web].calls[0].perRequest", 2.5), ("workloads[admin].calls[0].perRequest", 0.5)):
        assert fits[path].low <= truth <= fits[path].high
        assert float(named_value(after, path)) == pytest.approx(truth, rel=0.05)
    assert after.workloads[0].calls[0].per_request == pytest.approx(2.5, rel=0.05)


def test_load_that_callers_do_not_explain_is_said():
    plan, courses = shop(LOAD + 80 * (1 + np.sin(TIME / 61)))
    fits, left_out, _ = calibrated(courses, plan)
    assert not [path for path in fits if "calls" in path]
    assert any(what == "calls to api" for _, what in left_out)


def test_a_caller_without_a_series_is_said():
    plan, courses = shop(LOAD)
    del courses[Subject(Quantity.REQUESTS, "admin")]
    _, left_out, _ = calibrated(courses, plan)
    assert left_out["admin", "calls to api"] == "there is no series of its requests"
