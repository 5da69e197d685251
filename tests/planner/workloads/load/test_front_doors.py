"""Gateways that hold a connection until the workload behind them has answered."""

import pytest

from planner.plan.hints.all_hints import find_hints
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Call
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.record.bottleneck import LimitedBy
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited

CALLS = (Call(workload="shop"),)


def a_shop(rate, connections, pods, calls=CALLS):
    gateway = a_workload(
        "gateway", replicas=1, pod=limited("1"), calls=calls,
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=rate)),
        demand=Demand(cpu_seconds_per_request=0.001, connection_limit=connections),
    )  # fmt: skip
    shop = a_workload(
        "shop",
        replicas=pods,
        pod=limited("1"),
        demand=Demand(cpu_seconds_per_request=0.1, workers=1, latency_floor="1s"),
    )
    simulation = SimulationSettings(duration=20 * US_PER_MIN, discrete_requests=False)
    groups = (a_node_group(cpu="64", memory="256Gi", initial_size=1, max_size=1),)
    return a_plan(workloads=(gateway, shop), node_groups=groups, simulation=simulation)


def test_more_pods_do_not_help_beyond_the_connections_of_the_front_door():
    few, many = (run_plan(a_shop(100.0, 20, pods)) for pods in (10, 40))
    served = [run.series["served_rps[shop]"][-20:].mean() for run in (few, many)]
    assert served[1] == pytest.approx(served[0], rel=0.15) and 14.0 < served[0] < 20.0, (
        "20 connections of 1.1 s and more"
    )
    limits = {one.workload: (one.limit, one.callee) for one in many.bottlenecks}
    assert limits["shop"] == (LimitedBy.FRONT_DOOR, "gateway")


def test_what_the_door_refuses_is_counted_and_nothing_else_is_lost():
    series = run_plan(a_shop(100.0, 20, 10)).series
    total = series["served_rps[gateway]"] + series["rejected_rps[gateway]"]
    assert total[-20:] == pytest.approx(series["offered_rps[gateway]"][-20:], rel=0.02)


def test_a_door_that_is_wide_enough_refuses_nothing():
    free, wide = (run_plan(a_shop(10.0, most, 10)).series for most in (None, 1000))
    assert wide["served_rps[shop]"][-1] == free["served_rps[shop]"][-1]
    assert wide["rejected_rps[gateway]"].max() == 0.0


def test_a_connection_limit_without_calls_is_advised_against():
    places = [hint.where for hint in find_hints(a_shop(10.0, 5, 1, calls=()))]
    assert "workloads[0].demand.connectionLimit" in places
