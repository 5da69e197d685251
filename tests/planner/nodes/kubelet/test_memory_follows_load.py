"""Memory that follows requests in flight, profiles and page cache, in runs."""

from typing import Any

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.state.pods import EndReason
from planner.units import GIB, MIB, US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds


def container(limit: str | None = None) -> dict[str, Any]:
    main: dict[str, Any] = {"name": "main", "requests": {"cpu": "1", "memory": "1Gi"}}
    return {"containers": [main | ({"limits": {"memory": limit}} if limit else {})]}


def one(name: str = "web", pods: int = 1, limit: str | None = None, memory: str = "16Gi", **parts: Any) -> Plan:
    """Pods of one workload on a single node."""
    kubelet = {"preset": "none"} if "kubelet" in parts else {}
    group = a_group("pool", 1, memory=memory, kubelet=kubelet)
    plan = a_plan(nodeGroups=[group], workloads=[a_workload(name, pods, pod=container(limit), **parts)])
    assert list(check_plan(plan)) == []
    return plan


def used(sim: Simulation, pod: int = 0) -> int:
    assert sim.memory is not None
    return sim.memory.memory.use(pod, sim.events.now_us)


def serving(rate: float, **memory: Any) -> dict[str, Any]:
    """A fluid that is overloaded above 100 requests per second and pod."""
    return {
        "traffic": {"profile": {"type": "constant", "rate": rate}},
        "demand": {"cpuSecondsPerRequest": 0.04, "queueLimit": 1000},
        "memoryUse": {"start": "512Mi", **memory},
    }


def test_each_request_in_flight_takes_memory_of_the_pods_that_serve() -> None:
    sim = run_of(one(pods=2, **serving(150.0, perInFlightRequest="1Mi")), 120)
    row = sim.world.workload_rows["web"]
    each = sim.load_model.in_flight(row) / 2
    assert each > 1.0
    assert used(sim) == used(sim, 1) == pytest.approx(512 * MIB + each * MIB, abs=2)


def test_memory_follows_what_each_pod_holds_not_what_all_hold_on_average() -> None:
    """Two pods have gathered queues; a third one begins without, and one that is not Ready keeps its own."""
    overload = serving(250.0, perInFlightRequest="1Mi")
    events = [
        {"type": "setReplicas", "at": "60s", "workload": "web", "replicas": 3},
        {"type": "readinessFlap", "at": "80s", "workload": "web", "count": 1, "duration": "30s"},
    ]
    plan = Plan.model_validate(one(pods=2, **overload).model_dump(by_alias=True) | {"events": events})
    for until_s, unready in ((78, 0), (82, 1)):
        sim = run_of(plan, until_s)
        pods = np.arange(3)
        held = sim.load_model.held_of(pods)
        assert int((~sim.cluster.pods.ready[pods]).sum()) == unready and held.max() > 1.5 * held.min()
        assert [used(sim, pod) for pod in range(3)] == pytest.approx((512 * MIB + held * MIB).tolist(), abs=2)


def test_requests_of_a_pod_that_ends_take_memory_until_it_has_finished_them() -> None:
    plan = one(pods=2, **serving(250.0, perInFlightRequest="1Mi")).model_dump(by_alias=True)
    fewer = {"type": "setReplicas", "at": "60s", "workload": "web", "replicas": 1}
    sim = run_of(Plan.model_validate(plan | {"events": [fewer]}), 61)
    [ending] = [pod for pod in (0, 1) if not sim.cluster.pods.ready[pod]]
    held = float(sim.load_model.held_of(np.array([ending]))[0])
    assert held > 10 and used(sim, ending) == pytest.approx(512 * MIB + held * MIB, abs=2)


