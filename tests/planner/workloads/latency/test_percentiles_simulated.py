"""Percentiles, balancers and retries against simulations of single requests; docs/model.md lists the errors."""

import numpy as np
import pytest

from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Balancer, Retries
from planner.plan.model.traffic import SpikeLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.latency import mmc, sharing
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.latency.queues import laws_alike, mean_wait, simulated
from tests.planner.workloads.load.one_step import step_equal_pods
from tests.planner.workloads.load.test_load_runs import limited
from tests.requests.loads import behind_a_balancer, retried_load
from tests.requests.pod import PodLaw
from tests.requests.streams import Work, arrivals_of_changing

pytestmark = pytest.mark.slow
REQUESTS = 80_000
STEP_US = 5 * US_PER_S
PERCENTILES = (50, 95, 99)


def settled(demand, servers, rho, pods=1):
    """A step of pods of so many cores after many like it, with requests of 10 ms."""
    rate, held = pods * servers * rho * 100.0, 0.0
    for _ in range(100):
        step = step_equal_pods(demand, rate, pods, 1000 * servers, held, STEP_US)
        held = step.in_flight
    return step


def off(demand, servers, rho, responses, pods=1):
    """By how much p50, p95 and p99 of the model differ from those of the simulation (in service times)."""
    step = settled(demand, servers, rho, pods)
    return [step.percentile_s(percent) / (0.01 * np.percentile(responses, percent)) - 1.0 for percent in PERCENTILES]


@pytest.mark.parametrize("servers", [1, 4, 16])
@pytest.mark.parametrize("rho", [0.5, 0.8])
@pytest.mark.parametrize(("cv", "p50", "p95", "p99"), [
    pytest.param(0.0, 0.05, 0.07, 0.12, id="constant"),
    pytest.param(0.5, 0.03, 0.05, 0.06, id="steady"),
    pytest.param(1.0, 0.03, 0.03, 0.05, id="exponential"),
    pytest.param(2.0, 0.03, 0.06, 0.06, id="scattered"),
])  # fmt: skip
def test_percentiles_of_workers(servers, rho, cv, p50, p95, p99):
    _waits, responses = simulated(servers, rho, cv, sharing=False)
    found = off(Demand(cpu_seconds_per_request=0.01, discipline="queue", cv=cv), servers, rho, responses)
    assert all(abs(error) < most for error, most in zip(found, (p50, p95, p99), strict=True)), found


@pytest.mark.parametrize("servers", [1, 4, 16])
@pytest.mark.parametrize("rho", [0.5, 0.8])
def test_percentiles_of_shared_cores(servers, rho):
    _waits, responses = simulated(servers, rho, 1.0, sharing=True)
    found = off(Demand(cpu_seconds_per_request=0.01, cv=1.0), servers, rho, responses)
    assert all(abs(error) < 0.1 for error in found), found


@pytest.mark.parametrize("servers", [1, 4])
@pytest.mark.parametrize(("cv", "least", "most"), [(0.0, 0.6, 2.0), (0.5, 0.3, 1.0), (2.0, -0.6, -0.3)])
def test_sharing_takes_demand_as_exponential(servers, cv, least, most):
    """The mean is right for any variability; the p99 is too high for steady requests and too low for scattered ones."""
    _waits, responses = simulated(servers, 0.8, cv, sharing=True)
    wait = np.array([mean_wait(servers, 0.8)])
    p99 = float(sharing.sojourn_at(wait, np.array([[float(mmc.log_late(99))]]))[0, 0])
    assert least < p99 / np.percentile(responses, 99) - 1.0 < most


@pytest.mark.parametrize("pods", [3, 10])
@pytest.mark.parametrize("servers", [1, 2, 4, 8])
def test_pods_taken_in_turn(pods, servers):
    responses = behind_a_balancer(False, pods, servers, 0.8, REQUESTS)
    waiting, decay = laws_alike(servers, pods, Balancer.ROUND_ROBIN).wait(0.8)
    assert 1.0 + (waiting / decay).item() == pytest.approx(responses.mean(), rel=0.05)
    demand = Demand(cpu_seconds_per_request=0.01, cv=1.0, discipline="queue", balancer="round-robin")
    found = off(demand, servers, 0.8, responses, pods)
    assert all(abs(error) < 0.08 for error in found), found


@pytest.mark.parametrize(("pods", "servers", "least", "most"), [
    pytest.param(10, 1, -0.12, 0.0, id="ten pods"),
    pytest.param(10, 4, 0.0, 0.12, id="ten pods of four cores"),
    pytest.param(3, 1, -0.25, -0.1, id="the limit of many pods is too good for three"),
    pytest.param(3, 4, -0.08, 0.05, id="three pods of four cores"),
])  # fmt: skip
def test_the_emptier_of_two_random_pods(pods, servers, least, most):
    responses = behind_a_balancer(True, pods, servers, 0.8, REQUESTS)
    waiting, decay = laws_alike(servers, pods, Balancer.LEAST_OF_TWO).wait(0.8)
    assert least < (1.0 + (waiting / decay).item()) / responses.mean() - 1.0 < most


def overloaded(attempts, seed):
    """Three times the load for two minutes of ten; who has waited 2 s is lost and comes again after 1 s, 2 s, 4 s."""
    times = arrivals_of_changing(
        np.random.default_rng(seed), lambda t: np.where((t >= 60) & (t < 180), 150.0, 50.0), 1.0, 600.0
    )
    law = PodLaw(workers=1, cores=1, timeout_s=2.0)
    return retried_load(law, times, Work.of(0.01, 1.0), 600.0, attempts, 1.0, seed)


@pytest.mark.parametrize(("attempts", "lost"), [(0, 0.05), (3, 0.15)])
def test_timeouts_and_retries_of_an_overload(attempts, lost):
    """Three times the load for two minutes: tries, time-outs and requests that are lost for good."""
    runs = [overloaded(attempts, seed) for seed in (1, 2, 3, 4)]
    real = {name: np.mean([run[name] for run in runs]) for name in runs[0]}
    profile = SpikeLoad(type="spike", base=50, peak=150, start="60s", hold="120s")
    demand = Demand(cpu_seconds_per_request=0.01, timeout="2s", retries=Retries(attempts=attempts, back_off=US_PER_S))
    web = a_workload(replicas=1, pod=limited("1"), traffic=Traffic(profile=profile), demand=demand)
    plan = a_plan(
        workloads=(web,), node_groups=(a_node_group(),), simulation=SimulationSettings(duration=10 * US_PER_MIN)
    )
    figures = run_plan(plan).figures
    offered = figures["requests_offered[web]"].value
    retried = figures["requests_retried[web]"].value if attempts else 0.0
    assert offered + retried == pytest.approx(real["tries"], rel=0.05)
    assert figures["requests_timed_out[web]"].value == pytest.approx(real["lost"], rel=0.05)
    assert figures["requests_lost[web]"].value == pytest.approx(real["gave_up"], rel=lost)
