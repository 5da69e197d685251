"""Static pods in a run: they come and go with their node and are nobody else's concern."""

from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.record.decisions import Actor, Verdict
from planner.simulation.run import run_plan
from planner.units import US_PER_MIN
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of


def a_static(name: str = "proxy", cpu: str = "100m", **settings: Any) -> dict[str, Any]:
    """A small static pod."""
    pod = {"containers": [{"requests": {"cpu": cpu, "memory": "64Mi"}}]}
    workload = a_workload(name, 1, kind="StaticPod", pod=pod, **settings)
    del workload["replicas"]
    return workload


def test_every_node_of_the_pools_has_one_that_nothing_schedules() -> None:
    plan = a_plan(nodeGroups=[a_group("pool", 60), a_group("other", 5)], workloads=[a_static(nodeGroups=["pool"])])
    sim = run_of(plan, 60)
    cluster = sim.cluster
    assert cluster.pods.count == 60
    assert sorted(cluster.pods.node[:60].tolist()) == [row for row in range(65) if cluster.nodes.group[row] == 0]
    assert not decisions_of(sim, Actor.SCHEDULER, Verdict.BOUND)
    assert cluster.workloads.desired[0] == cluster.workloads.ready[0] == 60


@pytest.mark.parametrize("start", [0, 1])
def test_new_nodes_have_their_own_and_the_autoscaler_counts_it(start: int) -> None:
    """Three of four cores are for others, so three pods of two cores need three nodes, not two."""
    pod = {"containers": [{"requests": {"cpu": "2", "memory": "1Gi"}}]}
    plan = a_plan(
        nodeGroups=[a_group("pool", start)],
        workloads=[a_static(cpu="1"), a_workload("web", 3, pod=pod)],
        clusterAutoscaler={},
    )
    sim = run_of(plan)
    ups = decisions_of(sim, Actor.SCALE_UP, Verdict.TRIGGERED)
    assert int(sim.cluster.nodes.exists.sum()) == 3 and len(ups) == 1
    assert int(sim.cluster.workloads.ready[0]) == 3


def test_drains_and_taints_leave_them_and_no_preemption_takes_them() -> None:
    high = {"priorityClass": "system-cluster-critical", "containers": [{"requests": {"cpu": "4", "memory": "1Gi"}}]}
    taint = {"key": "broken", "effect": "NoExecute"}
    plan = a_plan(
        nodeGroups=[a_group("pool", 2)],
        workloads=[a_static(cpu="1"), a_workload("large", 1, pod=high)],
        events=[
            {"type": "drain", "at": "2m", "nodeGroup": "pool", "nodes": ["pool-0001"]},
            {"type": "taint", "at": "3m", "nodeGroup": "pool", "nodes": ["pool-0002"], "taint": taint},
        ],
    )
    sim = run_of(plan)
    assert sim.cluster.workloads.ready[0] == 2 and sim.cluster.workloads.created[0] == 2
    assert sim.cluster.workloads.ready[1] == 0
    assert len(decisions_of(sim, Actor.DRAIN, Verdict.DRAINED)) == 1


@pytest.mark.parametrize(
    ("flags", "removed"),
    [
        pytest.param({}, 0, id="they count as used"),
        pytest.param({"ignoreMirrorPodsUtilization": True}, 2, id="they do not, and go with their node"),
    ],
)
def test_they_count_for_the_utilization_of_a_node_as_the_flag_says(flags: dict[str, Any], removed: int) -> None:
    plan = a_plan(
        nodeGroups=[a_group("pool", 2)],
        workloads=[a_static(cpu="3")],
        clusterAutoscaler={"scaleDownUnneededTime": "1m", "scaleDownDelayAfterAdd": "0s", **flags},
    )
    result = run_plan(plan, seed=1, until_us=15 * US_PER_MIN)
    going = [d for d in result.decisions if d.actor is Actor.SCALE_DOWN and d.verdict is Verdict.REMOVED]
    assert len(going) == removed


def test_pools_with_a_group_per_zone_have_them_in_every_zone() -> None:
    zones = {"zones": [{"name": "a"}, {"name": "b"}], "zoneMode": "perZone"}
    plan = a_plan(nodeGroups=[a_group("pool", 4, **zones)], workloads=[a_static(nodeGroups=["pool"])])
    assert int(run_of(plan, 60).cluster.workloads.ready[0]) == 4


def test_settings_of_the_kind_are_checked() -> None:
    claiming = a_static("one", nodeGroups=["poll"])
    claiming["pod"]["volumes"] = {"ebs.csi.aws.com": 1}
    plan = a_plan(
        workloads=[
            claiming,
            a_workload("web", 1, nodeGroups=["pool"]),
        ],
        horizontalPodAutoscalers=[{"name": "one", "scaleTarget": "one", "maxReplicas": 3}],
    )
    assert [problem.where for problem in check_plan(plan)] == [
        "workloads[0].nodeGroups[0]",
        "workloads[0].pod.volumes",
        "workloads[1].nodeGroups",
        "horizontalPodAutoscalers[0].scaleTarget",
    ]