def test_a_queue_that_grows_ends_in_a_kill_at_the_memory_limit() -> None:
    sim = run_of(one(limit="1Gi", **serving(200.0, perInFlightRequest="1Mi")), 120)
    killed = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert killed and killed[0].details.reason == "memory limit of the container"
    assert killed[0].details.used_bytes > 1 * GIB
    calm = run_of(one(limit="1Gi", **serving(50.0, perInFlightRequest="1Mi")), 120)
    assert not decisions_of(calm, Actor.KUBELET, Verdict.OOM_KILLED)


def test_page_cache_counts_as_used_up_to_the_limit_and_kills_no_container() -> None:
    memory = {"memoryUse": {"start": "512Mi", "activeFile": "700Mi"}}
    assert used(run_of(one(**memory), 60)) == (512 + 700) * MIB
    capped = run_of(one(limit="1Gi", **memory), 600)
    assert used(capped) == 1 * GIB
    assert not decisions_of(capped, Actor.KUBELET, Verdict.OOM_KILLED)


def test_page_cache_is_no_reason_for_the_kernel_but_for_the_kubelet() -> None:
    """Four pods of 1 GiB with 2 GiB of cache each exceed a node of 8 GiB: evicted, never killed."""
    sim = run_of(one(pods=4, memory="8Gi", memoryUse={"start": "1Gi", "activeFile": "2Gi"}), 300)
    assert decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert not decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)


def test_memory_follows_a_profile_and_is_killed_when_that_passes_the_limit() -> None:
    def ramp(to: float) -> dict[str, Any]:
        profile = {"type": "ramp", "from": float(GIB), "to": to, "start": "60s", "duration": "100s"}
        return {"use": {"memory": profile}}

    sim = run_of(one(**ramp(3.0 * GIB)), 110)
    assert used(sim) == pytest.approx(2 * GIB, rel=1e-9)
    killed = decisions_of(run_of(one(limit="2Gi", **ramp(3.0 * GIB)), 118), Actor.KUBELET, Verdict.OOM_KILLED)
    assert seconds(killed)[:1] == [115.0], "the first load step with more than 2 GiB"


def test_a_profile_that_exceeds_the_node_ends_in_evictions_at_the_next_look() -> None:
    step = {"type": "step", "from": float(GIB), "to": 1.865 * GIB, "at": "200s"}
    sim = run_of(one(pods=4, memory="8Gi", use={"memory": step}), 260)
    evicted = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert evicted and 200 < seconds(evicted)[0] <= 211


def test_autoscalers_see_the_memory_that_requests_take() -> None:
    plan = one(pods=2, **serving(60.0, perInFlightRequest="100Mi"))
    hpa = {
        "name": "web", "scaleTarget": "web", "minReplicas": 1, "maxReplicas": 9,
        "metrics": [{"resource": "memory", "targetType": "AverageValue", "averageValue": "560Mi"}],
    }  # fmt: skip
    plan = Plan.model_validate(plan.model_dump(by_alias=True) | {"horizontalPodAutoscalers": [hpa]})
    sim = run_of(plan, 15)
    seen = int(sim.samples.memory_of(np.array([0]))[0])
    assert seen > 560 * MIB
    assert seen == pytest.approx(used(sim), rel=0.05)
    assert int(sim.cluster.workloads.desired[0]) > 2


def test_autoscalers_see_the_memory_of_one_container_as_its_kubelet_does() -> None:
    """The cache, a quarter of the pod, restarts at 512 MiB after 300 s; the main container grows on."""
    containers = [
        {"name": "main", "requests": {"memory": "1Gi"}},
        {"name": "cache", "requests": {"memory": "256Mi"}, "limits": {"memory": "512Mi"}, "memoryShare": 25},
    ]
    leak = a_workload(
        "leak", 1, pod={"containers": containers}, memoryUse={"start": "1Gi", "growthPerHour": "12Gi"}
    )  # fmt: skip
    hpa = {"name": "leak", "scaleTarget": "leak", "minReplicas": 1, "maxReplicas": 1}
    metric = {"type": "ContainerResource", "resource": "memory", "targetType": "AverageValue", "averageValue": "9Gi"}
    for name, parts in (("main", 0.75 * (GIB + 315 * 12 * GIB / 3600)), ("cache", 0.25 * (GIB + 15 * 12 * GIB / 3600))):
        hpas = [hpa | {"metrics": [metric | {"container": name}]}]
        plan = a_plan(nodeGroups=[a_group("pool", 1, kubelet={})], workloads=[leak], horizontalPodAutoscalers=hpas)
        sim = run_of(plan, 316)
        assert sim.hpa.latest[0].observed == pytest.approx(parts * 1000, rel=1e-6)


