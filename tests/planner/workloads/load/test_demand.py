import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.units import US_PER_MS, US_PER_S
from planner.workloads.latency.free_response import PERCENTILES
from planner.workloads.load.demand import Demands, cpu_needed_milli
from planner.workloads.load.step.load_step import WorkloadSteps, step_workloads
from planner.workloads.load.step.pod_groups import PodGroups
from tests.planner.workloads.latency.queues import mean_wait, response_percentile
from tests.planner.workloads.load.one_step import step_equal_pods, step_pods

STEP_US = 5 * US_PER_S
WEB = Demand(cpu_seconds_per_request=0.01, cv=1.0)
WORKERS = Demand(cpu_seconds_per_request=0.01, cv=1.0, discipline="queue")


def settled(demand, rate, pods, capacity_milli, steps=200):
    step = step_equal_pods(demand, rate, pods, capacity_milli, 0.0, STEP_US)
    for _ in range(steps):
        step = step_equal_pods(demand, rate, pods, capacity_milli, step.in_flight, STEP_US)
    return step


@pytest.mark.parametrize(("capacity_milli", "servers"), [(500, 1), (1000, 1), (4000, 4), (2000, 2)])
@pytest.mark.parametrize("rho", [0.1, 0.8, 0.95])
def test_calm_pods_have_the_latency_of_the_stationary_queue(capacity_milli, servers, rho):
    rate = 10 * rho * capacity_milli / 1000 / 0.01
    step = settled(WORKERS, rate, 10, capacity_milli)
    service_s = 0.01 * servers * 1000 / capacity_milli
    assert step.mean_s == pytest.approx(service_s * (1 + mean_wait(servers, rho)), rel=1e-6)
    for percent in PERCENTILES:
        expected = service_s * response_percentile(servers, rho, percent)
        assert step.percentile_s(percent) == pytest.approx(expected, rel=1e-6)
    assert step.served == pytest.approx(step.offered)
    shared = settled(WEB, rate, 10, capacity_milli)
    assert shared.mean_s == pytest.approx(step.mean_s, rel=1e-9), "to share or to queue makes no odds on average"
    assert shared.p99_s > step.p99_s and shared.p50_s < step.p50_s and shared.variance_s2 > step.variance_s2


def test_overload_waits_for_the_backlog():
    step = step_equal_pods(WEB, 150.0, 1, 1000, 3000.0, STEP_US)
    assert step.in_flight == pytest.approx(3250, rel=1e-3)
    assert step.p50_s == pytest.approx(32.5, rel=0.02)
    assert step.p99_s == pytest.approx(32.5, rel=0.03)
    assert step.cpu_used_milli == pytest.approx(1000, rel=1e-3)


@pytest.mark.parametrize(
    ("rate", "pods", "used"),
    [
        pytest.param(375.0, 5, 750, id="use follows load"),
        pytest.param(5000.0, 5, 1000, id="and ends at what the pod has"),
        pytest.param(0.0, 5, 0, id="no load no use"),
    ],
)
def test_metrics_see_what_was_used(rate, pods, used):
    assert settled(WEB, rate, pods, 1000).cpu_used_milli == pytest.approx(used, rel=1e-3)


def test_idle_use_comes_on_top_and_takes_capacity():
    demand = WEB.model_copy(update={"idle_cpu": 200})
    step = settled(demand, 70.0, 1, 1000)
    assert step.cpu_used_milli == pytest.approx(900)
    assert step.served == pytest.approx(350)
    assert settled(demand, 90.0, 1, 1000).in_flight > 1000


