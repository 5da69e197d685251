import math
from fractions import Fraction

import numpy as np
import pytest

from planner.plan.model.serving import Balancer
from planner.workloads.latency import mmc
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.free_response import LEVELS, PERCENTILES
from planner.workloads.latency.pod_latency import PodLatency
from planner.workloads.latency.saturation import advance_in_flight
from planner.workloads.load.step.responses import Responses, mixed_moments, mixed_percentiles_s
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


def later_than(queue, u):
    """P(response > u) of M/M/m, as in textbooks."""
    waiting, gap = float(queue.waiting[0]), float(queue.decay[0]) - 1.0
    extra = u if abs(gap) < 1e-12 else -math.expm1(-gap * u) / gap
    return math.exp(-u) * (1.0 + waiting * extra)


QUEUES = [(m, rho) for m in (1, 2, 3, 4, 8, 33, 64) for rho in (1e-6, 0.3, 0.5, 0.75, 0.9, 0.99)]


@pytest.mark.parametrize(("servers", "rho"), QUEUES)
def test_percentiles_invert_the_tails(servers, rho):
    queue = calm_queue(servers, rho)
    for percent in (50, 90, 95, 99):
        late = mmc.log_late(percent)
        assert later_than(queue, float(queue.percentiles_s(late)[0])) == pytest.approx(np.exp(late), rel=1e-9)


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


def mixed(pods):
    parts = Responses(
        pods.weight, pods.mean_s(), pods.variance_s2(), pods, np.zeros(0, np.int64), np.zeros((len(LEVELS), 0))
    )
    percentiles = mixed_percentiles_s(parts, np.array([0]), np.zeros(1))[:, 0]
    return dict(zip(PERCENTILES, percentiles.tolist(), strict=True)), *mixed_moments(parts, np.array([0]))


def test_mixture_of_like_pods_is_one_of_them():
    pod = PodLatency(1.0, 0.5, 0.02, float(mmc.Servers(4).erlang_c(0.8)), 0.8)
    percentiles, mean_s, variance_s2 = mixed(columns(pod, pod))
    for percent, found in percentiles.items():
        assert found == pytest.approx(float(pod.percentiles_s(mmc.log_late(percent))), rel=1e-9)
    assert mean_s[0] == pytest.approx(float(pod.mean_s()))
    assert variance_s2[0] == pytest.approx(float(pod.variance_s2()))


def test_mixture_follows_the_slow_pod_in_the_tail():
    percentiles, _, _ = mixed(columns(PodLatency(9.0, 0.0, 0.01, 0.1, 0.9), PodLatency(1.0, 2.0, 0.01, 0.1, 0.9)))
    assert percentiles[50] < 0.05
    assert percentiles[95] > 2.0


def test_percentiles_of_mixtures_are_close_to_their_tails():
    """Two pods of one server: the share above t is the mean of both exponential tails."""
    pods = columns((1.0, 0.0, 0.01, 0.8, 0.2), (2.0, 0.0, 0.02, 0.5, 0.5))
    for percent, found in mixed(pods)[0].items():
        late = (math.exp(-found / 0.05) + 2.0 * math.exp(-found / 0.04)) / 3.0
        assert late == pytest.approx(1.0 - percent / 100.0, rel=0.06)


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
