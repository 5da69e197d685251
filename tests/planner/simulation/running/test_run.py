"""Whole runs of small plans: the chain from load to nodes."""

import pytest

from planner.engine.loop import Bounds
from planner.plan.model.demand import Demand
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import StepLoad, Traffic
from planner.plan.model.workloads import WorkloadKind
from planner.record.decisions import Actor, Verdict
from planner.record.result import RunResult
from planner.simulation.options import RunOptions
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.state.invariants import broken_invariants
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload, an_hpa

POOL = a_node_group(initial_size=1, max_size=5, provisioning_spread="0s", price_per_hour=0.2)


def _run(minutes: int, **settings: object) -> RunResult:
    plan = a_plan(**({"node_groups": (POOL,)} | settings))
    return run_plan(plan, until_us=minutes * 60 * US_PER_S)


def _verdicts(result: RunResult, actor: Actor) -> list[Verdict]:
    return [decision.verdict for decision in result.decisions if decision.actor is actor]


def test_a_run_starts_with_the_pods_that_have_room_ready() -> None:
    result = _run(1, workloads=(a_workload(replicas=3, pod=a_pod(startup_delay="10s")),))
    assert [(pod["scheduled_s"], pod["ready_s"]) for pod in result.pods] == [(0.0, 0.0)] * 3


def test_a_cold_start_makes_the_first_pods_start_up_too() -> None:
    cold = SimulationSettings(warm_start=False)
    result = _run(1, simulation=cold, workloads=(a_workload(replicas=3, pod=a_pod(startup_delay="10s")),))
    assert [(pod["scheduled_s"], pod["ready_s"]) for pod in result.pods] == [(0.0, 10.0)] * 3


def test_pods_without_room_bring_a_node_after_the_provisioning_delay() -> None:
    result = _run(10, workloads=(a_workload(replicas=6, pod=a_pod("1", "1Gi")),))
    assert Verdict.TRIGGERED in _verdicts(result, Actor.SCALE_UP)
    late = [pod for pod in result.pods if pod["scheduled_s"] > 0]
    assert len(late) == 2
    assert len(result.nodes) == 2
    assert all(210 <= pod["scheduled_s"] < 240 for pod in late)


def test_a_full_pool_leaves_pods_pending_and_says_why() -> None:
    pool = a_node_group(initial_size=1, max_size=1)
    result = _run(5, node_groups=(pool,), workloads=(a_workload(replicas=6, pod=a_pod("1", "1Gi")),))
    refused = [d for d in result.decisions if d.actor is Actor.SCALE_UP]
    assert [d.verdict for d in refused] and all(d.verdict is Verdict.NOT_TRIGGERED for d in refused)
    assert any("max node group size reached" in d.details.refused for d in refused)
    assert any("Insufficient cpu" in d.details.refused for d in result.decisions if d.verdict is Verdict.UNSCHEDULABLE)


def test_unneeded_nodes_go_after_ten_minutes() -> None:
    pool = a_node_group(initial_size=3, min_size=1, max_size=5, deletion_delay="30s")
    result = _run(15, node_groups=(pool,), workloads=(a_workload(replicas=1),))
    removed = [node["removed_s"] for node in result.nodes if node["removed_s"] is not None]
    assert len(removed) == 2
    assert all(10 * 60 < at < 12 * 60 for at in removed)


def test_the_hpa_follows_the_load() -> None:
    pod = a_pod("500m", "256Mi")
    load = Traffic(profile=StepLoad(type="step", from_rate=10, to_rate=100, at="2m"))
    web = a_workload(replicas=2, pod=pod, traffic=load, demand=Demand(cpu_seconds_per_request=0.02))
    result = _run(20, workloads=(web,), horizontal_pod_autoscalers=(an_hpa(max_replicas=20),))
    replicas = result.series["replicas_desired_count[web]"]
    # 100/s at 20 ms are 2 cores; at 80 % of 500m that is 5 pods.
    assert replicas[0] == 2 and replicas[-1] == 5
    assert result.figures["requests_offered[web]"].value > 100_000


def test_pause_pods_give_way_to_real_pods_and_ask_for_the_next_node() -> None:
    load = Traffic(profile=StepLoad(type="step", from_rate=10, to_rate=150, at="2m"))
    web = a_workload(replicas=2, pod=a_pod("500m", "256Mi"), traffic=load, demand=Demand(cpu_seconds_per_request=0.02))
    result = _run(
        15,
        workloads=(web,),
        overprovisioning=(a_reserve(replicas=2, pod=a_pod("1200m", "1Gi", termination_time="0s")),),
        horizontal_pod_autoscalers=(an_hpa(max_replicas=20),),
    )
    assert result.figures["preemptions"].value >= 1
    assert Verdict.TRIGGERED in _verdicts(result, Actor.SCALE_UP)
    ends = {pod["reason"] for pod in result.pods if pod["pod"].startswith("reserve")}
    assert "Preempted" in ends


def test_a_daemon_set_runs_once_on_every_node() -> None:
    agent = a_workload("agent", kind=WorkloadKind.DAEMON_SET, pod=a_pod("100m", "64Mi"))
    pool = a_node_group(initial_size=2, max_size=5, provisioning_spread="0s")
    result = _run(8, node_groups=(pool,), workloads=(agent, a_workload(replicas=10, pod=a_pod("1", "1Gi"))))
    agents = {pod["node"] for pod in result.pods if pod["pod"].startswith("agent")}
    assert agents == {node["node"] for node in result.nodes} and len(agents) > 2


def test_a_cancelled_run_keeps_what_it_has() -> None:
    asked = iter(range(10_000))
    result = run_plan(
        a_plan(workloads=(a_workload(replicas=50),)), until_us=3600 * US_PER_S, cancelled=lambda: next(asked) > 300
    )
    assert result.stopped is not None and result.stopped.cancelled
    assert 0 < len(result.time_us) < 241


def test_a_bound_ends_the_run_with_a_message() -> None:
    result = run_plan(a_plan(), until_us=3600 * US_PER_S, options=RunOptions(bounds=Bounds(per_run=500)))
    assert result.stopped is not None and "More than 500 events" in str(result.stopped)


@pytest.mark.parametrize("name", ["flash-sale", "flash-sale-overprovisioned"])
def test_sums_are_true_after_every_settling_of_a_scenario(name: str) -> None:
    from planner.engine.loop import EventLoop
    from planner.plan.files.io import load_plan
    from planner.simulation.wiring import handlers

    sim = Simulation(load_plan(f"scenarios/{name}/plan.headroom"), seed=1)
    sim.start()
    loop = EventLoop(sim.events, handlers(sim), sim.settle)
    for minute in range(1, 31):
        loop.run_until(minute * 60 * US_PER_S)
        assert broken_invariants(sim.cluster) == []
        nodes = sim.cluster.nodes
        assert (nodes.requested <= nodes.allocatable).all()


def test_simulation_settings_bound_the_series() -> None:
    plan = a_plan(simulation=SimulationSettings(record_interval="30s"))
    assert run_plan(plan, until_us=300 * US_PER_S).time_us.tolist() == [i * 30 * US_PER_S for i in range(11)]
