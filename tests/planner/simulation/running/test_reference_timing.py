"""Reference timing: the preset, and the ordinary settings it is made of."""

from typing import Any

import pytest

from planner.engine.loop import EventLoop
from planner.plan.checks.validate import check_plan
from planner.plan.edits.reference_timing import with_reference_timing
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.metrics_pipeline import MetricsPipelineSettings
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_workloads import CreateWorkload, DeleteWorkload, SetReplicas
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.traffic import ConstantLoad, Noise, Traffic
from planner.record.decisions import Actor, Decision, Verdict
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_pod, a_workload, an_hpa

OFF = ClusterAutoscalerSettings(enabled=False)
NOT_READY = "node.kubernetes.io/not-ready"


def _played(plan: Plan, until_s: int) -> Simulation:
    sim = Simulation(plan, 1)
    loop = EventLoop(sim.events, handlers(sim), sim.settle)
    sim.start()
    loop.run_until(until_s * US_PER_S + US_PER_S - 1)
    return sim


def _served(rate: float, **pod: Any) -> Any:
    load = Traffic(profile=ConstantLoad(type="constant", rate=rate), noise=Noise(cv=0.5))
    return a_workload(
        replicas=3, pod=a_pod("1", "1Gi", **pod), traffic=load, demand=Demand(cpu_seconds_per_request=0.01)
    )


def test_the_preset_takes_out_all_chance() -> None:
    plan = with_reference_timing(a_plan(workloads=(_served(10),)))
    assert all(group.provisioning_spread == 0 for group in plan.node_groups)
    assert all(item.traffic is None or item.traffic.noise == Noise() for item in plan.workloads)
    assert plan.scheduler.deterministic_ties and plan.cluster_autoscaler.deterministic_ties
    assert not list(check_plan(plan))


def test_runs_with_reference_timing_do_not_depend_on_the_seed() -> None:
    pools = (a_node_group("small", initial_size=1), a_node_group("twin", initial_size=1))
    plan = with_reference_timing(a_plan(node_groups=pools, workloads=(_served(10), a_workload("other", replicas=20))))
    one, other = (run_plan(plan, seed=seed, until_us=900 * US_PER_S) for seed in (1, 2))
    assert one.decisions == other.decisions
    assert one.pods == other.pods and one.nodes == other.nodes


@pytest.mark.parametrize(("phase", "first_s"), [("20s", 20), ("7s", 7), ("45s", 45)])
def test_samples_and_evaluations_begin_at_their_phases(phase: str, first_s: int) -> None:
    plan = a_plan(
        workloads=(_served(10),),
        horizontal_pod_autoscalers=(an_hpa(),),
        metrics_pipeline=MetricsPipelineSettings(sampling="sampled", scrape_interval="20s", phase=phase),
        hpa_controller=HpaControllerSettings(sync_period="20s", phase=phase, evaluation_time="0s"),
    )
    sim = _played(plan, 70)
    times = [d.time_us for d in sim.recorder.decisions if d.actor is Actor.HPA]
    assert times[0] == first_s * US_PER_S
    assert sim.samples.time_us.max() == max(range(first_s, 71, 20)) * US_PER_S


@pytest.mark.parametrize(
    ("settings", "first_us"),
    [
        ({}, 10_000_500),
        ({"phase": "3s", "frequent_loops_enabled": False}, 3_000_500),
        ({"phase": "0s", "frequent_loops_enabled": False}, 10_000_500),
        ({"phase": "3s"}, 13_000_500),
    ],
)
def test_the_first_loop_comes_at_its_phase(settings: dict[str, Any], first_us: int) -> None:
    plan = a_plan(cluster_autoscaler=ClusterAutoscalerSettings(**settings))
    sim = Simulation(plan, 1)
    sim.start()
    loop = EventLoop(sim.events, handlers(sim), sim.settle)
    while sim.autoscaler.last_loop_us is None:
        step = sim.events.peek()
        assert step is not None
        loop.run_until(step[0])
    assert sim.autoscaler.last_loop_us == first_us


def test_a_node_with_a_ready_delay_is_there_first_and_ready_later() -> None:
    pool = a_node_group(initial_size=1, provisioning_delay="60s", provisioning_spread="0s", ready_delay="20s")
    plan = a_plan(node_groups=(pool,), workloads=(a_workload(replicas=5, pod=a_pod("1", "1Gi")),))
    sim = _played(plan, 85)
    assert sim.cluster.groups.registered[0] == 2 and sim.cluster.groups.ready[0] == 1
    assert NOT_READY in [taint.key for taint in sim.cluster.node_taints(1)]
    assert sim.cluster.workloads.unbound[0] == 1
    sim = _played(plan, 95)
    assert sim.cluster.groups.ready[0] == 2
    assert NOT_READY not in [taint.key for taint in sim.cluster.node_taints(1)]
    assert sim.cluster.workloads.unbound[0] == 0


def test_a_workload_is_created_scaled_and_deleted_at_its_times() -> None:
    events = (
        CreateWorkload(type="createWorkload", at="30s", workload="web"),
        SetReplicas(type="setReplicas", at="40s", workload="web", replicas=3),
        DeleteWorkload(type="deleteWorkload", at="50s", workload="web"),
    )
    plan = a_plan(events=events, cluster_autoscaler=OFF)
    counts = {t: int(_played(plan, t).cluster.workloads.active[0]) for t in (29, 30, 40, 50)}
    assert counts == {29: 0, 30: 2, 40: 3, 50: 0}
    assert not list(check_plan(plan))


def test_an_autoscaler_of_a_workload_that_does_not_exist_cannot_read_its_scale() -> None:
    events = (CreateWorkload(type="createWorkload", at="2m", workload="web"),)
    plan = a_plan(events=events, workloads=(_served(10),), horizontal_pod_autoscalers=(an_hpa(),))
    (sync,) = _played(plan, 60).hpa.latest
    assert sync.failed
    assert "FailedGetScale" in [str(condition.reason) for condition in sync.conditions]
    assert not _played(plan, 300).hpa.latest[0].failed


@pytest.mark.parametrize(("contention", "each_milli"), [(True, 1300), (False, 2000)])
def test_without_contention_pods_use_what_their_load_asks(contention: bool, each_milli: int) -> None:
    held = an_hpa(min_replicas=3, max_replicas=3)
    plan = a_plan(workloads=(_served(600),), horizontal_pod_autoscalers=(held,), cluster_autoscaler=OFF)
    plan = with_reference_timing(plan)
    simulation = plan.simulation.model_copy(update={"cpu_contention": contention})
    sim = _played(plan.model_copy(update={"simulation": simulation}), 61)
    # A third of the node, in steps of 50m where the node is short.
    assert sim.samples.usage_milli[:3].tolist() == [each_milli] * 3


def test_ties_of_expanders_go_to_the_first_name() -> None:
    pools = (a_node_group("zulu", initial_size=1), a_node_group("alpha", initial_size=0))
    settings = ClusterAutoscalerSettings(deterministic_ties=True)
    plan = a_plan(
        node_groups=pools,
        workloads=(a_workload(replicas=6, pod=a_pod("1", "1Gi")),),
        cluster_autoscaler=settings,
        simulation=SimulationSettings(duration="2m"),
    )
    grown = [d.subject for d in run_plan(plan).decisions if _is_scale_up(d)]
    assert grown == ["alpha"]


def _is_scale_up(decision: Decision) -> bool:
    return decision.actor is Actor.SCALE_UP and decision.verdict is Verdict.TRIGGERED
