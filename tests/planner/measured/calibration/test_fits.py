"""What is fitted to a workload, and what is left out for it."""

import numpy as np
import pytest

from planner.measured.calibration.calibration import calibrate, path_of, with_fits
from planner.measured.measured_cluster import MeasuredCluster, Subject
from planner.measured.quantities import Quantity
from planner.units import US_PER_S
from tests.builders import a_plan, a_pod, a_workload

MIB = 2**20
STEPS = 2880
TIME = np.arange(STEPS)
LOAD = 60 + 40 * np.sin(TIME / 200) + np.random.default_rng(5).normal(0, 4, STEPS)
PODS = np.full(STEPS, 4.0)


def measured(pod_starts=None, **courses):
    found = {Subject(Quantity[name.upper()], "web"): values.astype(np.float32) for name, values in courses.items()}
    return MeasuredCluster(0, 60, STEPS, found, pod_starts or {}, "test")


def fits(cluster, **settings):
    plan = a_plan(workloads=(a_workload("web", **settings),))
    found = calibrate(plan, cluster)
    return {path_of(fit).partition("].")[2]: fit.estimate for fit in found.fits}, [item.why for item in found.left_out]


def test_use_is_the_cost_of_requests_and_of_idle_pods():
    found, _ = fits(measured(requests=LOAD, cpu=0.03 * LOAD + 0.05 * PODS, ready=PODS))
    assert found["demand.cpuSecondsPerRequest"].value == pytest.approx(0.03, rel=1e-3)
    assert found["demand.idleCpu"].value == pytest.approx(0.05, rel=1e-2)


def test_constant_use_that_the_plan_has_already_is_not_counted_again():
    found, _ = fits(measured(requests=LOAD, cpu=0.03 * LOAD + 0.05 * PODS, ready=PODS), cpu_use="30m")
    assert found["demand.idleCpu"].value == pytest.approx(0.02, rel=1e-2)


def test_steps_at_the_limit_are_left_out():
    use = np.minimum(0.03 * LOAD, 4 * 0.5)
    limited = {"containers": ({"name": "main", "limits": {"cpu": "500m"}},)}
    found, _ = fits(measured(requests=LOAD, cpu=use, ready=PODS), pod=limited)
    assert found["demand.cpuSecondsPerRequest"].value == pytest.approx(0.03, rel=0.01)


def test_steps_in_which_pods_start_are_left_out():
    pods = 3.0 + TIME // 20 % 2
    changed = np.append(np.diff(pods) != 0, False)
    use = 0.03 * LOAD + 0.05 * pods + 2.0 * changed
    found, _ = fits(measured(requests=LOAD, cpu=use, ready=pods))
    assert found["demand.cpuSecondsPerRequest"].value == pytest.approx(0.03, rel=1e-3)


def test_without_a_course_of_pods_those_of_the_plan_count():
    found, _ = fits(measured(requests=LOAD, cpu=0.03 * LOAD + 0.05 * 2, ready=PODS * np.nan), replicas=2)
    assert not found
    found, _ = fits(measured(requests=LOAD, cpu=0.03 * LOAD + 0.05 * 2), replicas=2)
    assert found["demand.idleCpu"].value == pytest.approx(0.05, rel=1e-2)


def test_missing_series_are_named():
    assert fits(measured(cpu=LOAD))[1] == ["there is no series of requests"]


def test_memory_is_that_of_a_pod_and_its_drift_only_where_pods_stay():
    grown = (200 * MIB + 2 * MIB * TIME / 60) * PODS
    found, _ = fits(measured(memory=grown, ready=PODS))
    assert found["memoryUse.growthPerHour"].value == pytest.approx(2 * MIB, rel=0.01)
    changing, _ = fits(measured(memory=grown, ready=PODS + TIME // 1000))
    assert list(changing) == ["memoryUse.start"]
    steady, _ = fits(measured(memory=200 * MIB * PODS, ready=PODS))
    assert steady["memoryUse.start"].value == 200 * MIB and "memoryUse.growthPerHour" not in steady


def test_the_readiness_delay_is_the_median_of_at_least_six_starts():
    memory = 200 * MIB * PODS
    cluster = measured({"web": np.array([8.0, 9, 10, 10, 11, 12, 60])}, memory=memory, ready=PODS)
    found, _ = fits(cluster)
    assert found["pod.readinessDelay"][:4] == (10.0, 8.0, 60.0, 7)
    plan = a_plan(workloads=(a_workload("web", pod=a_pod()),))
    after = with_fits(plan, calibrate(plan, cluster).fits, cluster)
    assert after.workloads[0].pod.readiness_delay == 10 * US_PER_S
    assert fits(measured({"web": np.array([8.0, 9])}, memory=memory))[1] == ["only 2 pods started; 6 are needed"]


def test_start_up_is_the_median_time_from_the_node_to_running_containers():
    launches = {"web": np.array([3.0, 4, 4, 5, 5, 6, 40])}
    cluster = measured(memory=200 * MIB * PODS, ready=PODS)._replace(pod_launches=launches)
    found, _ = fits(cluster)
    assert found["pod.startupDelay"][:4] == (5.0, 3.0, 40.0, 7)
    few = cluster._replace(pod_launches={"web": launches["web"][:5]})
    assert fits(few)[1] == ["only 5 pods started; 6 are needed"]