def test_a_limit_of_zero_kills_no_container() -> None:
    containers = [{"name": "main", "requests": {"cpu": "1"}, "limits": {"memory": "0"}}]
    web = a_workload("web", 1, pod={"containers": containers}, memoryUse={"start": "1Gi"})
    sim = run_of(a_plan(nodeGroups=[a_group("pool", 1, kubelet={})], workloads=[web]), 60)
    assert used(sim) == 1 * GIB and not decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)


def test_the_spread_between_pods_applies_to_a_profile_as_well() -> None:
    flat = {"type": "constant", "rate": float(GIB)}
    sim = run_of(one(pods=3, use={"memory": flat}, memoryUse={"spread": 0.5}), 60)
    assert len({used(sim, pod) for pod in range(3)}) == 3


def test_memory_described_twice_is_refused() -> None:
    flat = {"type": "constant", "rate": float(GIB)}
    told_twice = a_workload("web", 1, use={"memory": flat}, memoryUse={"start": "1Gi"})
    (problem,) = check_plan(a_plan(workloads=[told_twice]))
    assert problem.where == "workloads[0].memoryUse.start"


def test_kills_wait_for_nothing_when_a_pod_is_ready_again() -> None:
    """The queue is still there after the restart, so the pod is killed over and over, with growing waits."""
    sim = run_of(one(limit="1Gi", **serving(200.0, perInFlightRequest="10Mi")), 300)
    waits = [decision.details.restart_wait_s for decision in decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)]
    assert waits[:3] == [0, 10, 20]
    assert sim.events.now_us <= 300 * US_PER_S


def test_the_report_shows_used_memory_kills_and_restarts() -> None:
    step = {"type": "step", "from": 0.25 * GIB, "to": 1.5 * GIB, "at": "100s"}
    result = run_plan(one(pods=2, limit="1Gi", use={"memory": step}), until_us=104 * US_PER_S)
    figures = result.figures
    assert figures["memory_used_peak"].value == 0.5 * GIB
    assert figures["memory_requested_mean"].value == 2.0 * GIB
    assert figures["waste_over_request_memory"].value == 1.5 * GIB
    assert result.series["memory_used_bytes[web]"][-1] == result.series["group_memory_used_bytes[pool]"][-1]
    assert (figures["oom_kills"].value, figures["container_restarts"].value) == (4, 2), "once more at once"


def test_memory_that_is_not_described_is_not_made_up() -> None:
    result = run_plan(a_plan(), until_us=60 * US_PER_S)
    assert "memory_used_peak" not in result.figures
    assert "waste_over_request_memory" not in result.figures


def test_a_killed_pod_of_a_job_fails_and_its_job_tries_again() -> None:
    profile = {"type": "step", "from": 1.5 * GIB, "to": 0.5 * GIB, "at": "60s"}
    job = {"job": {"completions": 1, "runTime": "30s"}, "kind": "Job", "use": {"memory": profile}}
    sim = run_of(one("batch", limit="1Gi", **job), 300)
    killed = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert killed and killed[0].details.restart_wait_s is None
    reasons = sim.cluster.pods.end_reason.tolist()
    assert reasons == [EndReason.FAILED] * len(killed) + [EndReason.COMPLETED]
    assert int(sim.cluster.pods.restarts.sum()) == 0
