"""What a plan tells the Cluster Autoscaler of pods and pools acts in a run."""

from typing import Any

import pytest

from planner.engine.queue import EventQueue
from planner.plan.pods import PodTemplate
from planner.plan.scaling_marks import NodeGroupOptions, PodScalingMarks, SafeToEvict
from planner.plan.workloads import RoomFor
from planner.record.decisions import Actor, Verdict
from planner.simulation.compile import compile_plan
from planner.simulation.run import run_plan
from planner.state.scaling import ControllerKind
from planner.units import US_PER_MIN
from tests.builders import a_node_group, a_plan, a_pod, a_reserve, a_workload


def test_annotations_reach_the_compiled_pods() -> None:
    marks = PodScalingMarks(safe_to_evict=SafeToEvict.NO, local_volumes=("scratch",), scale_up_delay=5)
    plan = a_plan(workloads=(a_workload("web", pod=a_pod("1", "1Gi", scaling=marks)),))
    spec = compile_plan(plan, EventQueue()).pod_spec_of[0]
    assert spec.scaling.safe_to_evict is SafeToEvict.NO
    assert spec.scaling.local_volumes == ("scratch",) and spec.scaling.scale_up_delay_us == 5
    assert spec.scaling.controller is ControllerKind.REPLICA_SET


def test_a_reserve_told_as_pods_of_a_workload_is_compiled_to_pause_pods() -> None:
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
def test_marks_and_options_decide_which_nodes_go(
    marks: dict[str, Any], options: dict[str, Any], removed: int
) -> None:
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
