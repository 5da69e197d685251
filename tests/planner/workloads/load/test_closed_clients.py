"""Closed clients: load generators and users who wait for one response before they send the next request."""

import math

import pytest

from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Retries
from planner.plan.model.traffic import Clients, ConstantLoad, StepLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited


def run_with(clients, think, demand=None, replicas=1, profile=None):
    """Requests of 100 ms at pods of one core."""
    demand = demand or Demand(cpu_seconds_per_request=0.1, cv=1.0, workers=1)
    profile = profile or ConstantLoad(type="constant", rate=clients)
    web = a_workload(
        replicas=replicas, pod=limited("1"), demand=demand,
        traffic=Traffic(profile=profile, clients=Clients(think_time=think)),
    )  # fmt: skip
    simulation = SimulationSettings(duration=30 * US_PER_MIN, discrete_requests=False)
    return run_plan(a_plan(workloads=(web,), node_groups=(a_node_group(cpu="16"),), simulation=simulation))


def machine_repair(clients, think_s, service_s):
    """Throughput of one server and so many exponential clients."""
    chance = [1.0]
    for waiting in range(clients):
        chance.append(chance[-1] * (clients - waiting) * service_s / think_s)
    return (1.0 - chance[0] / sum(chance)) / service_s


@pytest.mark.parametrize(("clients", "think", "think_s", "within"), [(10, "10s", 10.0, 0.02), (200, "5s", 5.0, 0.02)])
def test_throughput_is_clients_over_thinking_and_latency(clients, think, think_s, within):
    series = run_with(clients, think).series
    served = series["served_rps[web]"][-1]
    assert served == pytest.approx(machine_repair(clients, think_s, 0.1), rel=within)
    assert series["in_flight_count[web]"][-1] + served * think_s == pytest.approx(clients, rel=0.01)


def test_a_load_generator_without_thinking_keeps_every_pod_busy_and_never_builds_a_longer_backlog():
    series = run_with(50, "0s", replicas=2).series
    assert series["served_rps[web]"][-1] == pytest.approx(20.0, rel=0.05)
    assert series["in_flight_count[web]"].max() <= 50.0 + 1e-6
    assert series["latency_mean_ms[web]"][-1] == pytest.approx(2500.0, rel=0.06)


@pytest.mark.parametrize("queue_limit", [None, 0])
def test_time_outside_the_cpu_slows_the_clients_down_like_thinking(queue_limit):
    demand = Demand(cpu_seconds_per_request=0.01, workers=1, latency_floor="1s", queue_limit=queue_limit)
    served = run_with(20, "0s", demand).series["served_rps[web]"][-1]
    assert served == pytest.approx(20 / 1.012, rel=0.01)
    demand = Demand(cpu_seconds_per_request=0.1, workers=1, latency_floor="1s")
    assert run_with(5, "0s", demand).series["served_rps[web]"][-1] < 5.0


def test_more_clients_raise_throughput_up_to_what_the_pods_can_do_and_the_latency_beyond():
    runs = [run_with(clients, "1s").series for clients in (2, 8, 15, 40)]
    rates = [run["served_rps[web]"][-1] for run in runs]
    latencies = [run["latency_mean_ms[web]"][-1] for run in runs]
    assert rates == sorted(rates) and rates[-1] == pytest.approx(10.0, rel=0.05)
    assert latencies == sorted(latencies)


def test_requests_that_full_pods_refuse_free_their_clients():
    demand = Demand(cpu_seconds_per_request=0.1, workers=1, queue_limit=4, retries=Retries())
    series = run_with(30, "2s", demand).series
    assert 7.9 < series["served_rps[web]"][-1] <= 10.0
    assert 30 / 2.5 < series["offered_rps[web]"][-1] < 30 / 2.0


def test_the_number_of_clients_follows_the_profile():
    profile = StepLoad(type="step", **{"from": 5, "to": 0, "at": "10m"})
    series = run_with(0, "1s", profile=profile).series
    assert series["served_rps[web]"][30] > 3.0 and series["served_rps[web]"][-1] == 0.0
    assert all(map(math.isfinite, series["in_flight_count[web]"]))
