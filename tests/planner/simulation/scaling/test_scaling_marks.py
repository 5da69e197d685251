"""What a plan says to the Cluster Autoscaler about pods and pools takes effect in a run."""

from typing import Any

import pytest

from planner.engine.queue import EventQueue
from planner.plan.checks.validate import check_plan
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.scaling_marks import NodeGroupOptions, PodScalingMarks, SafeToEvict
from planner.plan.model.workloads import RoomFor
from planner.record.decisions import Actor, Verdict
from planner.simulation.compile.world import compile_plan
from planner.simulation.run import run_plan
from planner.state.scaling import ControllerKind, PodScaling
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload
from tests.planner.autoscaler_loop.world import World
from tests.planner.nodes import small_plan


def test_annotations_reach_the_compiled_pods() -> None:
    marks = PodScalingMarks(safe_to_evict=SafeToEvict.NO, local_volumes=("scratch",), scale_up_delay=5)
    plan = a_plan(workloads=(a_workload("web", pod=a_pod("1", "1Gi", scaling=marks)),))
    spec = compile_plan(plan, EventQueue()).pod_spec_of[0]
    assert spec.scaling.safe_to_evict is SafeToEvict.NO
    assert spec.scaling.local_volumes == ("scratch",) and spec.scaling.scale_up_delay_us == 5
    assert spec.scaling.controller is ControllerKind.REPLICA_SET


def test_a_reserve_given_as_pods_of_a_workload_is_compiled_to_pause_pods() -> None:
    room = a_reserve(replicas=0, room_for=RoomFor(workload="web", pods=3), pod=PodTemplate())
    plan = a_plan(workloads=(a_workload("web", pod=a_pod("750m", "1Gi")),), overprovisioning=(room,))
    world = compile_plan(plan, EventQueue())
    assert world.pod_spec_of[world.workload_rows["reserve"]].request[0] == 750
    result = run_plan(plan, seed=1, until_us=US_PER_MIN)
    assert sum(row["workload"] == "reserve" for row in result.pods) == 3


@pytest.mark.parametrize(
    ("marks", "options", "removed"),
    [
        pytest.param({}, {}, 2, id="two of three nodes are not needed"),
        pytest.param({"safe_to_evict": SafeToEvict.NO}, {}, 0, id="a pod keeps each node"),
        pytest.param({"local_volumes": ("data",)}, {}, 0, id="local data keeps each node"),
        pytest.param({}, {"scale_down_disabled": True}, 0, id="the pool is not shrunk"),
        pytest.param({}, {"scale_down_unneeded_time": 60 * US_PER_MIN}, 0, id="the pool waits longer"),
        pytest.param({}, {"scale_down_utilization_threshold": 0.01}, 0, id="the pool's threshold is lower"),
    ],
)
def test_marks_and_options_decide_which_nodes_go(marks: dict[str, Any], options: dict[str, Any], removed: int) -> None:
    """Three nodes with a small pod each, spread one per node."""
    pod = a_pod("200m", "256Mi", scaling=PodScalingMarks(**marks))
    plan = a_plan(
        node_groups=(a_node_group(initial_size=3, min_size=0, max_size=3, scaling=NodeGroupOptions(**options)),),
        workloads=(a_workload("web", replicas=3, pod=pod),),
        cluster_autoscaler={"scaleDownUnneededTime": "1m", "scaleDownDelayAfterAdd": "0s"},
    )
    result = run_plan(plan, seed=1, until_us=15 * US_PER_MIN)
    going = [d for d in result.decisions if d.actor is Actor.SCALE_DOWN and d.verdict is Verdict.REMOVED]
    assert len(going) == removed


def test_a_capacity_buffer_brings_a_node_and_keeps_it_without_pause_pods() -> None:
    """Two nodes of 4 cores: one is full, the other holds the buffer's room in the autoscaler's thought."""
    plan = a_plan(
        node_groups=(a_node_group(cpu=4000, reserved_cpu=0, initial_size=1, min_size=0, max_size=3),),
        workloads=(a_workload("web", replicas=1, pod=a_pod("3500m", "256Mi")),),
        overprovisioning=(a_reserve(replicas=2, capacity_buffer=True, pod=a_pod("1", "256Mi")),),
        cluster_autoscaler={"scaleDownUnneededTime": "1m", "scaleDownDelayAfterAdd": "0s"},
    )
    result = run_plan(plan, seed=1, until_us=30 * US_PER_MIN)
    assert result.series["nodes_ready_count"][-1] == 2
    assert result.series["pods_pending_count"].max() == 0
    assert all(row["node"] is None for row in result.pods if row["workload"] == "reserve")


