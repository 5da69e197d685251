"""Scale-up in whole loops, where bounds, refusals, readiness and salvos meet."""

import pytest

from planner.autoscaler.scaledown.taints import TO_BE_DELETED
from planner.autoscaler.scaleup.result import ScaleUpResult
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.record.decisions import Verdict
from planner.record.details.node_groups import GroupProblem, ScaleUpEvent
from planner.units import US_PER_S
from tests.planner.autoscaler_loop.world import World


@pytest.mark.parametrize(
    ("listed", "failed_at_s", "target"),
    [
        pytest.param(1, None, 2, id="the whole request is taken back"),
        pytest.param(1, 800, 2, id="in back-off too"),
        pytest.param(3, None, 4, id="the cloud refuses below its instances"),
    ],
)
def test_a_request_that_times_out_lowers_the_target(listed: int, failed_at_s: int | None, target: int) -> None:
    """Cluster Autoscaler 1.36.1, clusterstate/clusterstate.go, updateScaleRequests."""
    world = World()
    group = world.add_group("pool", nodes=listed)
    world.start().cluster.set_target(group, 4)
    state = world.autoscaler.group_state
    state.note_scale_up(group, 2, 0)
    if failed_at_s is not None:
        state.note_failure(group, failed_at_s * US_PER_S)
    world.loop_at(910)
    assert world.target(group) == target


ATOMIC = NodeGroupOptions(zero_or_max=True)


@pytest.mark.parametrize(("cores", "target"), [(20, 2), (8, 2), (7, 1), (3, 0)])
def test_a_group_that_scales_as_a_whole_reaches_its_minimum_as_others_do(cores: int, target: int) -> None:
    """Cluster Autoscaler 1.36.1, core/scaleup/orchestrator: room for one more node is enough to begin."""
    world = World()
    group = world.add_group("pool", least=2, most=5)
    world.start(options={group: ATOMIC}, enforceNodeGroupMinSize=True, coresTotalMax=cores).loop_at(10)
    assert world.target(group) == target


@pytest.mark.parametrize(("total", "target", "is_capped"), [(0, 3, False), (5, 3, False), (3, 3, True), (2, 2, True)])
def test_the_bound_on_nodes_says_that_it_cut_a_group_that_wanted_all_its_nodes(
    total: int, target: int, is_capped: bool
) -> None:
    """Cluster Autoscaler 1.36.1, core/scaleup/orchestrator, GetCappedNewNodeCount: asked for is the whole maximum."""
    world = World()
    group = world.add_group("pool", nodes=2, most=3)
    world.run_pods(world.add_workload("old", cpu=4000), range(2))
    world.leave_pending(world.add_workload("new", cpu=1000), 1)
    world.start(options={group: ATOMIC}, maxNodesTotal=total).loop_at(10)
    assert world.target(group) == target
    events = [one.details.event for one in world.decisions(Verdict.FAILED) if isinstance(one.details, GroupProblem)]
    assert (ScaleUpEvent.MAX_NODES_TOTAL_REACHED in events) is is_capped


def test_options_that_no_expander_wants_keep_their_pods() -> None:
    world = World()
    group = world.add_group("pool")
    pods = world.leave_pending(world.add_workload("web"), 2)
    plan = world.start(expander=["price"]).loop_at(10).attempts[0]
    assert plan.choice is not None and plan.choice.chosen is None
    assert plan.pods_of == {group: tuple(pods)}


STARTING = "startup-taint.cluster-autoscaler.kubernetes.io/agent"


@pytest.mark.parametrize(("effect", "added"), [(TaintEffect.PREFER_NO_SCHEDULE, 0), (TaintEffect.NO_SCHEDULE, 1)])
def test_a_node_that_is_not_ready_refuses_pods_by_its_taints_alone(effect: TaintEffect, added: int) -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    world.cluster.set_taints(0, (NodeTaint(STARTING, "", effect),))
    world.leave_pending(world.add_workload("web"), 1)
    world.start().loop_at(3600)
    assert world.target(group) == 1 + added


