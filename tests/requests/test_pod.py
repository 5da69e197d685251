"""The simulation against what is known exactly."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.workloads.latency import mmc
from tests.planner.workloads.latency.exact_sharing import SharedCores
from tests.planner.workloads.latency.queues import mean_wait, response_percentile
from tests.requests.loads import closed_load, open_load
from tests.requests.pod import Pod, PodLaw
from tests.requests.streams import Class, Work

REQUESTS = 30_000
MANY = 80_000


@pytest.mark.parametrize(
    ("work_ms", "limit", "threads", "done_ms"),
    [
        (60, 0.5, 1, 110), (120, 0.5, 1, 220), (120, 0.5, 4, 205), (200, 1, 4, 125), (200, 2, 4, 50),
        (300, 2, 8, 112.5), (1000, 0.25, 1, 3925), (10, 0.1, 1, 10), (100, 0.1, 1, 910),
    ],
)  # fmt: skip
def test_a_burst_in_a_fresh_period_pauses_for_every_quota_it_uses_up(work_ms, limit, threads, done_ms):
    pod = Pod(PodLaw(limit, workers=threads))
    for number in range(threads):
        pod.take(0.0, number, work_ms / 1000 / threads)
    pod.run_until(math.inf)
    assert pod.counts.served[-1][2] * 1000 == pytest.approx(done_ms)
    assert pod.counts.throttled_periods == math.ceil(done_ms / 100) - 1


@given(st.lists(st.tuples(st.floats(0.0, 3.0), st.floats(1e-4, 0.2)), min_size=1, max_size=8), st.floats(0.0, 0.1))
def test_however_often_one_looks_the_work_is_the_same(requests, offset):
    law = PodLaw(0.3, workers=2, offset_s=offset)
    seldom, often = Pod(law), Pod(law)
    for pod in (seldom, often):
        for number, (arrival, work) in enumerate(requests):
            pod.take(arrival, number, work)
    for now in np.arange(0.0, 12.0, 0.0777):
        often.run_until(float(now))
    for pod in (seldom, often):
        pod.run_until(20.0)
    assert often.counts.spent_s == pytest.approx(seldom.counts.spent_s, abs=1e-6)
    assert often.counts.spent_s == pytest.approx(sum(work for _, work in requests), abs=1e-6)
    assert [one[0] for one in often.counts.served] == [one[0] for one in seldom.counts.served]


def test_a_pod_that_was_overloaded_uses_its_limit_until_nothing_waits():
    pod = Pod(PodLaw(0.1, workers=1))
    for number in range(690):
        pod.take(number * 0.5 if number < 600 else 300.0 + 10 * (number - 600), number, 0.1)
    pod.run_until(300.0)
    assert pod.counts.spent_s == pytest.approx(30.0)
    pod.run_until(1_300.0)
    assert (len(pod.counts.served), pod.counts.spent_s) == (690, pytest.approx(69.0))


@pytest.mark.parametrize(("servers", "rho"), [(1, 0.8), (2, 0.5), (8, 0.8)])
def test_exponential_requests_at_workers_are_erlangs(servers, rho):
    found = open_load(PodLaw(workers=servers), servers * rho, Work.of(1.0, 1.0), MANY)
    assert found.waits.mean() == pytest.approx(mean_wait(servers, rho), rel=0.08)
    for percent in (50, 95, 99):
        assert found.percentile_s(percent) == pytest.approx(response_percentile(servers, rho, percent), rel=0.06)
    assert found.in_flight == pytest.approx(found.throughput * found.mean_s, rel=0.02), "Little's law"
    assert mmc.Servers(np.array([servers])).erlang_c(np.array([rho]))[0] == pytest.approx(
        (found.waits > 0).mean(), rel=0.05
    )


@pytest.mark.parametrize(("square", "wait"), [(0.0, 2.0), (0.25, 2.5), (1.0, 4.0), (2.0, 6.0), (4.0, 10.0)])
def test_one_worker_waits_as_pollaczek_and_khinchine_say(square, wait):
    found = open_load(PodLaw(workers=1), 0.8, Work.of(1.0, math.sqrt(square)), MANY)
    assert found.waits.mean() == pytest.approx(wait, rel=0.08)


@pytest.mark.parametrize("servers", [1, 4])
def test_exponential_requests_that_share_the_cores_are_the_exact_ones(servers):
    found = open_load(PodLaw(workers=servers, sharing=True), servers * 0.8, Work.of(1.0, 1.0), MANY)
    exact = SharedCores(servers, 0.8)
    assert found.mean_s == pytest.approx(exact.moments()[0], rel=0.05)
    for percent in (50, 95, 99):
        assert found.percentile_s(percent) == pytest.approx(exact.percentile(percent), rel=0.07)


@pytest.mark.parametrize("cv", [0.0, 0.5, 2.0])
def test_the_mean_of_requests_that_share_does_not_depend_on_their_variability(cv):
    found = open_load(PodLaw(workers=1, sharing=True), 0.8, Work.of(1.0, cv), MANY)
    assert found.mean_s == pytest.approx(5.0, rel=0.06)


@pytest.mark.parametrize(
    ("rho", "most", "blocked"), [(0.9, 10, 0.051), (0.9, 5, 0.126), (0.9, 2, 0.299), (0.5, 2, 1 / 7)]
)
@pytest.mark.parametrize("sharing", [True, False])
def test_a_pod_that_holds_a_few_blocks_as_a_finite_queue_does(rho, most, blocked, sharing):
    found = open_load(PodLaw(workers=1, sharing=sharing, queue_limit=most), rho, Work.of(1.0, 1.0), REQUESTS)
    assert found.rejected == pytest.approx(blocked, abs=0.006)


def test_requests_that_wait_too_long_are_those_of_an_impatient_queue():
    """M/M/1 with a patience of d: Erlang's B for infinitely many waiting places, cut at d (Barrer 1957)."""
    rho, patience = 0.9, 2.0
    found = open_load(PodLaw(workers=1, timeout_s=patience), rho, Work.of(1.0, 1.0), MANY)
    # Density of the offered wait: P0 rho e^-(1 - rho) w up to the patience, P0 rho e^(rho d - w) beyond it.
    near = rho * (1 - math.exp(-(1 - rho) * patience)) / (1 - rho)
    beyond = rho * math.exp(-(1 - rho) * patience)
    assert found.timed_out == pytest.approx(beyond / (1 + near + beyond), abs=0.006)