def test_scaling_on_used_cpu_takes_the_known_rounds():
    pods, load, rounds = 10, 5 * 10 * 75.0, []
    while True:
        rounds.append(pods)
        demand = WEB.model_copy(update={"queue_limit": 0})
        used = int(step_equal_pods(demand, load, pods, 1000, 0.0, STEP_US).cpu_used_milli)
        ratio = (pods * used * 100 // (pods * 1000)) / 75
        if abs(ratio - 1) <= 0.1:
            break
        pods = math.ceil(ratio * pods)
    assert rounds == [10, 14, 19, 26, 35, 47]


def test_without_pods_everything_is_lost():
    step = step_equal_pods(WEB, 10.0, 0, 0, 0.0, STEP_US)
    assert (step.served, step.rejected, step.in_flight, step.error_ratio) == (0.0, 50.0, 0.0, 1.0)


def test_queue_limit_rejects():
    step = settled(WEB.model_copy(update={"queue_limit": 20}), 300.0, 2, 1000)
    assert step.in_flight == pytest.approx(2 * 18.004, rel=0.01)  # M/M/1/20 at 1.5
    assert step.rejected == pytest.approx(step.offered - step.served)
    assert step.timed_out == 0.0
    assert step.p99_s < 2.0


def test_timeout_bounds_the_wait():
    step = settled(WEB.model_copy(update={"timeout": 20 * US_PER_S}), 300.0, 2, 1000)
    assert step.timed_out == pytest.approx(step.offered - step.served)
    assert step.rejected == 0.0
    assert step.p50_s == pytest.approx(20.0, rel=0.01)
    assert step.p99_s <= 20.0 + 0.01 * (1 - math.log(0.01))


@pytest.mark.parametrize("bound", [{"queue_limit": 100}, {"timeout": US_PER_S}])
def test_no_served_request_waits_beyond_a_bound(bound):
    step = settled(WEB.model_copy(update=bound), 99.5, 1, 1000)
    assert step.p99_s <= 1.0 + 0.01 * (1 - math.log(0.01))


def test_latency_floor_is_added():
    floor = settled(WEB.model_copy(update={"latency_floor": 30 * US_PER_MS}), 50.0, 1, 1000)
    plain = settled(WEB, 50.0, 1, 1000)
    assert floor.p95_s == pytest.approx(plain.p95_s + 0.03)


def test_a_starved_pod_shows_in_the_tail():
    step = step_pods(WEB, 300.0, [1000, 1000, 1000, 500], 0.0, STEP_US)
    assert step.p50_s < 0.1 < step.p90_s
    assert step.cpu_used_milli == pytest.approx((3 * 750 + 500) / 4, rel=0.02)
    starved = step_pods(WEB, 300.0, [1000, 0], 0.0, STEP_US)
    assert starved.p90_s == math.inf and starved.mean_s == math.inf


def test_pods_without_cpu_for_requests_never_answer_and_pods_that_are_not_there_answer_nothing():
    for capacity in ([0], [0, 0]):
        step = step_pods(WEB, 30.0, capacity, 5.0, STEP_US)
        assert (step.served, step.in_flight, step.p50_s, step.variance_s2) == (0.0, 155.0, math.inf, math.inf)
    assert math.isnan(step_pods(WEB, 30.0, [], 5.0, STEP_US).p50_s)


def test_need_includes_work_in_flight():
    demands, held = Demands.of([WEB] * 2), np.array([0.0, 500.0])
    assert cpu_needed_milli(demands, np.full(2, 50.0), held, STEP_US).tolist() == [500, 1500]


DEMANDS = st.builds(
    Demand,
    cpu_seconds_per_request=st.floats(1e-4, 10),
    idle_cpu=st.integers(0, 500),
    workers=st.none() | st.integers(1, 6),
    queue_limit=st.none() | st.integers(0, 500),
    timeout=st.integers(0, 30 * US_PER_S),
)


@settings(deadline=None)
@given(
    DEMANDS,
    st.lists(st.floats(0, 1e5), min_size=1, max_size=12),
    st.lists(st.integers(0, 9000), min_size=1, max_size=6),
    st.integers(1000, 120 * US_PER_S),
)
def test_requests_are_conserved(demand, loads, capacity, dt_us):
    held = 0.0
    for load in loads:
        step = step_pods(demand, load, capacity, held, dt_us)
        for value in (step.served, step.rejected, step.timed_out, step.in_flight):
            assert value >= 0.0
        balance = step.served + step.rejected + step.timed_out + step.in_flight
        assert balance == pytest.approx(step.offered + held, rel=1e-9, abs=1e-9)
        assert 0.0 <= step.error_ratio <= 1.0
        assert step.cpu_used_milli <= np.mean(np.maximum(capacity, demand.idle_cpu)) * (1 + 1e-9)
        assert step.p50_s <= step.p90_s <= step.p95_s <= step.p99_s
        held = step.in_flight


@pytest.mark.parametrize("capacity_milli", [1000, 4000])
@pytest.mark.parametrize("steps", [0, 3, 100])
def test_more_load_never_lowers_latency_and_more_pods_never_raise_it(capacity_milli, steps):
    full = 10 * capacity_milli / 10
    by_load = [settled(WEB, full * share, 10, capacity_milli, steps) for share in np.arange(0.05, 2.0, 0.05)]
    by_pods = [settled(WEB, full, pods, capacity_milli, steps) for pods in range(40, 3, -1)]
    for series in (by_load, by_pods):
        for field in ("mean_s", "p50_s", "p90_s", "p95_s", "p99_s"):
            values = [getattr(step, field) for step in series]
            assert all(later >= before * (1 - 1e-9) for before, later in zip(values, values[1:], strict=False)), field


KINDS = st.builds(
    Demand,
    cpu_seconds_per_request=st.sampled_from([0.001, 0.05]),
    idle_cpu=st.sampled_from([0, 200]),
    workers=st.sampled_from([None, 1, 3]),
    queue_limit=st.sampled_from([None, None, 0, 40]),
    timeout=st.sampled_from([0, 0, 5 * US_PER_S]),
    discipline=st.sampled_from(["sharing", "queue"]),
    cv=st.sampled_from([0.5, 1.0]),
    balancer=st.sampled_from(["random", "round-robin", "least-of-two", "shared-queue"]),
)
CAPACITIES = st.sampled_from([0, 1, 400, 1000, 2000, 5000])
WORKLOADS = st.tuples(KINDS, st.floats(0, 1e3), st.lists(CAPACITIES, max_size=3), st.floats(0, 1e3))


@settings(deadline=None, max_examples=15)
@example([(Demand(), 0.0, [], 0.0), (Demand(), 5.0, [500, 1000], 0.0)])  # as many kinds of pods as workloads
@example([(Demand(workers=8), 2e-309, [1], 0.0)])
@given(st.lists(WORKLOADS, min_size=1, max_size=6))
def test_many_workloads_at_once_are_what_each_is_alone(workloads):
    demands, rates, capacities, held = zip(*workloads, strict=True)
    pods = [(number, milli) for number, of in enumerate(capacities) for milli in sorted(of)]
    service, capacity = np.array(pods, np.int64).reshape(-1, 2).T
    ones = np.ones(len(pods), np.int64)
    columns = Demands.of(demands)
    cores = np.maximum(capacity, np.minimum(1500, columns.most_milli[service]))
    groups = PodGroups.of(columns, service, ones, capacity, cores, ones > 0)
    each = (np.array(held) / np.maximum(1, np.bincount(service, minlength=len(held))))[service]
    together, _ = step_workloads(groups, np.array(rates), each, 5.0)
    for number, (demand, rate, of, kept) in enumerate(workloads):
        alone = step_pods(demand, rate, of, kept, STEP_US, cores_milli=1500).steps
        for name in WorkloadSteps._fields:
            got, expected = getattr(together, name)[number], getattr(alone, name)[0]
            assert got == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True), name


def test_nothing_that_stands_still_is_computed_to_move():
    held = 0.0
    for _ in range(200):
        before, held = held, step_equal_pods(WEB, 80.0, 1, 1000, held, STEP_US).in_flight
    assert held == before > 0.0
