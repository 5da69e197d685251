"""The status of the Cluster Autoscaler, as its config map gives it."""

from planner.plan.model.scaling_marks import SafeToEvict
from planner.record.autoscaler_status import (
    AutoscalerStatus,
    GroupStatus,
    ScaleDownCandidate,
    ScaleUpActivity,
    status_at,
)
from planner.record.details.node_groups import NodeReview
from planner.state.pods import EndReason
from planner.state.scaling import PodScaling
from planner.units import US_PER_S
from tests.planner.autoscaler_loop.world import World


def group_at(world: World, seconds: int) -> GroupStatus:
    status = status_at(world.recorder.statuses, seconds * US_PER_S)
    assert status is not None
    return status.groups[0]


def test_before_the_first_loop_there_is_no_status() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    world.start().loop_at(10)
    assert status_at(world.recorder.statuses, 9 * US_PER_S) is None
    assert group_at(world, 10).ready == 1


def test_a_group_that_grows_is_in_progress_until_its_nodes_are_ready() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    world.leave_pending(world.add_workload("web", cpu=4000), 2)
    world.start().loops(10, 20)
    growing = group_at(world, 20)
    assert (growing.scale_up, growing.target, growing.ready) == (ScaleUpActivity.IN_PROGRESS, 2, 1)
    assert (growing.unregistered, growing.long_unregistered, growing.registered) == (1, 0, 1)
    world.boot_all()
    world.loop_at(30)
    assert group_at(world, 30)[7:9] == (0, 2) and group_at(world, 30).scale_up is ScaleUpActivity.NO_ACTIVITY


def test_a_refused_request_shows_the_end_and_the_cause_of_the_back_off() -> None:
    world = World()
    world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    world.start().refuse_resize = True
    world.loop_at(10)
    during = group_at(world, 100)
    assert (during.scale_up, during.backoff_until_us) == (ScaleUpActivity.BACKOFF, 310 * US_PER_S)
    assert during.backoff_cause == "the cloud refused a request"
    assert group_at(world, 311)[11:14] == (ScaleUpActivity.NO_ACTIVITY, None, "")


def test_a_back_off_ends_when_the_failure_is_forgotten_though_nothing_else_happens() -> None:
    """utils/backoff: stale entries go at the start of a loop, also those whose window is not over."""
    world = World()
    world.add_group("pool", nodes=1, least=1)
    pods = world.leave_pending(world.add_workload("web", cpu=4000), 2)
    world.start(nodeGroupBackoffResetTimeout="100s").refuse_resize = True
    world.loop_at(10)
    for pod in pods:
        world.cluster.remove_pod(pod)
    world.loops(20, 120)
    assert [group_at(world, at).scale_up for at in (110, 120)] == [ScaleUpActivity.BACKOFF, ScaleUpActivity.NO_ACTIVITY]


def test_candidates_count_down_and_loops_that_change_nothing_leave_no_record() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    world.start().loops(10, 300)
    candidate = group_at(world, 300).candidates[0]
    assert (candidate.node, candidate.left_us(300 * US_PER_S)) == (world.cluster.node_name(0), 310 * US_PER_S)
    assert len(world.recorder.statuses) == 1


def test_a_blocked_node_keeps_its_pod_and_rule_until_it_is_looked_at_again() -> None:
    world = World()
    world.add_group("pool", nodes=3, least=1)
    kept = world.add_workload("kept", cpu=100, scaling=PodScaling(safe_to_evict=SafeToEvict.NO))
    (pod,) = world.run_pods(kept, [0])
    world.run_pods(world.add_workload("busy", cpu=3500), [1])
    world.start().loops(10, 200)
    name = world.cluster.pod_name(pod)
    (blocked,) = group_at(world, 10).blocked
    assert blocked == (world.cluster.node_name(0), name, "NotSafeToEvictAnnotation")
    assert group_at(world, 200).blocked == (blocked,)
    world.cluster.remove_pod(pod, EndReason.SCALE_DOWN)
    world.loops(210, 700)
    assert group_at(world, 700).blocked == ()


def test_the_cluster_grows_while_a_group_does() -> None:
    idle = GroupStatus("a", True, 1, 0, 0, 1, 0, 0, 1, 0, 3, ScaleUpActivity.BACKOFF, 9)
    assert AutoscalerStatus(0, True, (idle,)).scale_up is ScaleUpActivity.NO_ACTIVITY
    growing = idle._replace(scale_up=ScaleUpActivity.IN_PROGRESS)
    assert AutoscalerStatus(0, True, (idle, growing)).scale_up is ScaleUpActivity.IN_PROGRESS


def test_a_wait_that_is_over_has_nothing_left() -> None:
    assert ScaleDownCandidate("n", 0, 600).left_us(700) == 0


def test_another_pod_that_keeps_the_same_node_is_a_decision_of_its_own() -> None:
    world = World()
    world.add_group("pool", nodes=3, least=1)
    kept = world.add_workload("kept", cpu=100, scaling=PodScaling(safe_to_evict=SafeToEvict.NO))
    first, second = world.run_pods(kept, [0, 0])
    world.run_pods(world.add_workload("busy", cpu=3500), [1])
    world.start().loops(10, 400)
    world.cluster.remove_pod(first, EndReason.SCALE_DOWN)
    world.loops(410, 1200)
    node = world.cluster.node_name(0)
    reviews = [one.details for one in world.recorder.decisions if one.subject == node]
    keepers = [review.pod for review in reviews if isinstance(review, NodeReview) and review.pod]
    assert keepers == [world.cluster.pod_name(first), world.cluster.pod_name(second)]
