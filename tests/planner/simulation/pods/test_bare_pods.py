"""Pods without a controller in a run: made once, refused by drains, in the way of scale-down, never replaced."""

from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.record.decisions import Actor, Verdict
from planner.record.details.work import BarePodLost
from planner.simulation.run import run_plan
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.units import US_PER_MIN, US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of

TOOL: dict[str, Any] = {"kind": "Pod"}


def test_a_lost_pod_is_not_replaced_and_the_record_says_so() -> None:
    plan = a_plan(
        workloads=[a_workload("tool", 4, **TOOL), a_workload("web", 4)],
        events=[{"type": "drain", "at": "5m", "nodeGroup": "pool", "nodes": ["pool-0001"], "force": True}],
    )
    sim = run_of(plan)
    tools, webs = (int(sim.cluster.workloads.ready[sim.world.workload_rows[name]]) for name in ("tool", "web"))
    lost = decisions_of(sim, Actor.CONTROLLER, Verdict.REMOVED)
    assert webs == 4 and 0 < len(lost) and tools == 4 - len(lost)
    assert all(isinstance(one.details, BarePodLost) and one.details.reason == "Evicted" for one in lost)
    assert sim.cluster.workloads.desired[sim.world.workload_rows["tool"]] == tools


@pytest.mark.parametrize(
    ("settings", "force", "is_drained"),
    [
        pytest.param({}, False, False, id="without force a pod that has no controller stops the drain"),
        pytest.param({}, True, True, id="with force it is evicted"),
        pytest.param({"customController": "Workflow"}, False, True, id="an unknown controller is a controller"),
    ],
)
def test_a_drain_needs_force_for_pods_without_a_controller(
    settings: dict[str, Any], force: bool, is_drained: bool
) -> None:
    drain = {"type": "drain", "at": "5m", "nodeGroup": "pool", "nodes": ["pool-0001"], "force": force}
    plan = a_plan(workloads=[a_workload("tool", 4, **TOOL, **settings)], events=[drain])
    sim = run_of(plan)
    assert bool(decisions_of(sim, Actor.DRAIN, Verdict.REFUSED)) is not is_drained
    assert (len(sim.cluster.node_pods[0]) == 0) is is_drained
    assert sim.cluster.nodes.unschedulable[0]


@pytest.mark.parametrize(
    ("settings", "flags", "removed"),
    [
        pytest.param({}, {}, 0, id="no controller"),
        pytest.param({}, {"skipNodesWithCustomControllerPods": False}, 0, id="no controller, whatever the flag"),
        pytest.param({"customController": "Workflow"}, {}, 0, id="unknown controller"),
        pytest.param({"customController": "Workflow"}, {"skipNodesWithCustomControllerPods": False}, 2, id="flag off"),
        pytest.param({"pod": {"scaling": {"safeToEvict": "true"}}}, {}, 2, id="annotated as safe"),
    ],
)
def test_scale_down_keeps_nodes_whose_pods_nobody_would_make_again(
    settings: dict[str, Any], flags: dict[str, Any], removed: int
) -> None:
    pod = {"containers": [{"requests": {"cpu": "200m", "memory": "256Mi"}}], **settings.get("pod", {})}
    plan = a_plan(
        nodeGroups=[a_group("pool", 3)],
        workloads=[a_workload("tool", 3, **TOOL, **{**settings, "pod": pod})],
        clusterAutoscaler={"scaleDownUnneededTime": "1m", "scaleDownDelayAfterAdd": "0s", **flags},
    )
    result = run_plan(plan, seed=1, until_us=15 * US_PER_MIN)
    going = [d for d in result.decisions if d.actor is Actor.SCALE_DOWN and d.verdict is Verdict.REMOVED]
    assert len(going) == removed


def test_bare_pods_are_deleted_with_their_workload_and_made_again() -> None:
    events = [
        {"type": "deleteWorkload", "at": "5m", "workload": "tool"},
        {"type": "createWorkload", "at": "10m", "workload": "web"},
    ]
    plan = a_plan(workloads=[a_workload("tool", 3, **TOOL), a_workload("web", 2, **TOOL)], events=events)
    sim = run_of(plan)
    ready = sim.cluster.workloads.ready
    assert ready[sim.world.workload_rows["tool"]] == 0 and ready[sim.world.workload_rows["web"]] == 2
    assert not decisions_of(sim, Actor.CONTROLLER, Verdict.REMOVED)


@pytest.mark.parametrize(
    ("settings", "event", "hit", "left"),
    [
        pytest.param({}, {"count": 2}, 2, 4, id="a controller makes others"),
        pytest.param({"kind": "StatefulSet"}, {"count": 2}, 2, 4, id="a StatefulSet as well"),
        pytest.param(TOOL, {"count": 2}, 2, 2, id="bare pods are gone"),
        pytest.param({}, {"count": 9}, 4, 4, id="no more than there are"),
        pytest.param(TOOL, {"count": 9, "node": "pool-0001"}, 1, 3, id="those on one node"),
        pytest.param(TOOL, {"count": 9, "node": "pool-0099"}, 0, 4, id="a node that is not there"),
    ],
)
def test_pods_are_deleted_by_an_event_with_their_grace_period(
    settings: dict[str, Any], event: dict[str, Any], hit: int, left: int
) -> None:
    events = [{"type": "deletePods", "at": "5m", "workload": "web", **event}]
    plan = a_plan(workloads=[a_workload("web", 4, **settings)], events=events)
    sim = run_of(plan)
    pods = sim.cluster.pods
    deleted = pods.end_reason[: pods.count] == EndReason.DELETED
    assert int(deleted.sum()) == hit and int(sim.cluster.workloads.ready[0]) == left
    assert set(pods.ended_us[: pods.count][deleted].tolist()) <= {305 * US_PER_S}


def test_settings_of_the_kind_are_checked() -> None:
    plan = a_plan(
        workloads=[a_workload("web", 1, customController="Workflow"), a_workload("tool", 1, **TOOL)],
        events=[{"type": "setReplicas", "at": "1m", "workload": "tool", "replicas": 2}],
    )
    assert [problem.where for problem in check_plan(plan)] == [
        "workloads[0].customController",
        "events[0].workload",
    ]


def test_no_pod_waits_for_a_node_that_left_with_a_bare_pod() -> None:
    plan = a_plan(
        workloads=[a_workload("tool", 4, **TOOL)],
        events=[{"type": "nodeLoss", "at": "2m", "nodeGroup": "pool", "nodes": ["pool-0001"]}],
    )
    sim = run_of(plan)
    pods = sim.cluster.pods
    assert pods.count == 4 and not (pods.node[list(sim.cluster.workload_pods[0])] == NONE).any()
