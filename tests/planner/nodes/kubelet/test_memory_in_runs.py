"""Memory of pods in runs: evictions before memory runs out, kills where it grows too fast, restarts."""

from typing import Any

import pytest

from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Verdict
from planner.record.text.explain import why
from planner.record.text.reasoning import reasoning
from planner.state.pods import EndReason
from planner.units import GIB, US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds


def leaking(growth: str, limit: str | None = None, **parts: Any) -> Plan:
    """Two nodes of 8 GiB with a leaking pod each, which starts with 1 GiB."""
    resources: dict[str, Any] = {"requests": {"cpu": "1", "memory": "1Gi"}}
    if limit:
        resources["limits"] = {"memory": limit}
    leak = a_workload(
        "leak", 2, pod={"containers": [{"name": "main", **resources}]},
        memoryUse={"start": "1Gi", "growthPerHour": growth},
    )  # fmt: skip
    return a_plan(nodeGroups=[a_group("pool", 2, memory="8Gi", kubelet={})], workloads=[leak], **parts)


def test_a_slow_leak_ends_in_an_eviction_before_memory_runs_out() -> None:
    sim = run_of(leaking("30Gi"))
    evicted = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert evicted and not decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    first = evicted[0]
    # 8 GiB less 500 MiB of the system, 100 MiB of threshold and 1 GiB at the start, at 30 GiB/h; a pass every 10 s.
    reached_s = (8 * GIB - 600 * (1 << 20) - GIB) / (30 * GIB) * 3600
    assert reached_s < first.time_us / US_PER_S <= reached_s + 10
    assert (first.details.signal, first.details.is_hard) == ("memory.available", True)
    assert first.details.available < first.details.threshold == 100 << 20
    assert int((sim.cluster.pods.end_reason == EndReason.NODE_PRESSURE).sum()) == len(evicted)


def test_a_fast_leak_ends_in_a_kill_and_a_restart() -> None:
    sim = run_of(leaking("1200Gi"), 300)
    killed = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert killed and not decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert int(sim.cluster.workloads.created[0]) == 2, "the pods stay, their containers restart"
    waits = [one.details.restart_wait_s for one in killed if one.subject == killed[0].subject]
    assert waits[:3] == [0, 10, 20]


def test_a_kill_by_the_kernel_says_how_containers_were_compared() -> None:
    steady = a_workload("steady", 2, memoryUse={"start": "512Mi"})
    plan = leaking("1200Gi")
    plan = a_plan(
        nodeGroups=[a_group("pool", 2, memory="8Gi", kubelet={})],
        workloads=[plan.workloads[0].model_dump(mode="json", by_alias=True), steady],
    )
    killed = decisions_of(run_of(plan, 60), Actor.KUBELET, Verdict.OOM_KILLED)[0]
    oom = killed.details.oom
    # The leaking pod requests an eighth of the node's memory: 1000 - 125. The other one has as little use as it asks.
    assert (oom.adjustment, oom.containers, oom.next_pod[:6]) == (875, 2, "steady")
    assert oom.score == pytest.approx(1000 * killed.details.used_bytes / (8 * GIB) + 875)
    assert oom.next_score < oom.score
    assert f"oom_score {oom.score:.0f} (oom_score_adj 875), the highest of 2 containers" in why(killed)
    assert reasoning(killed).grids[-1].rows[1][0] == oom.next_pod


def test_an_eviction_says_how_much_has_to_be_reclaimed_at_least() -> None:
    plan = leaking("30Gi")
    kubelet = {"evictionMinimumReclaim": {"memory.available": "1Gi"}}
    plan = a_plan(
        nodeGroups=[a_group("pool", 2, memory="8Gi", kubelet=kubelet)],
        workloads=[plan.workloads[0].model_dump(mode="json", by_alias=True)],
    )
    evicted = decisions_of(run_of(plan), Actor.KUBELET, Verdict.EVICTED)[0]
    assert evicted.details.minimum_reclaim == GIB
    assert "hard threshold 100Mi plus 1024Mi to reclaim at least" in why(evicted)


def test_a_container_limit_kills_without_any_pressure_on_the_node() -> None:
    sim = run_of(leaking("12Gi", limit="2Gi"), 320)
    killed = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert seconds(killed) == pytest.approx([300, 300], abs=0.01)
    assert {one.details.reason for one in killed} == {"memory limit of the container"}
    assert {one.details.oom for one in killed} == {None}, "the kernel compares nothing inside a full cgroup of one"
    assert int(sim.cluster.workloads.ready[0]) == 2


def test_pods_are_not_ready_while_they_restart() -> None:
    plan = leaking("12Gi", limit="2Gi")
    assert int(run_of(plan, 305).cluster.workloads.ready[0]) == 0
    assert int(run_of(plan, 311).cluster.workloads.ready[0]) == 2


def test_pressure_taints_the_node_until_the_transition_period_is_over() -> None:
    plan = leaking("30Gi")
    sim = run_of(plan, 830)
    assert decisions_of(sim, Actor.KUBELET, Verdict.PRESSURE)
    keys = {taint.key for node in range(2) for taint in sim.cluster.node_taints(node)}
    assert keys == {"node.kubernetes.io/memory-pressure"}
    calm = plan.model_copy(update={"workloads": leaking("30Gi").workloads})
    assert decisions_of(run_of(calm), Actor.KUBELET, Verdict.PRESSURE_OVER)


