"""CPU of a request: more beside busy neighbours, and by a curve over the rate of a pod."""

import pytest
from pydantic import ValidationError

from planner.plan.model.demand import CostPoint, Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_workload
from tests.planner.workloads.load.test_load_runs import limited

STEADY = SimulationSettings(duration=10 * US_PER_MIN, discrete_requests=False)


def run_with(replicas, rate, cores="4", **demand):
    web = a_workload(
        replicas=replicas, pod=limited("1"), traffic=Traffic(profile=ConstantLoad(type="constant", rate=rate)),
        demand=Demand(cpu_seconds_per_request=0.01, **demand),
    )  # fmt: skip
    group = a_node_group(cpu=cores, memory="64Gi", initial_size=1, max_size=1)
    return run_plan(a_plan(workloads=(web,), node_groups=(group,), simulation=STEADY)).series


def test_busy_neighbours_cost_every_pod_a_part_of_its_speed():
    """Three pods on four cores: each sees two others, and loses 0.4 of the share of the node that they use."""
    alone, beside = (run_with(3, 180.0, interference=lost) for lost in (0.0, 0.4))
    used = beside["cpu_used_cores[web]"][-1] / alone["cpu_used_cores[web]"][-1]
    others = 2 * 0.6 * used / 4
    assert used == pytest.approx(1 / (1 - 0.4 * others), rel=0.03)
    assert beside["latency_mean_ms[web]"][-1] > 1.1 * alone["latency_mean_ms[web]"][-1]
    assert beside["served_rps[web]"][-1] == pytest.approx(180.0, rel=1e-3)


def test_a_pod_without_neighbours_loses_nothing():
    alone, same = (run_with(1, 60.0, interference=lost) for lost in (0.0, 0.5))
    assert same["cpu_used_cores[web]"][-1] == pytest.approx(alone["cpu_used_cores[web]"][-1])


def test_interference_lowers_what_a_full_node_can_serve():
    served = [run_with(4, 500.0, cores="5", interference=lost)["served_rps[web]"][-1] for lost in (0.0, 0.1, 0.3)]
    assert served == sorted(served, reverse=True) and served[0] == pytest.approx(400.0, rel=0.01)
    assert served[1] == pytest.approx(400.0 * (1 - 0.1 * 3 / 5), rel=0.02)


CURVE = (CostPoint(pod_rate=10, factor=1.31), CostPoint(pod_rate=50, factor=0.68))


@pytest.mark.parametrize(("rate", "factor"), [(5.0, 1.31), (30.0, 0.995), (50.0, 0.68), (90.0, 0.68)])
def test_cpu_follows_the_curve_over_the_rate_of_a_pod(rate, factor):
    series = run_with(2, 2 * rate, cost_curve=CURVE, idle_cpu=50)
    assert series["cpu_used_cores[web]"][-1] == pytest.approx(2 * (0.05 + rate * 0.01 * factor), rel=0.02)


def test_a_curve_with_rates_out_of_order_is_refused_with_place_and_cure():
    with pytest.raises(ValidationError, match="follows the one at 10"):
        Demand(cost_curve=(CostPoint(pod_rate=10, factor=1), CostPoint(pod_rate=10, factor=2)))


@pytest.mark.parametrize("lost", [-0.1, 0.95])
def test_interference_is_a_share(lost):
    with pytest.raises(ValidationError):
        Demand(interference=lost)
