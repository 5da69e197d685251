"""Worked examples of the Cluster Autoscaler, as people describe them."""

import pytest

from planner.autoscaler.groups.backoff import NodeGroupBackoff
from planner.autoscaler.groups.health import is_cluster_healthy
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.record.decisions import Verdict
from planner.units import US_PER_MIN
from tests.planner.autoscaler_loop.world import World, deleted


def test_25_empty_nodes_go_in_tens() -> None:
    world = World()
    world.add_group("pool", nodes=25, most=30)
    world.start()
    counts = [len(deleted(world.loop_at(at))) for at in range(10, 661, 10)]
    assert [count for count in counts if count] == [10, 10, 5]


@pytest.mark.parametrize(
    ("nodes", "unready", "goes_on"),
    [(8, 3, True), (8, 4, False), (10, 4, True), (10, 5, False)],
)
def test_too_many_unready_nodes_stop_everything(nodes: int, unready: int, goes_on: bool) -> None:
    settings = ClusterAutoscalerSettings()
    limits = settings.ok_total_unready_count, settings.max_total_unready_percentage
    assert is_cluster_healthy(unready, nodes, *limits) is goes_on


def test_failures_back_off_for_5_10_20_30_30_minutes() -> None:
    backoff, now_us, minutes = NodeGroupBackoff.from_settings(ClusterAutoscalerSettings()), 0, []
    for _ in range(5):
        until_us = backoff.fail(0, now_us)
        minutes.append((until_us - now_us) // US_PER_MIN)
        now_us = until_us + 1
    assert minutes == [5, 10, 20, 30, 30]


def test_threshold_0_removes_only_nodes_without_any_use() -> None:
    world = World()
    world.add_group("pool", nodes=3)
    world.run_pods(world.add_workload("tiny", cpu=1, memory=0), [0])
    world.start(scaleDownUtilizationThreshold=0, scaleDownUnneededTime="0s")
    assert sorted(deleted(world.loop_at(10))) == [1, 2]


def test_a_pod_of_100_cores_triggers_nothing() -> None:
    world = World()
    world.add_group("pool")
    world.leave_pending(world.add_workload("huge", cpu=100_000), 1)
    assert not world.start().loop_at(10).scaled_up
    (decision,) = world.decisions(Verdict.NOT_TRIGGERED)
    assert decision.details.refused == {"Insufficient cpu": 1}


def test_room_on_x_serves_one_of_two_nodes_and_drains_follow_each_other() -> None:
    """A's and B's pods fit on X only, C's on Y only; X takes one of them."""
    world = World()
    world.add_group("abc", nodes=3)
    for name, used in (("x", 3000), ("y", 3000)):
        world.add_group(name, nodes=1, least=1)
        world.run_pods(world.add_workload(f"full-{name}", cpu=used), [3 if name == "x" else 4])
    to_x = world.add_workload("to-x", cpu=1000, node_selector={"pool": "x"})
    to_y = world.add_workload("to-y", cpu=1000, node_selector={"pool": "y"})
    world.run_pods(to_x, [0, 1])
    world.run_pods(to_y, [2])
    world.start()
    removed = []
    for at in range(10, 1301, 10):
        started = deleted(world.loop_at(at))
        removed += [(at, world.cluster.node_name(node)) for node in started]
        if started == (0,):
            world.run_pods(to_x, [3])  # its pod finds the room on X
    assert removed == [(620, "abc-0001"), (630, "abc-0003")]
    said = [d.details.reason for d in world.decisions(Verdict.UNREMOVABLE) if d.subject == "abc-0002"]
    assert said == ["NoPlaceToMovePods"]


def test_a_pod_is_kept_off_the_cloud_by_a_budget_until_it_allows_a_disruption() -> None:
    world = World()
    world.add_group("pool", nodes=2, least=1)
    web = world.add_workload("web", cpu=100)
    world.run_pods(web, [0])
    world.run_pods(world.add_workload("base", cpu=2500), [1])
    world.budgets = [(web.workload, 0)]
    world.start(scaleDownUnneededTime="0s", unremovableNodeRecheckTimeout="0s")
    assert deleted(world.loop_at(10)) == ()
    (decision,) = [d for d in world.decisions(Verdict.UNREMOVABLE) if d.subject == "pool-0001"]
    assert decision.details.pod_reason == "NotEnoughPdb"
    world.budgets = [(web.workload, 1)]
    assert deleted(world.loop_at(20)) == (0,)


@pytest.mark.parametrize(("idle", "going"), [(2, 0), (3, 3)], ids=["a part stays", "the whole group goes"])
def test_a_group_of_zero_or_max_goes_as_a_whole(idle: int, going: int) -> None:
    world = World()
    group = world.add_group("slice", nodes=3, most=3)
    world.run_pods(world.add_workload("busy", cpu=3000), list(range(idle, 3)))
    world.start(options={group: NodeGroupOptions(zero_or_max=True)}, scaleDownUnneededTime="0s")
    assert len(deleted(world.loop_at(10))) == going


@pytest.mark.parametrize("refuses", [False, True])
def test_the_empty_node_of_a_group_that_goes_as_a_whole_waits_for_the_drained_one(refuses: bool) -> None:
    world = World()
    group, other = world.add_group("a", nodes=2), world.add_group("b", nodes=1)
    world.run_pods(world.add_workload("light", cpu=500), [1])
    world.run_pods(world.add_workload("web", cpu=3000), [2])
    world.start(options={group: NodeGroupOptions(zero_or_max=True)}, scaleDownUnneededTime="0s")
    world.refuse_evictions = refuses
    assert deleted(world.loop_at(10)) == (0, 1)
    world.autoscaler.run_timers(15_000_000)
    assert world.target(group) == (2 if refuses else 0)
    world.loops(20, 140)
    assert world.target(other) == 1 and world.target(group) == (2 if refuses else 0)
    failed = {d.subject: d.details.reason for d in world.decisions(Verdict.FAILED) if d.subject.startswith("a-")}
    assert failed == ({"a-0001": "GroupStays", "a-0002": "EvictionRefused"} if refuses else {})


def test_nodes_of_a_group_that_goes_as_a_whole_do_not_use_up_the_simulations_of_a_loop() -> None:
    world = World()
    whole, single = world.add_group("a", nodes=5), world.add_group("b", nodes=5)
    world.start(options={whole: NodeGroupOptions(zero_or_max=True)}, maxScaleDownParallelism=1)
    unneeded = world.loop_at(10).scale_down
    assert unneeded is not None
    groups = [int(world.cluster.nodes.group[node]) for node in unneeded.unneeded]
    assert (groups.count(whole), groups.count(single)) == (5, 2)


def test_minimum_sizes_are_reached_only_when_they_are_enforced() -> None:
    world = World()
    group = world.add_group("pool", least=3)
    assert not world.start().loop_at(10).scaled_up
    assert world.start(enforceNodeGroupMinSize=True).loop_at(20).scaled_up
    assert world.target(group) == 3


def test_a_salvo_grows_several_groups_in_one_loop() -> None:
    world = World()
    one, other = world.add_group("one"), world.add_group("other")
    for name in ("one", "other"):
        world.leave_pending(world.add_workload(name, cpu=4000, node_selector={"pool": name}), 2)
    assert len(world.start(salvoScaleUp=True).loop_at(10).attempts) == 2
    assert (world.target(one), world.target(other)) == (2, 2)


def test_the_clusters_least_cores_keep_nodes() -> None:
    world = World()
    world.add_group("pool", nodes=3)
    world.start(coresTotalMin=8, scaleDownUnneededTime="0s")
    assert len(deleted(world.loop_at(10))) == 1


def test_nodes_on_their_way_count_for_the_clusters_least_cores() -> None:
    """core/scaledown/planner: the nodes of the snapshot count, placeholders among them."""
    world = World()
    world.add_group("pool", nodes=3)
    busy = world.add_group("busy", nodes=1)
    world.run_pods(world.add_workload("full", cpu=4000, node_selector={"pool": "busy"}), [3])
    world.leave_pending(world.add_workload("web", cpu=4000, node_selector={"pool": "busy"}), 1)
    world.start(coresTotalMin=16, scaleDownUnneededTime="10s", scaleDownDelayAfterAdd="0s").loop_at(10)
    assert world.target(busy) == 2
    assert [len(deleted(each)) for each in world.loops(20, 40)] == [0, 1, 0]
