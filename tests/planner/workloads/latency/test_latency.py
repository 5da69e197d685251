import math
from fractions import Fraction

import numpy as np
import pytest

from planner.plan.model.serving import Balancer
from planner.workloads.latency import mixture, mmc
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.mixture import PodLatency
from planner.workloads.latency.saturation import advance_in_flight
from tests.planner.workloads.latency.queues import calm_queue, laws_alike, mean_wait, response_percentile


@pytest.mark.parametrize(
    ("servers", "rho", "erlang_c", "wait", "p50", "p99"),
    [
        pytest.param(1, 0.8, 0.8, 4.0, 5 * math.log(2), 5 * math.log(100), id="M/M/1 in closed form"),
        pytest.param(2, 0.5, 1 / 3, 1 / 3, None, None, id="M/M/2 in closed form"),
    ],
)
def test_stationary_queue(servers, rho, erlang_c, wait, p50, p99):
    assert laws_alike(servers).wait(rho)[0] == pytest.approx(erlang_c, rel=1e-12)
    assert mean_wait(servers, rho) == pytest.approx(wait, rel=1e-12)
    for percent, expected in ((50, p50), (99, p99)):
        if expected is not None:
            assert response_percentile(servers, rho, percent) == pytest.approx(expected, rel=1e-12)


QUEUES = [(m, rho) for m in (1, 2, 3, 4, 8, 33, 64) for rho in (1e-6, 0.3, 0.5, 0.75, 0.9, 0.99, 0.9999)]


@pytest.mark.parametrize(("servers", "rho"), QUEUES)
def test_percentiles_invert_the_tails(servers, rho):
    queue = calm_queue(servers, rho)
    for percent in (50, 90, 95, 99):
        late = mmc.log_late(percent)
        assert queue.tail(queue.percentiles_s(late))[0] == pytest.approx(np.exp(late), rel=1e-9)


@pytest.mark.parametrize("servers", [1, 2, 7, 64])
@pytest.mark.parametrize("x", [1e-9, 0.3, 1.0, 5.0, 70.0, 1e6])
def test_busy_share_inverts_the_mean_number(servers, x):
    laws = laws_alike(servers)
    assert laws.number(busy_share(laws, x)) == pytest.approx(x, rel=1e-8)


ONE = laws_alike(1)


def after(x, arrival_rate, capacity_rate, dt_s):
    return float(advance_in_flight(np.array([x]), arrival_rate, np.array([capacity_rate]), ONE, dt_s).in_flight[0])


def test_fluid_queue_fills_as_published():
    x, at = 0.0, {}
    for step in range(1, 5001):
        x = after(x, 0.8, 1.0, 0.01)
        at[step] = x
    assert at[1000] == pytest.approx(2.3111, abs=1e-4)
    assert at[5000] == pytest.approx(3.7441, abs=2e-4)


@pytest.mark.parametrize("dt_s", [0.1, 1.0, 5.0, 10.0])
def test_long_steps_stay_close_to_short_ones(dt_s):
    x = 0.0
    for _ in range(round(50 / dt_s)):
        x = after(x, 0.8, 1.0, dt_s)
    assert x == pytest.approx(3.7441, rel=5e-3)


def test_overload_fills_and_drains_at_the_difference_of_rates():
    x = 0.0
    for _ in range(12):
        x = after(x, 150.0, 100.0, 5.0)
    assert x == pytest.approx(3000, rel=0.01)
    for _ in range(6):
        x = after(x, 150.0, 250.0, 5.0)
    assert x < 0.03 * 3000


def columns(*pods):
    return PodLatency(*(np.array(column, float) for column in zip(*pods, strict=True)))


def percentile(pods, percent):
    return float(mixture.percentiles_s(pods, np.array([0]), mmc.log_late(np.array([[percent]])))[0, 0])


def test_mixture_of_like_pods_is_one_of_them():
    pod = PodLatency(1.0, 0.5, 0.02, float(mmc.Servers(4).erlang_c(0.8)), 0.8)
    pods = columns(pod, pod)
    assert percentile(pods, 95) == pytest.approx(float(pod.percentiles_s(mmc.log_late(95))), rel=1e-9)
    assert mixture.mean_s(pods, np.array([0]))[0] == pytest.approx(float(pod.mean_s()))
    assert mixture.variance_s2(pods, np.array([0]))[0] == pytest.approx(float(pod.variance_s2()))


def test_mixture_follows_the_slow_pod_in_the_tail():
    pods = columns(PodLatency(9.0, 0.0, 0.01, 0.1, 0.9), PodLatency(1.0, 2.0, 0.01, 0.1, 0.9))
    assert percentile(pods, 50) < 0.05
    assert percentile(pods, 95) > 2.0


@pytest.mark.parametrize("bound", [math.inf, 0.3])
def test_percentiles_of_mixtures_invert_their_tails(bound):
    first = [(1.0, 0.0, 0.01, 0.8, 0.2, bound), (2.0, 0.1, 0.05, 0.3, 2.0, bound), (0.5, 1.0, 0.2, 0.0, 1.0, math.inf)]
    second = [(1.0, 0.0, 0.01, 0.5, 0.5, bound), (1.0, 0.0, 0.03, 0.5, 0.5, bound)]
    pods, starts = columns(*first, *second), np.array([0, 3])
    late = mmc.log_late(np.array([[50.0], [90.0], [99.0]])) + np.zeros(2)
    for share, times in zip(np.exp(late), mixture.percentiles_s(pods, starts, late), strict=True):
        tails = pods.weight * pods.tail(np.repeat(times, (3, 2)))[0]
        assert np.add.reduceat(tails, starts) / np.add.reduceat(pods.weight, starts) == pytest.approx(share, rel=1e-9)


@pytest.mark.parametrize(("servers", "percent"), [(100, 1), (150, 2), (200, 1), (400, 20), (1000, 10)])
@pytest.mark.parametrize("scalar_twins", [True, False])
def test_waiting_is_exact_however_rare(servers, percent, scalar_twins):
    rho = Fraction(percent, 100)
    rarity = term = Fraction(1)
    for left in range(servers, 0, -1):
        term *= left / (servers * rho)
        rarity += term
    exact = 1 / (rho + rarity * (1 - rho))
    one = np.array([servers])
    found = mmc.Servers(one, scalar_twins).erlang_c(np.array([float(rho)]))[0]
    assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-308)


@pytest.mark.parametrize("balancer", Balancer)
@pytest.mark.parametrize("rho", [0.0, 1e-12, 0.01])
def test_latency_is_defined_where_waiting_is_too_rare_for_a_number(balancer, rho):
    law = laws_alike(1000, 50, balancer)
    waiting, decay = law.wait(np.full(1, rho))
    response = PodLatency(1.0, 0.0, 1.0, waiting, decay)
    assert response.mean_s() == pytest.approx(1.0)
    assert response.percentiles_s(mmc.log_late(np.array([[99.0]])))[0, 0] == pytest.approx(math.log(100), rel=1e-9)
