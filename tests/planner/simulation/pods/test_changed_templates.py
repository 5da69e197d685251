"""Rollouts that change the template: old and new pods have their own requests, limits and containers."""

from typing import Any

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.record.decisions import Actor, Verdict
from planner.record.details.replicas import Evaluation
from planner.simulation.run import run_plan
from planner.simulation.simulation import Simulation
from planner.state.resources import CPU
from planner.units import GIB, US_PER_MIN
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of


def a_template(cpu: str, name: str = "main", **parts: Any) -> dict[str, Any]:
    """A pod of one container with requests."""
    return {"containers": [{"name": name, "requests": {"cpu": cpu, "memory": "1Gi"}, **parts}]}


def a_rollout(pod: dict[str, Any] | None, at: str = "5m", workload: str = "web") -> dict[str, Any]:
    """A rollout, with a new template or without."""
    return {"type": "rollout", "at": at, "workload": workload} | ({"pod": pod} if pod else {})


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet"])
def test_pods_of_the_new_template_have_its_requests_and_those_of_the_old_one_keep_theirs(kind: str) -> None:
    plan = a_plan(workloads=[a_workload("web", 4, kind=kind)], events=[a_rollout(a_template("2"))])
    for until_s, wanted in ((290, [1000] * 4), (1800, [2000] * 4)):
        cluster = run_of(plan, until_s).cluster
        pods = list(cluster.workload_pods[0])
        assert [int(cluster.pod_specs[spec].request[CPU]) for spec in cluster.pods.spec[pods]] == wanted
        assert int(cluster.nodes.requested[:, CPU].sum()) == sum(wanted)


def test_a_later_rollout_without_template_keeps_the_latest_one_and_a_third_may_change_it_back() -> None:
    events = [a_rollout(a_template("2")), a_rollout(None, "12m"), a_rollout(a_template("500m"), "20m")]
    plan = a_plan(workloads=[a_workload("web", 2)], events=events)
    found = []
    for until_s in (1100, 1800):
        cluster = run_of(plan, until_s).cluster
        pods = list(cluster.workload_pods[0])
        found.append({int(cluster.pod_specs[spec].request[CPU]) for spec in cluster.pods.spec[pods]})
    assert found == [{2000}, {500}]


def test_new_pods_that_fit_nowhere_hold_up_the_rollout_and_bring_nodes_of_their_size() -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 1), a_group("large", 0, cpu="16")],
        workloads=[a_workload("web", 2)],
        events=[a_rollout(a_template("8"))],
        clusterAutoscaler={},
    )
    sim = run_of(plan)
    [*_, last] = decisions_of(sim, Actor.SCALE_UP, Verdict.TRIGGERED)
    assert last.subject == "large" and int(sim.cluster.workloads.ready[0]) == 2


def test_a_higher_limit_lets_new_pods_use_more_cpu() -> None:
    """One pod of a core at four requests a second of one CPU second each; the new one may use three cores."""
    traffic = {"profile": {"type": "constant", "rate": 4}}
    web = a_workload("web", 1, pod=a_template("500m", limits={"cpu": "1"}), traffic=traffic)
    web["demand"] = {"cpuSecondsPerRequest": 1.0}
    plan = a_plan(workloads=[web], events=[a_rollout(a_template("500m", limits={"cpu": "3"}), "10m")])
    used = run_plan(plan).series["cpu_used_cores[web]"]
    # A pod with a backlog is hardly ever idle: the queue holds hundreds of requests.
    assert used[30] == pytest.approx(1.0, rel=2e-3) and used[-1] == pytest.approx(3.0, rel=2e-3)


def test_a_renamed_container_is_followed_under_both_names() -> None:
    """A name that pods lack fails as a metric, which holds back shrinking only; the new requests call for more pods."""
    metrics = [
        {"type": "ContainerResource", "resource": "cpu", "container": name, "averageUtilization": 50}
        for name in ("main", "app")
    ]
    traffic = {"profile": {"type": "constant", "rate": 20}}
    web = a_workload("web", 4, traffic=traffic, pod=a_template("1"))
    web["demand"] = {"cpuSecondsPerRequest": 0.1}
    plan = a_plan(
        workloads=[web],
        horizontalPodAutoscalers=[{"name": "web", "scaleTarget": "web", "maxReplicas": 10, "metrics": metrics}],
        events=[a_rollout(a_template("250m", "app"), "10m")],
    )
    assert not list(check_plan(plan))
    sim = run_of(plan)
    sizes = [
        (one.time_us, one.details.desired) for one in sim.recorder.decisions if isinstance(one.details, Evaluation)
    ]
    assert {size for at_us, size in sizes if at_us < 10 * US_PER_MIN} == {4}
    assert int(sim.cluster.workloads.desired[0]) == sizes[-1][1] == 10
    assert {sim.cluster.pod_specs[sim.cluster.pods.spec[pod]].running.containers[0].name
            for pod in sim.cluster.workload_pods[0]} == {"app"}  # fmt: skip


