"""CPU quotas: tables of responses against known figures, a measured service, and each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.plan.model.serving import RequestClass
from planner.units import US_PER_S
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.cfs.quota_response import responses
from planner.workloads.latency.cfs.quota_table import LOADS, QuotaTables
from planner.workloads.latency.laws import Laws
from planner.workloads.latency.sizes.request_sizes import RequestSizes, quantiles
from tests.planner.workloads.load.one_step import step_pods

STEP_US = 5 * US_PER_S


def sizes(cv):
    return RequestSizes(((1.0, 1.0, cv),))


def settled(demand, rate, limit, node_cores=8000):
    held = 0.0
    for _ in range(40):
        step = step_pods(demand, rate, [limit], held, STEP_US, node_cores)
        held = step.in_flight
    return step


@pytest.mark.parametrize(
    ("work_s", "limit", "periods"),
    [
        pytest.param(0.06, 0.5, 1, id="a little more than a quota"),
        pytest.param(0.12, 0.5, 2, id="more than two quotas"),
        pytest.param(0.19, 2.0, 0, id="less than a quota"),
        pytest.param(0.3, 2.0, 0, id="one worker never uses up two cores"),
    ],
)
def test_a_lone_request_stops_for_every_quota_it_uses_up(work_s, limit, periods):
    """At the beginning of a period it stops so often; later in one, a part of it is done before the next quota."""
    values, weights, _ = responses(QuotaPod(4, limit, work_s, sizes(0.0), 1.0, True, tick_s=0.0), 1e-4)
    usual = values[weights > 1e-3]
    slowest = periods * 0.1 + work_s - periods * limit * 0.1
    assert usual.max() == pytest.approx(slowest, abs=0.011)
    assert usual.min() >= work_s * (1 - 1e-6)


@pytest.mark.parametrize(("cv", "load"), [(0.0, 0.9), (0.5, 0.8), (1.0, 0.9), (2.0, 0.95)])
def test_a_quota_that_hardly_acts_leaves_the_mean_of_pollaczek_and_khinchine(cv, load):
    values, weights, _ = responses(QuotaPod(1, 0.9999, 0.01, sizes(cv), 1.0, True, tick_s=0.0), load)
    exact = 0.01 * (1.0 + load * (1.0 + cv * cv) / (2.0 * (1.0 - load)))
    assert float(values @ weights) == pytest.approx(exact, rel=0.04)


@pytest.mark.parametrize("limit", [100, 250, 500, 1000, 2000, 4000])
def test_at_low_load_a_limit_lengthens_the_tail_and_nothing_else(limit):
    demand = Demand(cpu_seconds_per_request=0.005, cv=0.2)
    step = settled(demand, 0.02 * limit / 1000 / 0.005, limit)
    assert step.p50_s == pytest.approx(0.005, rel=0.05)


@pytest.mark.parametrize("discipline", ["sharing", "queue"])
@pytest.mark.parametrize("workers", [2, 8, None])
def test_more_cpu_is_never_slower_and_nothing_jumps_where_the_limit_passes_the_workers(discipline, workers):
    demand = Demand(cpu_seconds_per_request=0.02, cv=0.5, workers=workers, discipline=discipline)
    top = 8 if workers is None else workers
    limits = [*range(500, top * 1000, 500), top * 1000 - 20, top * 1000, top * 1000 + 20]
    found = [settled(demand, 20.0, limit) for limit in limits]
    for name in ("mean_s", "p50_s", "p90_s", "p95_s", "p99_s"):
        values = [getattr(step, name) for step in found]
        under_quota, free = values[:-2], values[-2:]
        assert all(later <= before * 1.002 for before, later in zip(under_quota, under_quota[1:], strict=False)), name
        assert free == pytest.approx([under_quota[-1]] * 2, rel=0.07), name


@pytest.mark.parametrize("limit", [250, 1000])
@pytest.mark.parametrize("discipline", ["sharing", "queue"])
def test_more_load_is_never_faster_and_in_flight_follows_littles_law(limit, discipline):
    demand = Demand(cpu_seconds_per_request=0.02, cv=0.5, workers=8, discipline=discipline, latency_floor="30ms")
    found = [settled(demand, busy * limit / 20.0, limit) for busy in np.arange(0.05, 0.96, 0.1)]
    for name in ("mean_s", "p50_s", "p90_s", "p95_s", "p99_s", "throttled"):
        values = [getattr(step, name) for step in found]
        assert all(later >= before * (1 - 1e-9) for before, later in zip(values, values[1:], strict=False)), name
    for step in found:
        assert step.in_flight == pytest.approx(step.served / 5.0 * step.mean_s, rel=1e-3)


@pytest.mark.parametrize(("limit", "most"), [(2000, 1.0), (3000, 1.0), (500, 0.5)])
def test_a_single_worker_saturates_at_one_core(limit, most):
    demand = Demand(cpu_seconds_per_request=0.8, workers=1, discipline="queue", timeout=20 * US_PER_S)
    step = settled(demand, 5.0, limit)
    assert step.served / 5.0 == pytest.approx(most / 0.8, rel=0.03)


@pytest.mark.parametrize(("rate", "mean_s"), [(3.02, 0.139), (5.19, 0.229), (7.44, 0.423)])
def test_a_measured_service_with_one_thread_on_one_core(rate, mean_s):
    demand = Demand(cpu_seconds_per_request=0.1, cv=1.0, workers=1, discipline="queue")
    assert settled(demand, rate, 1000, 1000).mean_s == pytest.approx(mean_s, rel=0.1)


def shop():
    """A PHP shop of 8 processes: requests of 10.5 ms of CPU, and for every hundred of them one of 100 ms."""
    mean_s = (100 * 0.0105 + 0.1) / 101
    classes = tuple(
        RequestClass(share=many / 101, cost=cost_s / mean_s, cv=0.2) for many, cost_s in ((100, 0.0105), (1, 0.1))
    )
    return Demand(cpu_seconds_per_request=mean_s, workers=8, discipline="queue", classes=classes)


def evenly_spaced(demand, limit, rate):
    held = 0.0
    for _ in range(40):
        step = step_pods(demand, rate, [limit], held, STEP_US, 8000, arrival_cv=0.0)
        held = step.in_flight
    return step


@pytest.mark.parametrize(
    ("limit", "rate", "p50", "p90", "p99"),
    [
        (8000, 2.0, 10.3, 12.8, 14.8), (8000, 4.0, 10.3, 12.6, 14.9), (2000, 5.0, 11.7, 15.4, 18.5),
        (500, 5.0, 10.9, 15.0, 78.0), (100, 5.0, 10.7, 93.0, 598.0),
    ],
)  # fmt: skip
def test_a_measured_shop_under_quotas(limit, rate, p50, p90, p99):
    """How many heavy requests there were and how heavy is not known; the rest is as measured."""
    step = evenly_spaced(shop(), limit, rate)
    assert step.p50_s * 1000 == pytest.approx(p50, rel=0.15)
    assert step.p90_s * 1000 == pytest.approx(p90, rel=0.15)
    assert step.p99_s * 1000 == pytest.approx(p99, rel=0.4)


def test_requests_a_little_larger_than_the_quota_end_before_the_clock_of_the_kernel_ticks():
    """Most of 10.5 ms at a quota of 10 ms, if it is looked at every 4 ms; at every moment, most of them stop."""
    demand = Demand(cpu_seconds_per_request=0.0105, cv=0.2, workers=8, discipline="queue")
    usual, strict = (step_pods(demand, 0.1, [100], 0.0, STEP_US, 8000, tick_s=tick_s) for tick_s in (0.004, 0.0))
    assert usual.p50_s == pytest.approx(0.0105, rel=0.03)
    assert strict.p50_s > 1.2 * usual.p50_s and strict.mean_s > 1.4 * usual.mean_s
    assert usual.throttled < 0.7 * strict.throttled


def test_evenly_spaced_requests_wait_less_under_a_small_quota_than_random_ones():
    even = evenly_spaced(shop(), 100, 5.0)
    random = settled(shop(), 5.0, 100, 8000)
    assert even.p50_s < 0.7 * random.p50_s


@pytest.mark.parametrize(("limit", "most"), [(2000, 1.19), (3000, 1.24)])
def test_a_measured_classifier_on_one_thread_gains_nothing_from_more_cores(limit, most):
    demand = Demand(cpu_seconds_per_request=1 / 1.22, cv=0.2, workers=1, discipline="queue", timeout=20 * US_PER_S)
    assert settled(demand, 3.0, limit).served / 5.0 == pytest.approx(most, rel=0.05)


def test_sizes_of_classes_have_their_mean_and_their_variability():
    mixed = RequestSizes(((0.99, 0.9, 0.2), (0.01, 10.9, 0.3)))
    for one in (mixed, sizes(0.0), sizes(0.5), sizes(2.0)):
        mean = float((one.values * one.weights).sum())
        square = float((one.values**2 * one.weights).sum())
        assert mean == pytest.approx(1.0, rel=1e-6)
        assert square == pytest.approx(one.second_moment, rel=0.05)
        assert quantiles(one.values, one.weights, np.array([0.999]))[0] >= 1.0


PODS = QuotaTables([
    QuotaPod(4, 0.5, 0.02, sizes(1.0), 1.0, False),
    QuotaPod(8, 0.1, 0.0105, sizes(0.2), 1.0, True),
    QuotaPod(2, 1.0, 0.3, sizes(2.0), 0.0, True),
])  # fmt: skip


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(1e-6, 1 - 1e-6), st.floats(0.0, 1e4)), min_size=1, max_size=9))
def test_the_load_of_pods_under_quotas_is_found_to_the_last_digits_whichever_pods_are_beside_them(columns):
    of, rho, capacity = (np.array(column) for column in zip(*columns, strict=True))
    held = PODS.steepness(of, rho) * rho / (1.0 - rho) + capacity * rho
    laws = Laws(
        np.ones(len(of)), np.ones(len(of), int), np.zeros(len(of), int), np.ones(len(of)), quota=of, tables=PODS
    )
    together = busy_share(laws, held, capacity)
    assert together == pytest.approx(rho, rel=1e-13)
    alone = [float(busy_share(laws.take(np.array([one])), held[[one]], capacity[[one]])[0]) for one in range(len(of))]
    assert together.tolist() == alone


def test_rows_of_high_loads_are_made_when_they_are_looked_up():
    pod = QuotaPod(4, 0.25, 0.011, sizes(1.0), 1.0, False)
    of, load, capacity = np.array([0]), np.array([0.31]), np.array([10.0])
    tables, whole = QuotaTables([pod]), QuotaTables([pod])
    whole.know(0, len(LOADS))

    def looked_up(one, available):
        share = one.share(of, np.array([available]), capacity)
        return [column.tolist() for column in (one.steepness(of, load), share, *one.responses(of, load))]

    assert looked_up(tables, 3.0) == looked_up(whole, 3.0)
    assert 0 < tables.columns[-1][0] < len(LOADS)
    assert looked_up(tables, 90.0) == looked_up(whole, 90.0)
    assert tables.columns[-1][0] == len(LOADS)
