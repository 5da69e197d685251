"""CPU quotas: the figures of a step against a simulation of threads that stop when the quota of a period is used up."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from planner.units import US_PER_S
from planner.workloads.latency.quota_stops import PERIOD_S, chance_of_rest, quota_stops
from tests.planner.workloads.load.one_step import step_pods
from tests.requests.loads import open_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Work

REQUESTS = 15_000
STEP_US = 5 * US_PER_S


def settled(limit, threads, request_s, cv, busy):
    """Mean, p50, p99 (seconds) and throttled share of a settled pod."""
    demand, milli = Demand(cpu_seconds_per_request=request_s, workers=threads, cv=cv), round(1000 * limit)
    step = step_pods(demand, busy * limit / request_s, [milli], 0.0, STEP_US, milli)
    for _ in range(100):
        step = step_pods(demand, busy * limit / request_s, [milli], step.in_flight, STEP_US, milli)
    return step.mean_s, step.p50_s, step.p99_s, step.throttled


def simulated(limit, threads, request_s, cv, busy):
    law = PodLaw(limit, workers=threads, cores=threads)
    run = open_load(law, busy * limit / request_s, Work.of(request_s, cv), 2 * REQUESTS)
    return run.mean_s, run.percentile_s(50), run.percentile_s(99), run.counts.throttled_s / run.length_s


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "threads", "request_s"), [(1, 8, 0.02), (1, 4, 0.005), (0.5, 4, 0.02), (4, 16, 0.02)]
)
@pytest.mark.parametrize("cv", [0.5, 1.0])
@pytest.mark.parametrize("busy", [0.2, 0.4, 0.6, 0.8])
def test_throttled_pods_are_as_slow_as_simulated_ones(limit, threads, request_s, cv, busy):
    mean, p50, p99, throttled = settled(limit, threads, request_s, cv, busy)
    real_mean, real_p50, real_p99, real_throttled = simulated(limit, threads, request_s, cv, busy)
    assert throttled == pytest.approx(real_throttled, abs=0.05)
    assert mean == pytest.approx(real_mean, rel=0.25)
    assert p50 == pytest.approx(real_p50, rel=0.35)
    assert p99 == pytest.approx(real_p99, rel=0.35)


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "threads"), [(1, 8), (0.5, 4)])
@pytest.mark.parametrize("busy", [0.2, 0.4, 0.6, 0.8])
def test_scattered_requests_are_estimated_too_slow_on_average(limit, threads, busy):
    """At cv 2 a few long requests do most of the work, each on one thread, and leave the others alone."""
    mean, _, p99, throttled = settled(limit, threads, 0.02, 2.0, busy)
    real_mean, _, real_p99, real_throttled = simulated(limit, threads, 0.02, 2.0, busy)
    assert 0.95 < mean / real_mean < 1.8
    assert p99 == pytest.approx(real_p99, rel=0.3)
    assert throttled == pytest.approx(real_throttled, abs=0.12)


@pytest.mark.slow
def test_requests_longer_than_the_quota_are_estimated_too_slow():
    """100 ms of work under a quota of 50 ms: the formulas do not see that such requests run in parallel."""
    mean, _, p99, throttled = settled(0.5, 2, 0.1, 1.0, 0.6)
    real_mean, _, real_p99, real_throttled = simulated(0.5, 2, 0.1, 1.0, 0.6)
    assert 1.0 < mean / real_mean < 1.4
    assert p99 == pytest.approx(real_p99, rel=0.25)
    assert throttled == pytest.approx(real_throttled, abs=0.1)


def test_throttling_shows_long_before_the_limit_is_reached():
    stops = [quota_stops(1.0, 4, rate, 0.02, 1.0, 0.1) for rate in (1.0, 15.0, 30.0, 45.0)]
    delays = [float((one.share * one.delay_s).sum()) for one in stops]
    shares = [one.throttled for one in stops]
    assert delays == sorted(delays) and delays[0] < 1e-3 < delays[2]
    assert shares == sorted(shares) and shares[0] < 0.01 and 0.05 < shares[2] < shares[3] < 0.75
    assert stops[1].delay_s.max() >= 0.075, "at 30 % of the limit"


@pytest.mark.parametrize("rate", [0.0, 1e-3, 10.0, 49.0, 1e6])
@pytest.mark.parametrize("threads", [2, 64])
def test_shares_of_stops_are_a_distribution(rate, threads):
    stops = quota_stops(1.0, threads, rate, 0.02, 1.0, PERIOD_S)
    assert float(stops.share.sum()) == pytest.approx(1.0)
    assert (stops.share >= 0.0).all() and (stops.delay_s >= 0.0).all() and (stops.slower >= 1.0).all()
    assert 0.0 <= stops.throttled < 1.0


def test_the_chance_of_a_rest_grows_with_the_load_and_is_continuous():
    chances = [chance_of_rest(1.0, mean, 0.04) for mean in np.linspace(0.01, 0.999, 300)]
    steps = np.diff(chances)
    assert (steps > -1e-3).all() and steps.max() < 0.05
    assert chances[0] < 1e-4 and chances[-1] > 0.98


@pytest.mark.parametrize(
    ("work_s", "limit", "threads", "quotas"),
    [
        pytest.param(0.06, 0.5, 2, 1, id="a little more than a quota"),
        pytest.param(0.12, 0.5, 2, 2, id="more than two quotas"),
        pytest.param(0.12, 0.5, 4, 2, id="more threads do not change the work"),
        pytest.param(0.19, 2.0, 4, 0, id="less than a quota"),
        pytest.param(0.3, 2.0, 8, 1, id="several cores"),
    ],
)
def test_a_lone_request_stops_once_for_every_quota_it_uses_up(work_s, limit, threads, quotas):
    stops = quota_stops(limit, threads, 1e-6, work_s, 0.0, PERIOD_S)
    stopped = np.ceil(stops.delay_s / PERIOD_S)
    assert float(stops.share[stopped == quotas].sum()) == pytest.approx(1.0, abs=1e-5)
