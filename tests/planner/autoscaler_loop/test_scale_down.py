"""Scale-down in whole loops."""

import pytest

from planner.autoscaler.scaledown.taints import DELETION_CANDIDATE, TO_BE_DELETED
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.model.scaling_marks import SafeToEvict
from planner.record.decisions import Verdict
from planner.record.details.node_groups import NodeRemoval, PodMove
from planner.state.invariants import broken_invariants
from planner.state.pods import EndReason
from planner.state.scaling import PodScaling
from tests.planner.autoscaler_loop.world import World, deleted


def deletions(world: World, end_s: int) -> list[tuple[int, int]]:
    """(second, number of removals started) of the loops every 10 s that start some."""
    found = []
    for at in range(10, end_s + 1, 10):
        count = len(deleted(world.loop_at(at)))
        if count:
            found.append((at, count))
    assert broken_invariants(world.cluster) == []
    return found


def test_an_empty_node_goes_after_more_than_ten_minutes() -> None:
    world = World()
    group = world.add_group("pool", nodes=2, least=1)
    world.start()
    assert deletions(world, 700) == [(620, 1)]
    assert world.target(group) == 1
    words = [(d.subject, d.verdict) for d in world.recorder.decisions if d.subject == "pool-0001"]
    assert words == [("pool-0001", verdict) for verdict in (Verdict.UNNEEDED, Verdict.REMOVING, Verdict.REMOVED)]
    (removing,) = world.decisions(Verdict.REMOVING)
    assert removing.details.unneeded_s == 610


def test_a_node_with_a_full_disk_counts_as_not_ready_and_stays_for_the_unready_time() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    world.cluster.set_taints(0, (NodeTaint("node.kubernetes.io/disk-pressure", "", TaintEffect.NO_SCHEDULE),))
    world.run_pods(world.add_workload("web", cpu=2500), [1])
    world.start()
    assert deletions(world, 1300) == [(1220, 1)]


def test_the_candidate_taint_comes_first_and_the_hard_taint_with_the_cordon_last() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    world.start().loop_at(10)
    assert world.cluster.node_taints(0) == (DELETION_CANDIDATE,)
    world.loops(20, 620)
    assert TO_BE_DELETED in world.cluster.node_taints(0) and world.cluster.nodes.unschedulable[0]
    assert world.autoscaler.next_timer_us() == 625_000_000


def test_soft_taints_change_at_most_ten_nodes_a_loop() -> None:
    world = World()
    world.add_group("pool", nodes=15, most=20)
    world.start()
    tainted = []
    for at in (10, 20):
        world.loop_at(at)
        tainted.append(sum(DELETION_CANDIDATE in world.cluster.node_taints(node) for node in range(15)))
    assert tainted == [10, 15]


def test_empty_nodes_go_ten_at_a_time_and_drained_ones_one_at_a_time() -> None:
    world = World()
    world.add_group("pool", nodes=14, most=20)
    web = world.add_workload("web", cpu=100)
    world.run_pods(web, [0, 1, 2])
    world.start(maxScaleDownParallelism=10)
    found = deletions(world, 700)
    assert found[0] == (620, 10)
    # The last empty node and one drain, then one more drain; nothing is left to take the third node's pod.
    assert found[1:] == [(630, 2), (640, 1)]


def test_a_drained_node_is_deleted_when_its_pods_are_gone() -> None:
    world = World()
    group = world.add_group("pool", nodes=2)
    web = world.add_workload("web", cpu=2500)
    light = world.add_workload("light", cpu=500)
    world.run_pods(web, [1])
    (moved,) = world.run_pods(light, [0])
    world.start()
    assert deletions(world, 620) == [(620, 1)]
    world.loop_at(630)
    assert world.target(group) == 1 and world.cluster.pods.node[moved] == -1
    (removed,) = world.decisions(Verdict.REMOVED)
    assert removed.time_us == 625_000_000 and removed.details.is_drain


def test_a_drain_waits_for_pods_that_should_have_been_gone_for_long() -> None:
    """Cluster Autoscaler 1.36.1, core/scaledown/actuation/drain.go: all pods count that do not belong to the node."""
    world = World()
    world.add_group("pool", nodes=2, least=1)
    web = world.add_workload("web")
    stuck, _ = world.run_pods(web, [0, 0])
    world.run_pods(world.add_workload("busy", cpu=2500), [1])
    world.start(scaleDownUnneededTime="10s")
    world.cluster.begin_deletion(stuck, EndReason.SCALE_DOWN)
    world.loops(100, 120)
    assert TO_BE_DELETED in world.cluster.node_taints(0)
    world.loops(130, 200)
    assert world.cluster.nodes.exists[0] and list(world.cluster.node_pods[0]) == [stuck]
    world.cluster.remove_pod(stuck, EndReason.SCALE_DOWN)
    world.loops(210, 220)
    assert not world.cluster.nodes.exists[0]