def test_the_pod_above_its_request_goes_before_one_of_lower_priority() -> None:
    leak, calm = leaking("60Gi").workloads[0], a_workload("calm", 2, memoryUse={"start": "512Mi"})
    plan = a_plan(
        nodeGroups=[a_group("pool", 2, memory="8Gi", kubelet={})],
        priorityClasses=[{"name": "high", "value": 1000}],
        workloads=[leak.model_dump(mode="json", by_alias=True), calm],
    )
    sim = run_of(plan, 900)
    evicted = decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)
    assert evicted and all(one.subject.startswith("leak-") for one in evicted)


def test_a_kubelet_under_pressure_turns_best_effort_pods_away_until_the_taint_is_seen() -> None:
    leak = leaking("30Gi").workloads[0].model_dump(mode="json", by_alias=True)
    late = a_workload("late", 0, pod={"containers": [{"name": "main"}]})
    every_second = [
        {"type": "setReplicas", "workload": "late", "replicas": at - 768, "at": f"{at}s"} for at in range(769, 795)
    ]
    plan = a_plan(
        nodeGroups=[a_group("pool", 2, memory="8Gi", kubelet={})], workloads=[leak, late], events=every_second
    )
    rejected = decisions_of(run_of(plan, 900), Actor.KUBELET, Verdict.REFUSED)
    assert rejected and {one.details.reason for one in rejected} == {"MemoryPressure"}
    assert all(one.subject.startswith("late-") for one in rejected)


def test_without_any_memory_use_in_the_plan_memory_is_not_simulated() -> None:
    assert run_of(a_plan(), 60).memory is None


def shared(limits: tuple[str | None, str | None], requests: tuple[str, str], growth: str = "12Gi") -> Plan:
    """One pod whose second container holds a quarter of its memory; it starts with 1 GiB."""
    containers = [
        {"name": name, "requests": {"memory": request}, **({"limits": {"memory": limit}} if limit else {}), **more}
        for name, request, limit, more in zip(
            ("main", "cache"), requests, limits, ({}, {"memoryShare": 25}), strict=True
        )
    ]
    use = {"start": "1Gi", "growthPerHour": growth}
    leak = a_workload("leak", 1, pod={"containers": containers}, memoryUse=use)
    return a_plan(nodeGroups=[a_group("pool", 1, memory="8Gi", kubelet={})], workloads=[leak])


def test_a_container_is_held_to_its_own_limit_and_restarts_alone() -> None:
    """The cache reaches 512 MiB when the pod has 2 GiB, long before the limits' sum of 6.5 GiB."""
    sim = run_of(shared(("6Gi", "512Mi"), ("1Gi", "256Mi")), 310)
    (killed,) = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert killed.time_us / US_PER_S == pytest.approx(300, abs=0.01)
    assert (killed.details.reason, killed.details.container) == ("memory limit of the container", "cache")
    assert killed.details.used_bytes == pytest.approx(512 << 20, rel=1e-5)
    assert sim.memory is not None
    (pod,) = sim.cluster.workload_pods[0]
    main, cache = (sim.memory.memory.container_use(pod, at, 310 * US_PER_S) for at in (0, 1))
    assert main == pytest.approx(0.75 * (1 + 12 * 310 / 3600) * GIB, rel=1e-3), "the other one goes on growing"
    assert cache == pytest.approx(0.25 * (1 + 12 * 10 / 3600) * GIB, rel=1e-2)


def test_without_limits_no_container_of_the_pod_is_killed_early() -> None:
    assert decisions_of(run_of(shared((None, "4Gi"), ("1Gi", "256Mi")), 600), Actor.KUBELET, Verdict.OOM_KILLED) == []


@pytest.mark.parametrize(
    ("requests", "victim"),
    [
        pytest.param(("1Gi", "6Gi"), "main", id="the one far above its request"),
        pytest.param(("7Gi", "100Mi"), "cache", id="a smaller one that asked for nearly nothing"),
    ],
)
def test_a_node_without_memory_kills_the_container_with_the_worst_score(requests: tuple[str, str], victim: str) -> None:
    sim = run_of(shared((None, None), requests, growth="1200Gi"), 60)
    first = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)[0]
    assert (first.details.reason, first.details.container) == ("no memory left on the node", victim)


def test_a_limit_of_the_whole_pod_kills_its_largest_container() -> None:
    pod = {
        "containers": [{"name": "main"}, {"name": "agent", "memoryShare": 25}],
        "limits": {"memory": "2Gi"},
    }
    leak = a_workload("leak", 1, pod=pod, memoryUse={"start": "1Gi", "growthPerHour": "12Gi"})
    sim = run_of(a_plan(nodeGroups=[a_group("pool", 1, memory="8Gi", kubelet={})], workloads=[leak]), 320)
    (killed,) = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
    assert seconds([killed]) == pytest.approx([300], abs=0.01)
    assert (killed.details.reason, killed.details.container) == ("memory limit of the pod", "main")


def test_a_job_pod_fails_once_if_two_of_its_containers_reach_their_limits_together() -> None:
    limits = {"limits": {"memory": "1Gi"}}
    halves = [{"name": "main", **limits}, {"name": "agent", "memoryShare": 50, **limits}]
    job = a_workload(
        "job", 1, kind="Job", job={"runTime": "1h", "backoffLimit": 0}, pod={"containers": halves},
        memoryUse={"start": "1Gi", "growthPerHour": "12Gi"},
    )  # fmt: skip
    sim = run_of(a_plan(nodeGroups=[a_group("pool", 1, memory="8Gi", kubelet={})], workloads=[job]))
    assert len(decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)) == 1
    assert int((sim.cluster.pods.end_reason == EndReason.FAILED).sum()) == 1
