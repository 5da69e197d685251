"""What limits a service at its busiest moment, as the summary says it."""

import pytest

from planner.matching.taints import TaintEffect
from planner.metrics.limits.limiting import LIMITS
from planner.plan.model.demand import Demand
from planner.plan.model.node_groups import Taint
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Call
from planner.plan.model.traffic import ConstantLoad, StepLoad, Traffic
from planner.record.bottleneck import LimitedBy
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.summary import summary_text
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN, US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload
from tests.planner.karpenter.karpenter_plans import karpenter_plan
from tests.planner.workloads.load.test_load_runs import limited

STEADY = SimulationSettings(duration=5 * US_PER_MIN, discrete_requests=False)


def found_with(*workloads, cores="16"):
    group = a_node_group(cpu=cores, memory="64Gi", initial_size=1, max_size=1)
    return run_plan(a_plan(workloads=workloads, node_groups=(group,), simulation=STEADY))


def serving(name, rate, pod, **settings):
    demand = Demand(cpu_seconds_per_request=0.01, **settings.pop("demand", {}))
    traffic = Traffic(profile=ConstantLoad(type="constant", rate=rate)) if rate else None
    return a_workload(name, replicas=settings.pop("replicas", 1), pod=pod, demand=demand, traffic=traffic, **settings)


@pytest.mark.parametrize(
    ("pod", "workers", "cores", "rate", "limit"),
    [
        pytest.param(limited("1"), None, "16", 85.0, LimitedBy.POD_CPU, id="the limit"),
        pytest.param(limited("2"), 1, "16", 85.0, LimitedBy.WORKERS, id="one thread under two cores"),
        pytest.param(a_pod("100m", "64Mi"), None, "2", 170.0, LimitedBy.NODE, id="no limit on a small node"),
        pytest.param(limited("1"), None, "16", 150.0, LimitedBy.POD_CPU, id="overload"),
    ],
)
def test_a_busy_service_names_what_it_lacks(pod, workers, cores, rate, limit):
    result = found_with(serving("web", rate, pod, demand={"workers": workers}), cores=cores)
    (one,) = result.bottlenecks
    assert (one.workload, one.limit) == ("web", limit)
    assert one.sentence in summary_text(result, LatencyBounds({}, result.until_us)) and "web was" in one.sentence


def test_the_series_say_how_busy_a_service_is_and_what_limits_it_at_every_moment():
    load = StepLoad(type="step", from_rate=20.0, to_rate=95.0, at="2m30s")
    web = a_workload(
        replicas=1, pod=limited("1"), demand=Demand(cpu_seconds_per_request=0.01), traffic=Traffic(profile=load)
    )
    result = found_with(web)
    busy, codes = result.series["capacity_busy_ratio[web]"], result.series["limited_by_code[web]"]
    assert (busy[1], busy[-1]) == pytest.approx((0.2, 0.95), rel=1e-6)
    assert (LIMITS[int(codes[1])], LIMITS[int(codes[-1])]) == (None, LimitedBy.POD_CPU)


def test_a_calm_service_names_nothing():
    assert found_with(serving("web", 20.0, limited("4"))).bottlenecks == ()


def test_a_service_that_waits_mostly_for_another_names_it():
    front = serving("front", 20.0, limited("4"), calls=(Call(workload="store"),))
    found = {one.workload: one for one in found_with(front, serving("store", 0.0, limited("200m"))).bottlenecks}
    assert (found["front"].limit, found["front"].callee) == (LimitedBy.CALLEE, "store")
    assert found["store"].limit is LimitedBy.POD_CPU
    assert "limited by store" in found["front"].sentence


def test_a_service_without_load_has_no_limit_though_its_pods_come_late():
    pod = a_pod("100m", "64Mi", startup_delay=40 * US_PER_S)
    quiet = a_workload(pod=pod, traffic=Traffic(profile=ConstantLoad(type="constant", rate=0.0)))
    cold = STEADY.model_copy(update={"warm_start": False})
    group = a_node_group(cpu="16", memory="64Gi", initial_size=1, max_size=1)
    assert run_plan(a_plan(workloads=(quiet,), node_groups=(group,), simulation=cold)).bottlenecks == ()


def test_only_nodes_that_the_pods_may_be_on_bound_them():
    web = serving("web", 20.0, a_pod("100m", "64Mi"))
    small = a_node_group("small", cpu="2", initial_size=1)
    tainted = a_node_group("large", cpu="64", taints=(Taint(key="own", effect=TaintEffect.NO_SCHEDULE),))
    one = run_plan(a_plan(workloads=(web,), node_groups=(small, tainted), simulation=STEADY))
    assert one.series["capacity_busy_ratio[web]"][-1] == pytest.approx(0.1, rel=1e-6)


def test_machines_that_karpenter_buys_bound_pods_too():
    web = serving("web", 20.0, a_pod("100m", "64Mi")).model_dump(mode="json", by_alias=True)
    plan = karpenter_plan(workloads=[web])
    result = run_plan(plan)
    assert result.series["capacity_busy_ratio[web]"][-1] == pytest.approx(0.2 / 8, rel=1e-6)