@pytest.mark.parametrize("room", [500, 3500])
def test_a_node_may_be_unneeded_though_its_last_pod_has_no_room_elsewhere_and_stays_until_that_is_done(
    room: int,
) -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    batch = world.add_workload("batch", scaling=PodScaling(safe_to_evict=SafeToEvict.ON_COMPLETION))
    (pod,) = world.run_pods(batch, [0])
    world.run_pods(world.add_workload("busy", cpu=4000 - room), [1])
    world.start(scaleDownUnneededTime="10s").loops(10, 100)
    assert [d.subject for d in world.decisions(Verdict.UNNEEDED)][0] == "pool-0001"
    assert not world.decisions(Verdict.REMOVING) and pod in world.cluster.node_pods[0]
    world.cluster.remove_pod(pod, EndReason.COMPLETED)
    world.loops(110, 130)
    assert not world.cluster.nodes.exists[0]


def test_a_drain_says_which_pods_leave_and_where_there_is_room_for_them() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    (pod,) = world.run_pods(world.add_workload("web", cpu=100), [0])
    world.run_pods(world.add_workload("big", cpu=3000), [1])
    world.start().loops(10, 620)
    (decision,) = world.decisions(Verdict.REMOVING)
    assert isinstance(decision.details, NodeRemoval)
    assert decision.details.moves == (PodMove(world.cluster.pod_name(pod), world.cluster.node_name(1)),)


def test_a_refused_eviction_ends_the_drain_and_frees_the_node() -> None:
    world = World()
    group = world.add_group("pool", nodes=2)
    world.run_pods(world.add_workload("web", cpu=2500), [1])
    world.run_pods(world.add_workload("light", cpu=500), [0])
    world.start().refuse_evictions = True
    world.loops(10, 760)
    failed, stuck = world.decisions(Verdict.FAILED)
    assert failed.subject == "pool-0001" and failed.time_us == 745_000_000, "two minutes of attempts every 10 s"
    assert stuck.subject == "light-0001" and stuck.details.reason == "EvictionRefused"
    assert world.target(group) == 2 and not world.cluster.nodes.unschedulable[0]
    assert TO_BE_DELETED not in world.cluster.node_taints(0)


@pytest.mark.parametrize(
    ("cpu", "reason"),
    [
        pytest.param(2001, "NotUnderutilized", id="above the threshold"),
        pytest.param(2000, "NoPlaceToMovePods", id="at the threshold it is simulated, but the other node is full"),
    ],
)
def test_nodes_that_stay_say_why(cpu: int, reason: str) -> None:
    world = World()
    world.add_group("pool", nodes=2)
    world.run_pods(world.add_workload("full", cpu=4000), [1])
    world.run_pods(world.add_workload("web", cpu=cpu), [0])
    world.start().loop_at(10)
    said = {d.subject: d.details.reason for d in world.decisions(Verdict.UNREMOVABLE)}
    assert said == {"pool-0001": reason, "pool-0002": "NotUnderutilized"}


def test_an_annotated_node_stays_and_goes_when_the_annotation_is_taken_off() -> None:
    world = World()
    world.add_group("pool", nodes=2)
    world.start().cluster.set_scale_down_disabled(1, True)
    assert deletions(world, 700) == [(620, 1)]
    assert world.cluster.nodes.exists[:2].tolist() == [False, True]
    world.cluster.set_scale_down_disabled(1, False)
    world.loops(710, 1330)
    assert not world.cluster.nodes.exists[1]


def test_two_half_empty_nodes_cannot_both_go() -> None:
    world = World()
    group = world.add_group("pool", nodes=2)
    world.run_pods(world.add_workload("web", cpu=2000), [0, 1])
    world.start()
    assert deletions(world, 800) == [(620, 1)]
    assert world.target(group) == 1


def test_nothing_goes_within_ten_minutes_of_a_scale_up() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    web = world.add_workload("web", cpu=4000)
    world.run_pods(web, [0])
    pods = world.leave_pending(web, 1)
    world.start(scaleDownUnneededTime="1m").loop_at(10)
    world.boot_all()
    for pod in pods:
        world.cluster.remove_pod(pod)
    found = [at for at in range(20, 700, 10) if deleted(world.loop_at(at))]
    assert found == [610]


def test_daemon_pods_do_not_keep_a_node_and_may_be_left_out_of_its_utilization() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    world.run_pods(world.add_workload("agent", cpu=3000, is_daemon=True), [0])
    assert not [at for at in range(10, 700, 10) if deleted(world.start().loop_at(10))]
    world.start(ignoreDaemonsetsUtilization=True, scaleDownUnneededTime="0s")
    assert deleted(world.loop_at(20)) == (0,)