def test_a_pod_takes_the_room_of_a_capacity_buffer_at_once_and_the_buffer_is_refilled() -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    web = world.add_workload("web", cpu=2500)
    fake = world.add_workload("buffer", cpu=1500, scaling=PodScaling(is_buffer=True))
    world.cluster.create_pods(fake.index, 1)
    world.start()
    assert not world.loop_at(10).scaled_up, "the room is there"
    world.run_pods(web, [0])
    assert not world.loop_at(20).scaled_up, "it still is"
    world.run_pods(world.add_workload("more", cpu=100), [0])
    assert world.loop_at(30).scaled_up and world.target(group) == 2


@pytest.mark.parametrize(
    ("room", "before", "after"),
    [
        pytest.param({"percentage": 25}, 2, 4, id="a share of the replicas, rounded down"),
        pytest.param({"percentage": 25, "pods": 3}, 2, 3, id="the smaller of share and number"),
        pytest.param({"percentage": 200, "pods": 3}, 3, 3, id="a number below the share"),
    ],
)
def test_a_capacity_buffer_may_follow_the_replicas_of_its_workload(
    room: dict[str, Any], before: int, after: int
) -> None:
    event = {"type": "setReplicas", "workload": "web", "replicas": 16, "at": "1m"}
    reserve = {"name": "buffer", "capacityBuffer": True, "roomFor": {"workload": "web", **room}}
    plan = small_plan.a_plan(
        workloads=[small_plan.a_workload("web", 9)],
        nodeGroups=[small_plan.a_group("pool", 10)],
        overprovisioning=[reserve],
        events=[event],
    )
    assert list(check_plan(plan)) == []
    sizes = [int(small_plan.run_of(plan, until_s).cluster.workloads.desired[1]) for until_s in (30, 90)]
    assert sizes == [before, after]


@pytest.mark.parametrize(
    ("reserve", "where"),
    [
        pytest.param({"capacityBuffer": True, "roomFor": {"workload": "web"}}, "pods", id="no size at all"),
        pytest.param({"roomFor": {"workload": "web", "percentage": 10}}, "percentage", id="pause pods with a share"),
    ],
)
def test_room_that_is_no_size_is_refused(reserve: dict[str, Any], where: str) -> None:
    plan = small_plan.a_plan(overprovisioning=[{"name": "buffer", **reserve}])
    assert [problem.where for problem in check_plan(plan)] == [f"overprovisioning[0].roomFor.{where}"]


@pytest.mark.parametrize(
    ("delay", "timeout", "held_s"),
    [
        pytest.param("0s", "2m", 0, id="no annotation"),
        pytest.param("42s", "2m", 45, id="looked at every five seconds"),
        pytest.param("10m", "2m", 120, id="not longer than the time-out"),
        pytest.param("1m", "0s", 0, id="no pod waits"),
    ],
)
def test_an_annotation_holds_the_deletion_of_a_drained_node(delay: str, timeout: str, held_s: int) -> None:
    def deleted_us(delay: str) -> int:
        plan = small_plan.a_plan(
            nodeGroups=[small_plan.a_group("pool", 2, minSize=1, scaling={"delayDeletion": delay})],
            workloads=[small_plan.a_workload("web", 1)],
            clusterAutoscaler={
                "scaleDownUnneededTime": "1m", "scaleDownDelayAfterAdd": "0s", "nodeDeletionDelayTimeout": timeout,
            },
        )  # fmt: skip
        return int(small_plan.run_of(plan, 600).cluster.nodes.delete_requested_us.max())

    assert deleted_us("0s") > 0
    assert deleted_us(delay) - deleted_us("0s") == held_s * 1_000_000
