"""The Vertical Pod Autoscaler in whole runs: recommendations, evictions within budgets, requests of new pods."""

from typing import Any

import numpy as np
import pytest

from planner.engine.loop import EventLoop, never
from planner.plan.model.autoscalers.vertical_pod_autoscaler import (
    ContainerResourcePolicy,
    CpuAndMemory,
    VerticalPodAutoscaler,
    VpaRecommenderSettings,
    VpaUpdaterSettings,
)
from planner.plan.model.budgets import PodDisruptionBudget
from planner.plan.model.events.on_control_plane import ControllerRestart
from planner.plan.model.plan import Plan, SimulationSettings
from planner.plan.model.pods.placement import LabelSelector
from planner.plan.model.traffic import ConstantLoad, Traffic
from planner.plan.model.use import MemoryUse
from planner.record.decisions import Actor, Verdict
from planner.record.details.requests import PodUpdate, RequestsRecommended
from planner.record.result import RunResult
from planner.simulation.run import run_plan
from planner.simulation.shared_start import SharedStart
from planner.simulation.simulation import Simulation
from planner.simulation.wiring import handlers
from planner.units import US_PER_S
from tests.builders import a_plan, a_pod, a_workload

RECOMMENDER, UPDATER = VpaRecommenderSettings(phase="30s", initial_history="0s"), VpaUpdaterSettings(phase="40s")


def sized_plan(mode: str = "Recreate", replicas: int = 4, **settings: Any) -> Plan:
    """Pods that request a core and use a tenth of it, and 300 MiB where they request 256."""
    vpa = VerticalPodAutoscaler(**{"name": "web", "target": "web", "update_mode": mode} | settings.pop("vpa", {}))
    workload = a_workload(
        replicas=replicas,
        pod=a_pod("1", "256Mi"),
        traffic=Traffic(profile=ConstantLoad(type="constant", rate=10 * replicas)),
        memory_use=MemoryUse(start="300Mi"),
    )
    parts: dict[str, Any] = {
        "workloads": (workload,),
        "vertical_pod_autoscalers": (vpa,),
        "vpa_recommender": RECOMMENDER,
        "vpa_updater": UPDATER,
        "simulation": SimulationSettings(duration="10m"),
    }
    return a_plan(**parts | settings)


def evictions(result: RunResult) -> list[tuple[int, str]]:
    chosen = [one for one in result.decisions if (one.actor, one.verdict) == (Actor.VPA, Verdict.EVICTED)]
    return [(one.time_us, one.subject) for one in chosen]


def targets(result: RunResult) -> list[dict[str, int]]:
    """Targets by resource, in the course of the run."""
    made = [one.details for one in result.decisions if isinstance(one.details, RequestsRecommended)]
    return [{one.resource: one.target for one in details.containers} for details in made]


def requests_at_end(plan: Plan) -> set[tuple[int, int]]:
    """CPU and memory requests of the pods that are left."""
    sim = Simulation(plan, 1)
    sim.start()
    EventLoop(sim.events, handlers(sim), sim.settle).run_until(plan.simulation.duration)
    cluster = sim.cluster
    specs = [cluster.pod_specs[cluster.pods.spec[pod]] for pod in cluster.workload_pods[0]]
    return {(int(spec.request[0]), int(spec.request[1])) for spec in specs}


def test_pods_get_requests_that_follow_their_use():
    result = run_plan(sized_plan())
    last = targets(result)[-1]
    assert 100 <= last["cpu"] <= 300, "a tenth of a core, the end of its bucket, and 15 %"
    assert 300 * 2**20 < last["memory"] < 400 * 2**20
    assert {subject for _, subject in evictions(result)} == {"web-0001", "web-0002", "web-0003", "web-0004"}
    assert (1000, 256 * 2**20) not in requests_at_end(sized_plan())


@pytest.mark.parametrize("mode", ["Off", "Initial"])
def test_running_pods_are_left_alone_unless_the_mode_says_otherwise(mode):
    result = run_plan(sized_plan(mode))
    assert targets(result) and not evictions(result)
    assert requests_at_end(sized_plan(mode)) == {(1000, 256 * 2**20)}


def test_no_more_than_the_tolerated_share_is_evicted_at_once():
    times = [at_us for at_us, _ in evictions(run_plan(sized_plan(replicas=10)))]
    assert max(times.count(at_us) for at_us in times) == 5


@pytest.mark.parametrize(
    ("per_s", "burst", "after_s"),
    [
        pytest.param(0.02, 1, [0, 50, 100, 150], id="each waits for its turn"),
        pytest.param(0.02, 2, [0, 0, 60, 100], id="a burst goes at once"),
        pytest.param(0.01, 1, [0, 100, 200, 300], id="what is due after the deadline is left to a later loop"),
    ],
)
def test_evictions_under_a_rate_wait_for_their_turn(per_s, burst, after_s):
    updater = VpaUpdaterSettings(phase="40s", eviction_rate_limit=per_s, eviction_rate_burst=burst)
    times = [at_us / US_PER_S for at_us, _ in evictions(run_plan(sized_plan(vpa_updater=updater)))]
    assert [at_s - times[0] for at_s in times] == after_s
    assert times[0] % 60 == 40


