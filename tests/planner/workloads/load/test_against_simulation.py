"""The formulas against simulations of single requests, and the fluid against the equations that it approximates."""

import math

import numpy as np
import pytest
import simpy

from planner.plan.model.serving import Balancer
from planner.workloads.latency.saturation import advance_in_flight
from tests.planner.workloads.latency.queues import laws_alike, mean_wait, simulated

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("servers", [1, 4, 16])
@pytest.mark.parametrize("rho", [0.5, 0.8, 0.9])
@pytest.mark.parametrize("cv", [0.0, 0.5, 1.0])
def test_queue_is_within_ten_percent(servers, rho, cv):
    waiting, decay = laws_alike(servers, 1, Balancer.RANDOM, cv).wait(rho)
    real = simulated(servers, rho, cv, sharing=False)[0].mean()
    if real > 0.05:
        # Short waits of very variable requests are over-estimated, by at most a twentieth of the service time.
        assert waiting / decay == pytest.approx(real, rel=0.1, abs=0.05)


@pytest.mark.parametrize("servers", [1, 4, 16])
@pytest.mark.parametrize("rho", [0.5, 0.8])
@pytest.mark.parametrize("cv", [0.0, 1.0])
def test_sharing_is_within_ten_percent_whatever_the_variability(servers, rho, cv):
    wait = mean_wait(servers, rho)
    real = simulated(servers, rho, cv, sharing=True)[1].mean()
    if real - 1.0 > 0.05:
        assert 1.0 + wait == pytest.approx(real, rel=0.1)


def balanced(choose, pods, rho, requests=40_000, seed=11):
    """Mean response of one-server pods behind a balancer, simulated with SimPy."""
    generator = np.random.default_rng(seed)
    world = simpy.Environment()
    servers = [simpy.Resource(world) for _ in range(pods)]
    responses = []

    def request(server, work):
        arrived = world.now
        with server.request() as turn:
            yield turn
            yield world.timeout(work)
        responses.append(world.now - arrived)

    def arrivals():
        for number in range(requests):
            yield world.timeout(generator.exponential(1 / (pods * rho)))
            lengths = [server.count + len(server.queue) for server in servers]
            world.process(request(servers[choose(number, lengths, generator)], generator.exponential()))

    world.process(arrivals())
    world.run()
    return float(np.mean(responses[requests // 20 :]))


def least_of_two(_number, lengths, generator):
    one, other = generator.choice(len(lengths), 2, replace=False)
    return int(one if lengths[one] <= lengths[other] else other)


@pytest.mark.parametrize(
    ("balancer", "choose", "tolerance"),
    [
        (Balancer.RANDOM, lambda _number, lengths, generator: int(generator.integers(len(lengths))), 0.1),
        (Balancer.ROUND_ROBIN, lambda number, lengths, _generator: number % len(lengths), 0.1),
        (Balancer.LEAST_OF_TWO, least_of_two, 0.1),
    ],
)
def test_balancers_over_one_server_pods(balancer, choose, tolerance):
    waiting, decay = laws_alike(1, 10, balancer).wait(0.8)
    assert 1.0 + waiting / decay == pytest.approx(balanced(choose, 10, 0.8), rel=tolerance)


def kolmogorov(servers, load, until_s, dt=0.01, states=400):
    """Mean number in M(t)/M/m (mu = 1) from empty, from the equations of its distribution."""
    numbers = np.arange(states)
    chance = np.zeros(states)
    chance[0] = 1.0
    leaving = np.minimum(numbers, servers).astype(float)
    means = []
    for step in range(round(until_s / dt)):
        rate = load(step * dt)
        up = rate * chance
        up[-1] = 0.0
        down = leaving * chance
        chance = chance + dt * (-up - down + np.r_[0.0, up[:-1]] + np.r_[down[1:], 0.0])
        means.append(float(chance @ numbers))
    return np.array(means)


def fluid(servers, load, until_s, dt_s=1.0):
    x, found, laws = np.zeros(1), [], laws_alike(servers)
    for step in range(round(until_s / dt_s)):
        x = advance_in_flight(x, load((step + 0.5) * dt_s), np.array([float(servers)]), laws, dt_s).in_flight
        found.append(float(x[0]))
    return np.array(found)


def step_up(t):
    return 1.5 if 40 <= t < 120 else 0.5


def ramp_up(t):
    return 0.4 + min(1.0, max(0.0, (t - 30) / 60)) * 1.0 if t < 120 else 0.4


def burst(t):
    return 2.5 if 40 <= t < 60 else 0.5


def errors_of_the_fluid(servers, slower, dt, load):
    """RMS error of the number of requests over its peak, and error of the time by which a tenth of it is left."""
    until_s = 300.0 * slower

    def offered(t):
        return servers * load(t / slower)

    exact = kolmogorov(servers, offered, until_s, dt=dt, states=400 if servers == 4 else 1200)
    per_second = len(exact) // round(until_s)
    exact = exact[per_second - 1 :: per_second]
    found = fluid(servers, offered, until_s)
    threshold = 0.1 * exact.max()
    drained, expected = (int(np.flatnonzero(values > threshold)[-1]) for values in (found, exact))
    return math.sqrt(((found - exact) ** 2).mean()) / exact.max(), drained / expected - 1.0


@pytest.mark.parametrize(("servers", "slower", "dt"), [(1, 2, 0.05), (1, 4, 0.05), (4, 1, 0.02), (16, 1, 0.01)])
@pytest.mark.parametrize("load", [step_up, ramp_up, burst])
def test_the_fluid_follows_the_exact_equations(servers, slower, dt, load):
    rms, drain = errors_of_the_fluid(servers, slower, dt, load)
    assert rms < 0.05
    assert abs(drain) < 0.05


@pytest.mark.parametrize("load", [step_up, ramp_up, burst])
def test_the_fluid_is_rough_for_a_few_dozen_requests_at_one_server(load):
    """Overloads of 20 to 80 service times: the fluid does not know how sure it is of its queue."""
    rms, drain = errors_of_the_fluid(1, 1, 0.05, load)
    assert rms < 0.06
    assert abs(drain) < 0.06