@pytest.mark.parametrize(("cordoned", "is_limited"), [(False, True), (True, False)])
def test_cordoned_nodes_are_not_among_the_ready_ones_that_the_bound_on_nodes_counts_first(
    cordoned: bool, is_limited: bool
) -> None:
    world = World()
    world.add_group("pool", nodes=2)
    world.cluster.set_unschedulable(0, cordoned)
    world.leave_pending(world.add_workload("wide", cpu=5000), 1)
    plan = world.start(maxNodesTotal=2).loop_at(10).attempts[0]
    assert (plan.result is ScaleUpResult.LIMITED_BY_MAX_NODES_TOTAL) is is_limited


@pytest.mark.parametrize(("nodes", "at_s", "is_said"), [(0, 10, True), (1, 10, False), (1, 600, False), (1, 610, True)])
def test_nodes_have_ten_minutes_to_be_ready_before_a_start_from_zero_is_an_event(
    nodes: int, at_s: int, is_said: bool
) -> None:
    """Cluster Autoscaler 1.36.1, processors/actionablecluster."""
    world = World()
    world.add_group("pool", nodes=nodes)
    if nodes:
        world.cluster.set_unschedulable(0, True)
    outcome = world.start(scaleUpFromZero=False).loop_at(at_s)
    assert outcome.attempts == () and bool(world.decisions(Verdict.FAILED)) is is_said


def test_a_salvo_takes_the_nodes_of_its_first_attempt_for_nodes_on_their_way() -> None:
    world = World()
    group = world.add_group("pool")
    world.start(salvoScaleUp=True).cluster.set_target(group, 2)
    world.autoscaler.group_state.note_scale_up(group, 2, 0)
    world.leave_pending(world.add_workload("web", cpu=3000), 5)
    world.leave_pending(world.add_workload("wide", cpu=5000), 1)
    first, second = world.loop_at(10).attempts
    assert first.result is ScaleUpResult.SUCCESSFUL and world.target(group) == 5
    assert second.remaining[0].rejected == {group: ("Insufficient cpu",)}


def test_a_salvo_puts_pods_on_its_new_nodes_in_the_order_in_which_they_were_packed() -> None:
    """Small pods first would take a share of every new node, and no large one would fit any more."""
    world = World()
    group = world.add_group("pool")
    world.leave_pending(world.add_workload("small", cpu=900), 3)
    world.leave_pending(world.add_workload("large", cpu=2000), 4)
    world.leave_pending(world.add_workload("wide", cpu=5000), 1)
    first, second = world.start(salvoScaleUp=True).loop_at(10).attempts
    assert world.target(group) == 3 and len(first.triggered) == 7
    assert second.result is ScaleUpResult.NO_OPTIONS


@pytest.mark.parametrize(("cordoned", "wait_s"), [(False, 1200), (True, 600)])
def test_a_cordoned_node_counts_as_ready_though_it_has_a_startup_taint(cordoned: bool, wait_s: int) -> None:
    """Cluster Autoscaler 1.36.1, utils/taints/taints.go: only nodes that are listed as ready are looked at."""
    world = World()
    world.add_group("pool", nodes=1)
    world.cluster.set_taints(0, (NodeTaint(STARTING, "", TaintEffect.NO_SCHEDULE),))
    world.cluster.set_unschedulable(0, cordoned)
    outcome = world.start().loop_at(3600)
    assert outcome.scale_down is not None
    assert outcome.scale_down.view.wait_us == {0: wait_s * US_PER_S}


@pytest.mark.parametrize("foreign", [False, True])
def test_a_new_process_frees_its_own_nodes_that_an_earlier_one_marked(foreign: bool) -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    world.cluster.groups.w.foreign[group] = foreign
    world.cluster.set_taints(0, (TO_BE_DELETED,))
    world.start().loop_at(10)
    assert (TO_BE_DELETED in world.cluster.node_taints(0)) is foreign