@pytest.mark.parametrize("restarts", [False, True])
def test_a_run_copied_while_an_eviction_waits_ends_as_the_other(restarts):
    updater = VpaUpdaterSettings(phase="40s", eviction_rate_limit=0.02)
    restart = ControllerRestart(type="controllerRestart", at="135s", controller="vpaUpdater")
    plan = sized_plan(vpa_updater=updater, events=(restart,) if restarts else ())
    with SharedStart.of(plan, 1, plan.simulation.duration, never) as run:
        run.go_to(130 * US_PER_S)
        found = {one.finish().digest() for one in (run.copy(), run)}
    assert found == {run_plan(plan, seed=1).digest()}


def test_a_single_replica_is_not_evicted():
    assert not evictions(run_plan(sized_plan(replicas=1)))


def test_a_disruption_budget_keeps_pods_from_being_evicted():
    budget = PodDisruptionBudget(name="web", selector=LabelSelector(match_labels={"app": "web"}), max_unavailable=0)
    assert not evictions(run_plan(sized_plan(pod_disruption_budgets=(budget,))))


def test_requests_stay_within_what_policies_allow():
    policy = ContainerResourcePolicy(min_allowed=CpuAndMemory(cpu="300m"), max_allowed=CpuAndMemory(memory="280Mi"))
    plan = sized_plan(vpa={"container_policies": (policy,)})
    assert requests_at_end(plan) == {(300, 280 * 2**20)}
    assert all(one == {"cpu": 300, "memory": 280 * 2**20} for one in targets(run_plan(plan)))


def test_an_eviction_says_what_changes():
    details = [one.details for one in run_plan(sized_plan()).decisions if isinstance(one.details, PodUpdate)]
    assert details[0].difference > 0.1, "the pods are a day old, so that a large change is enough"
    assert {(one.resource, one.before) for one in details[0].changes} == {("cpu", 1000), ("memory", 256 * 2**20)}


def test_a_recommendation_says_on_what_it_rests():
    result = run_plan(sized_plan("Off"))
    made = [one.details for one in result.decisions if isinstance(one.details, RequestsRecommended)]
    parts = {one.resource: one for one in made[-1].containers}
    cpu, memory = parts["cpu"], parts["memory"]
    assert cpu.used_from < 100 <= cpu.used_to < 1.05 * cpu.used_from + 11, "buckets grow by 5 % from 10m on"
    for one in (cpu, memory):
        assert one.share == 0.9 and one.uncapped == int(1.15 * one.used_to)
        assert one.confidence == pytest.approx(min(one.history_s / 86_400, one.samples / 1440), abs=1 / 86_400)


def test_a_recommender_that_restarts_goes_on_from_its_checkpoints():
    restart = ControllerRestart(type="controllerRestart", at="5m", controller="vpaRecommender")
    last, other = (targets(run_plan(plan))[-1] for plan in (sized_plan("Off"), sized_plan("Off", events=(restart,))))
    assert other == pytest.approx(last, rel=0.06)


def test_a_container_killed_for_want_of_memory_is_recommended_more():
    pod = a_pod("1", "256Mi")
    limited = pod.model_copy(
        update={"containers": (pod.containers[0].model_copy(update={"limits": pod.containers[0].requests}),)}
    )
    workload = a_workload(pod=limited, memory_use=MemoryUse(start="200Mi", growth_per_hour="600Mi"))
    plan = sized_plan("Off", workloads=(workload,), simulation=SimulationSettings(duration="20m"))
    before, after = targets(run_plan(plan))[0]["memory"], targets(run_plan(plan))[-1]["memory"]
    assert after > 356 * 2**20 * 1.15 > before, "the request and 100 MiB, and 15 %"


def test_targets_and_bounds_are_series_of_the_report():
    result = run_plan(sized_plan())
    names = [name for name in result.series if name.startswith("vpa_")]
    assert names == [
        f"vpa_{row}_{resource}[default/web/main]"
        for resource in ("cpu_cores", "memory_bytes")
        for row in ("target", "lower", "upper", "used")
    ]
    target, lower, upper = (result.series[name] for name in names[:3])
    known = np.flatnonzero(~np.isnan(target))
    assert len(known) and (lower[known] <= target[known]).all() and (target[known] <= upper[known]).all()


def test_the_mean_use_of_running_containers_is_recorded_beside_the_recommendation():
    result = run_plan(sized_plan("Off"))
    used, target = (result.series[f"vpa_{row}_memory_bytes[default/web/main]"][-1] for row in ("used", "target"))
    assert used == pytest.approx(300 * 2**20, rel=0.01) and target > 1.15 * used
    assert 0 < result.series["vpa_used_cpu_cores[default/web/main]"][-1] < 0.2