def test_a_container_that_only_new_pods_have_uses_no_memory_without_a_share() -> None:
    metric = {"type": "ContainerResource", "resource": "memory", "container": "side", "targetType": "AverageValue"}
    pod = {"containers": [*a_template("1")["containers"], {"name": "side", "requests": {"memory": "64Mi"}}]}
    plan = a_plan(
        workloads=[a_workload("web", 2, pod=a_template("1"), memoryUse={"start": "200Mi"})],
        horizontalPodAutoscalers=[
            {"name": "web", "scaleTarget": "web", "minReplicas": 2, "maxReplicas": 10,
             "metrics": [{**metric, "averageValue": "50Mi"}]},
        ],
        events=[a_rollout(pod, "10m")],
    )  # fmt: skip
    assert not list(check_plan(plan))
    assert int(run_of(plan).cluster.workloads.desired[0]) == 2


def half_way(
    template: dict[str, Any], rollout: dict[str, Any], **parts: Any
) -> tuple[Simulation, list[int], list[int]]:
    """Four pods of which two have the new template and will not be replaced or removed; old and new pods."""
    web = a_workload("web", 4, kind="StatefulSet", stateful={"partition": 2}, pod=template, **parts)
    plan = a_plan(
        nodeGroups=[a_group("pool", 4, kubelet={}, ephemeralStorage="80Gi")],
        workloads=[web],
        events=[a_rollout(rollout)],
    )
    assert not list(check_plan(plan))
    sim = run_of(plan, 900)
    table, pods = sim.cluster.pods, list(sim.cluster.workload_pods[0])
    old, new = ([pod for pod in pods if table.revision[pod] == revision] for revision in (0, 1))
    return sim, old, new


def test_only_pods_with_the_new_limit_are_killed_for_it() -> None:
    limit = {"limits": {"memory": "1Gi"}}
    for old, new, killed_of in (
        (a_template("1"), a_template("1", **limit), 1),
        (a_template("1", **limit), a_template("1"), 0),
    ):
        sim, *pods = half_way(old, new, memoryUse={"start": "512Mi", "growthPerHour": "12Gi"})
        names = {sim.cluster.pod_name(pod) for pod in pods[killed_of]}
        killed = decisions_of(sim, Actor.KUBELET, Verdict.OOM_KILLED)
        late = {one.subject for one in killed if one.time_us > 6 * US_PER_MIN}
        assert names and late == names
        assert sim.cluster.pods.restarts[pods[1 - killed_of]].tolist() == [0, 0]


def test_memory_of_pods_follows_the_requests_and_shares_of_their_own_template() -> None:
    """80 % of the request each; a quarter of it in a container that only new pods have."""
    side = {"name": "side", "memoryShare": 25}
    template = {"containers": [{"name": "main", "requests": {"cpu": "1", "memory": "2Gi"}}, side]}
    sim, old, new = half_way(a_template("1"), template, memoryUse={})
    assert sim.memory is not None
    use = sim.memory.memory.by_container(np.array(old + new), sim.events.now_us)
    whole = [0.8 * GIB] * 2 + [1.6 * GIB] * 2
    assert use.sum(axis=0).tolist() == pytest.approx(whole, rel=1e-6)
    assert use[1].tolist() == pytest.approx([0, 0, 0.4 * GIB, 0.4 * GIB], rel=1e-6)


def test_a_limit_of_scratch_space_is_that_of_the_pod_itself() -> None:
    limit = {"limits": {"ephemeralStorage": "1Gi"}}
    sim, old, new = half_way(a_template("1"), a_template("1", **limit), diskUse={"start": "2Gi"})
    evicted = [one.subject for one in decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)]
    assert evicted and not {sim.cluster.pod_name(pod) for pod in old} & set(evicted)


def test_containers_use_the_constant_cpu_of_their_own_template() -> None:
    sim, old, new = half_way(a_template("1", cpuUse="100m"), a_template("1", cpuUse="300m"), cpuUse="50m")
    sim.load_model.observe()
    use = dict(zip(sim.load_model.usage_rows.tolist(), sim.load_model.usage_milli.tolist(), strict=True))
    assert [use[pod] for pod in old + new] == [150, 150, 350, 350]


def test_a_killed_container_starts_again_as_fast_as_its_own_template_says() -> None:
    """Killed at once at 1 GiB of 1.5; the old template takes ten seconds to start, the new one a minute."""
    slow = a_template("1", limits={"memory": "1Gi"}) | {"startupDelay": "5m"}
    sim, _, new = half_way(a_template("1"), slow, memoryUse={"start": "1Gi", "growthPerHour": "60Gi"})
    assert new and not sim.cluster.pods.ready[new].any()


@pytest.mark.parametrize(
    ("pod", "where"),
    [
        ({"nodeName": "pool-0001"}, "events[0].pod.nodeName"),
        ({"schedulingGates": [{"name": "example.com/gate"}]}, "events[0].pod.schedulingGates"),
        ({"zonalClaim": True}, "events[0].pod.zonalClaim"),
        ({"priorityClass": "none"}, "events[0].pod.priorityClass"),
    ],
)
def test_a_new_template_is_checked_like_any_other(pod: dict[str, Any], where: str) -> None:
    plan = a_plan(events=[a_rollout(a_template("1") | pod)])
    assert [problem.where for problem in check_plan(plan)] == [where]
