"""Balancers and disciplines against published values and against each other."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.plan.model.demand import Demand
from planner.plan.model.serving import Balancer
from planner.units import US_PER_S
from planner.workloads.latency import mmc
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.laws import BALANCERS, laws_of, round_robin_sigma
from planner.workloads.latency.wait_stretch import constant_service_stretch, wait_stretch
from tests.planner.workloads.latency.queues import laws_alike, mean_wait
from tests.planner.workloads.load.one_step import step_equal_pods

STEP_US = 5 * US_PER_S


def response(law, rho):
    waiting, decay = law.wait(rho)
    return 1.0 + waiting / decay


@pytest.mark.parametrize(
    ("balancer", "at_80", "at_90"),
    [
        (Balancer.RANDOM, 5.0, 10.0),
        (Balancer.ROUND_ROBIN, 2.922269, 5.660276),
        (Balancer.LEAST_OF_TWO, 1.947363, 2.614057),
        (Balancer.SHARED_QUEUE, 1.204590, 1.668732),
    ],
)
def test_ten_one_server_pods_behind_each_balancer(balancer, at_80, at_90):
    law = laws_alike(1, 10, balancer)
    assert response(law, 0.8) == pytest.approx(at_80, rel=1e-6)
    assert response(law, 0.9) == pytest.approx(at_90, rel=1e-6)


@pytest.mark.parametrize(("cv2", "wait"), [(0, 2.0), (0.25, 2.5), (0.5, 3.0), (1, 4.0), (2, 6.0), (4, 10.0)])
def test_one_server_is_pollaczek_khinchine(cv2, wait):
    waiting, decay = laws_alike(1, 1, Balancer.RANDOM, math.sqrt(cv2)).wait(0.8)
    assert waiting / decay == pytest.approx(wait, rel=1e-12)


@pytest.mark.parametrize(("servers", "exact"), [(4, 0.99996589), (8, 0.44997326), (32, 0.07622166)])
def test_constant_service_is_within_a_percent_of_exact_values(servers, exact):
    got = mean_wait(servers, 0.9) * constant_service_stretch(servers, 0.9)
    assert got == pytest.approx(exact, rel=0.01)


def test_variability_is_continuous_where_its_rules_meet():
    for servers in (1, 4, 16):
        assert wait_stretch(servers, 0.8, 1.0 - 1e-9) == pytest.approx(1.0, abs=1e-6)
        assert wait_stretch(servers, 0.8, 1.0 + 1e-9) == pytest.approx(1.0, abs=1e-6)


@given(st.integers(1, 60), st.floats(0.0, 0.999))
def test_round_robin_solves_its_equation(pods, rho):
    sigma = round_robin_sigma(pods, rho)
    assert 0.0 <= sigma <= rho
    assert sigma == pytest.approx((pods * rho / (pods * rho + 1 - sigma)) ** pods, abs=1e-9)


LAWS = st.builds(
    laws_alike,
    st.integers(1, 9),
    st.integers(2, 40),
    st.sampled_from(list(Balancer)),
    st.sampled_from([0.0, 0.5, 1.0, 3.0]),
)


@given(LAWS, st.floats(0.01, 0.99))
def test_busy_share_inverts_the_mean_number_of_every_law(law, rho):
    assert busy_share(law, law.number(rho)) == pytest.approx(rho, rel=1e-6)


@given(LAWS, st.floats(0.01, 0.98))
def test_more_load_never_lowers_the_mean_response_of_any_law(law, rho):
    assert response(law, rho + 0.01) >= response(law, rho) * (1 - 1e-9)


@pytest.mark.parametrize("servers", [1, 4])
@pytest.mark.parametrize("rho", [0.8, 0.95])
def test_better_balancers_wait_less_under_load(servers, rho):
    order = (Balancer.RANDOM, Balancer.ROUND_ROBIN, Balancer.LEAST_OF_TWO, Balancer.SHARED_QUEUE)
    waits = [float(response(laws_alike(servers, 10, balancer), rho)[0]) for balancer in order]
    assert waits == sorted(waits, reverse=True)


def test_what_a_law_is_of_follows_from_the_service():
    balancers = [BALANCERS.index(one) for one in ("random", "random", "round-robin", "random", "least-of-two")]
    pods, cv = np.array([10, 10, 1, 1, 2]), np.array([1.0, 3.0, 1.0, 3.0, 1.0])
    laws = laws_of(np.full(5, 4), pods, np.array(balancers), cv, np.arange(5) == 3)
    assert laws.many.tolist() == [0, 1, 2], "variability matters in a queue, and one pod has nothing to balance"
    assert laws.other.tolist() == [3, 4]


def test_many_servers_at_once_are_the_recursion():
    blocked = 1.0
    for n in range(1, 601):
        blocked = 550.0 * blocked / (n + 550.0 * blocked)
    rho = 550.0 / 600
    waiting = blocked / (1.0 - rho * (1.0 - blocked))
    assert mmc.Servers(600).erlang_c(rho) == pytest.approx(waiting, rel=1e-10)


def settled(demand, rate, pods=10, capacity_milli=1000):
    held = 0.0
    for _ in range(200):
        step = step_equal_pods(demand, rate, pods, capacity_milli, held, STEP_US)
        held = step.in_flight
    return step


@pytest.mark.parametrize("balancer", list(Balancer))
@pytest.mark.parametrize("cv", [0.0, 1.0, 2.0])
def test_settled_pods_have_the_stationary_latency_of_their_law(balancer, cv):
    demand = Demand(balancer=balancer, cv=cv, discipline="queue")
    step = settled(demand, 800.0)
    assert step.mean_s == pytest.approx(0.01 * float(response(laws_alike(1, 10, balancer, cv), 0.8)[0]), rel=1e-3)
    assert step.in_flight == pytest.approx(800.0 * step.mean_s, rel=1e-3)
    assert step.p50_s <= step.p90_s <= step.p95_s <= step.p99_s


def test_overload_is_the_same_behind_every_balancer():
    lengths = [settled(Demand(balancer=balancer), 1500.0).in_flight for balancer in Balancer]
    assert max(lengths) == pytest.approx(min(lengths), rel=0.01)