@pytest.mark.parametrize(
    ("own", "settings", "evicted"),
    [
        pytest.param(None, {}, True, id="from occupied nodes by default"),
        pytest.param(False, {}, False, id="the pods say no"),
        pytest.param(None, {"daemonsetEvictionForOccupiedNodes": False}, False, id="the autoscaler says no"),
        pytest.param(True, {"daemonsetEvictionForOccupiedNodes": False}, True, id="the pods say yes"),
    ],
)
def test_daemon_pods_are_evicted_with_their_node(own: bool | None, settings: dict[str, bool], evicted: bool) -> None:
    world = World()
    world.add_group("pool", nodes=2)
    agent = world.add_workload("agent", cpu=100, is_daemon=True, scaling=PodScaling(enable_ds_eviction=own))
    here, _ = world.run_pods(agent, [0, 1])
    world.run_pods(world.add_workload("web", cpu=2500), [1])
    world.run_pods(world.add_workload("light", cpu=500), [0])
    world.start(scaleDownUnneededTime="0s", **settings).loop_at(10)
    world.autoscaler.run_timers(15_000_000)
    assert bool(world.cluster.pods.end_reason[here] == EndReason.EVICTED) is evicted


def test_a_pod_that_arrives_during_the_delay_saves_an_empty_node() -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    web = world.add_workload("web")
    world.start(scaleDownUnneededTime="0s").loop_at(10)
    world.run_pods(web, [0])
    world.loop_at(20)
    assert world.target(group) == 1 and world.decisions(Verdict.FAILED)[0].subject == "pool-0001"


def test_a_budget_used_up_during_the_delay_ends_the_drain_at_once_and_the_node_keeps_its_time() -> None:
    world = World()
    world.add_group("pool", nodes=2)
    world.run_pods(world.add_workload("web", cpu=2500), [1])
    light = world.add_workload("light", cpu=500)
    world.run_pods(light, [0])
    world.budgets = [(light.workload, 1)]
    world.start().loops(10, 620)
    world.budgets = [(light.workload, 0)]
    world.autoscaler.run_timers(625_000_000)
    (failed,) = world.decisions(Verdict.FAILED)
    assert (failed.subject, failed.details.reason) == ("pool-0001", "Blocked")
    assert TO_BE_DELETED not in world.cluster.node_taints(0) and not world.cluster.nodes.unschedulable[0]
    world.budgets = [(light.workload, 1)]
    assert deleted(world.loop_at(630)) == (0,), "found removable again in the next loop, it is unneeded all along"


@pytest.mark.parametrize("reuse", [True, False], ids=["with reuse", "without reuse"])
def test_reuse_of_simulations_changes_no_decision(reuse: bool) -> None:
    def run(*, reuse: bool) -> list[tuple[int, str, str]]:
        world = World()
        world.add_group("pool", nodes=12, most=20, least=2)
        web, light = world.add_workload("web", cpu=900), world.add_workload("light", cpu=300)
        pods = world.run_pods(web, [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8])
        world.run_pods(light, [1, 2, 2, 3, 5, 5, 5, 9])
        world.start(reuse=reuse, scaleDownUnneededTime="2m")
        for at in range(10, 400, 10):
            world.loop_at(at)
            if at == 60:
                world.cluster.remove_pod(pods[4])
        return [(d.time_us, d.subject, d.verdict) for d in world.recorder.decisions]

    assert run(reuse=reuse) == run(reuse=True)


def test_a_drain_that_ends_at_the_moment_of_a_loop_still_holds_its_place() -> None:
    world = World()
    world.add_group("pool", nodes=3, least=1)
    web = world.add_workload("web", cpu=100)
    world.run_pods(web, [0, 1, 2])
    world.start(nodeDeleteDelayAfterTaint="10s")
    assert deletions(world, 650) == [(620, 1), (640, 1)]


def test_a_loop_at_the_moment_of_a_deletion_still_sees_the_size_of_before() -> None:
    world = World()
    world.add_group("pool", nodes=3, least=2)
    world.run_pods(world.add_workload("web", cpu=100), [0, 1, 2])
    world.start(nodeDeleteDelayAfterTaint="10s")
    world.loops(10, 630)
    assert (world.target(0), DELETION_CANDIDATE in world.cluster.node_taints(1)) == (2, True)
    world.loop_at(640)
    assert DELETION_CANDIDATE not in world.cluster.node_taints(1)


def test_delays_of_a_new_process_count_from_an_hour_before_it_began() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    world.start(scaleDownDelayAfterAdd="80m")
    assert deletions(world, 1300) == [(1200, 1)]