def test_requests_that_take_too_long_in_service_cost_what_they_used():
    found = open_load(PodLaw(workers=1, cores=1, timeout_s=0.5, in_service=True), 0.01, Work.of(1.0, 1.0), REQUESTS)
    assert found.timed_out == pytest.approx(math.exp(-0.5), abs=0.006)
    assert found.counts.spent_s / REQUESTS == pytest.approx(1 - math.exp(-0.5), rel=0.02)


@pytest.mark.parametrize(("clients", "think_s"), [(5, 4.0), (20, 10.0), (3, 0.0)])
def test_closed_clients_of_one_worker_are_the_machine_repair_model(clients, think_s):
    chance = [1.0]
    for waiting in range(clients):
        chance.append(chance[-1] * (clients - waiting) / max(think_s, 1e-9))
    throughput = 1.0 - chance[0] / sum(chance)
    found = closed_load(PodLaw(workers=1), clients, think_s, Work.of(1.0, 1.0), REQUESTS)
    assert found.throughput == pytest.approx(throughput, rel=0.02)
    assert found.mean_s == pytest.approx(clients / throughput - think_s, rel=0.04)


def test_evenly_spaced_requests_of_one_size_never_wait():
    found = open_load(PodLaw(workers=1), 0.95, Work.of(1.0, 0.0), 5_000, arrivals_cv=0.0)
    assert found.waits.max() == pytest.approx(0.0, abs=1e-6)


def test_classes_come_in_their_shares():
    work = Work((Class(0.99, 0.01, 0.2), Class(0.01, 0.3, 0.0)))
    works = work.draw(np.random.default_rng(1), REQUESTS)
    assert works.mean() == pytest.approx(work.mean_s)
    assert (works > 0.29).mean() == pytest.approx(0.01, rel=1e-6)


def test_a_quota_beyond_what_the_workers_can_use_never_stops_them():
    free, limited = (open_load(PodLaw(limit, workers=2), 1.8, Work.of(1.0, 1.0), 5_000) for limit in (math.inf, 2.0))
    assert np.array_equal(free.responses, limited.responses) and limited.throttled == 0.0


@pytest.mark.parametrize("limit", [0.1, 0.5, 1.0])
def test_a_quota_bounds_what_is_used_over_time_whatever_the_speed(limit):
    found = open_load(PodLaw(limit), 1.5 * limit / 0.01, Work.of(0.01, 0.5), 5_000)
    assert found.busy_cores == pytest.approx(limit, rel=0.02)
    assert found.throttled == pytest.approx(1.0 - limit / 8.0, rel=0.01), "all cores run until the quota is used up"


def test_a_clock_that_looks_seldom_lets_a_request_finish_that_needs_a_little_more_than_the_quota():
    pod = Pod(PodLaw(0.1, workers=1, tick_s=0.004))
    pod.take(0.001, 0, 0.0105)
    pod.take(0.101, 1, 0.0105)
    pod.run_until(1.0)
    assert pod.counts.served[0][2] == pytest.approx(0.0105)
    assert pod.counts.spent_s == pytest.approx(0.021)
    assert pod.counts.served[1][2] == pytest.approx(0.0105)
