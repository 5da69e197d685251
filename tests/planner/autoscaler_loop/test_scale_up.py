"""Scale-up in whole loops."""

from dataclasses import replace
from typing import Any

import pytest

from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.scaleup.result import ScaleUpResult
from planner.autoscaler.scaleup.skip_reasons import FILTERED_OUT
from planner.engine.draws import Draws
from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.model.scaling_marks import NodeGroupOptions
from planner.record.decisions import Verdict
from planner.record.details.node_groups import Expendable, RejectedGroup, ScaleUp, TieBreak
from planner.units import GIB, MIB
from tests.planner.autoscaler_loop.world import World, acted

DEDICATED = NodeTaint("dedicated", "gpu", TaintEffect.NO_SCHEDULE)


def test_pending_pods_that_fit_nowhere_make_the_group_grow() -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    web = world.add_workload("web", cpu=2000)
    world.run_pods(web, [0, 0])
    world.leave_pending(web, 3)
    outcome = world.start().loop_at(10)
    assert acted(outcome) and world.target(group) == 3
    (decision,) = world.decisions(Verdict.TRIGGERED)
    assert decision.subject == "pool"
    assert decision.details.added == 2 and decision.details.new_target == 3 and decision.details.pods == 3
    assert [one.expander for one in decision.details.figures] == ["least-waste"]


def test_pods_with_room_on_existing_nodes_need_no_node() -> None:
    world = World()
    world.add_group("pool", nodes=2)
    world.leave_pending(world.add_workload("web", cpu=2000), 4)
    outcome = world.start().loop_at(10)
    assert outcome.attempts[0].result is ScaleUpResult.NOT_NEEDED


def test_nodes_on_their_way_count_as_room_until_they_are_ready() -> None:
    world = World()
    group = world.add_group("pool", nodes=0)
    world.leave_pending(world.add_workload("web", cpu=2000), 4)
    world.start()
    assert list(map(acted, world.loops(10, 60))) == [True, False, False, False, False, False]
    world.boot_all()
    assert not acted(world.loop_at(70))
    assert world.target(group) == 2


@pytest.mark.parametrize(
    ("age_s", "result"),
    [
        pytest.param(0, ScaleUpResult.NOT_NEEDED, id="a pod of this very instant is not seen"),
        pytest.param(1.999, ScaleUpResult.IN_COOLDOWN, id="below two seconds the loop waits"),
        pytest.param(2, ScaleUpResult.SUCCESSFUL, id="at two seconds the group grows"),
    ],
)
def test_all_young_pods_are_waited_for(age_s: float, result: ScaleUpResult) -> None:
    world = World()
    world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    plan = world.start().loop_at(age_s).attempts[0]
    assert plan is not None and plan.result is result


def test_expendable_pods_neither_trigger_nor_hold_room() -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    world.run_pods(world.add_workload("spare", cpu=4000, priority=-11), [0])
    world.leave_pending(world.add_workload("cheap", priority=-11), 1)
    world.leave_pending(world.add_workload("web", cpu=3000), 1)
    world.start().loop_at(10)
    assert world.target(group) == 1


def test_an_expendable_pod_is_named_once_with_its_priority_and_the_cutoff() -> None:
    world = World()
    world.add_group("pool")
    (pod,) = world.leave_pending(world.add_workload("batch", priority=-20), 1)
    world.start().loops(10, 40)
    (decision,) = world.decisions(Verdict.NOT_TRIGGERED)
    assert (decision.subject, decision.repeats) == (world.cluster.pod_name(pod), 0)
    assert decision.details == Expendable(-20, -10)


def scale_up_of(world: World) -> ScaleUp:
    """What the first scale-up says."""
    details = world.decisions(Verdict.TRIGGERED)[0].details
    assert isinstance(details, ScaleUp)
    return details


@pytest.mark.parametrize(("lots", "tie_break"), [(True, TieBreak.DRAWN), (False, TieBreak.NAME)])
def test_a_scale_up_says_which_equal_options_there_were_and_how_one_was_taken(lots: bool, tie_break: TieBreak) -> None:
    world = World()
    for name in ("one", "two", "full"):
        world.add_group(name, most=0 if name == "full" else 10)
    pods = world.leave_pending(world.add_workload("web", cpu=4000), 2)
    world.start(draws=Draws(1) if lots else None).loop_at(10)
    said = scale_up_of(world)
    assert (said.tied, said.tie_break) == (("one", "two"), tie_break)
    assert said.triggers == tuple(world.cluster.pod_name(pod) for pod in pods)
    assert said.rejected == (RejectedGroup("full", "max node group size reached"),)


def test_options_are_ranked_by_the_expander_that_dropped_them_and_have_a_price() -> None:
    world = World()
    for name, cpu in (("small", 4000), ("large", 16000), ("middle", 8000)):
        world.add_group(name, cpu=cpu, price=cpu / 1000)
    world.leave_pending(world.add_workload("web", cpu=3000), 2)
    world.start(expander=["least-waste"]).loop_at(10)
    found = {option.group: (option.rank, option.price_per_hour) for option in scale_up_of(world).options}
    assert found == {"middle": (1, 8.0), "small": (2, 8.0), "large": (3, 16.0)}


def test_groups_that_no_expander_wants_reject_the_pods_and_are_not_skipped() -> None:
    """Source: Cluster Autoscaler 1.36.1, core/scaleup/orchestrator/orchestrator.go: markAllGroupsAsUnschedulable enters
    the groups among the scheduling errors; only groups that could not grow are skipped.
    """
    world = World()
    open_group, full = world.add_group("open"), world.add_group("full", most=0)
    pods = world.leave_pending(world.add_workload("web"), 2)
    plan = world.start(expander=["price"]).loop_at(10).attempts[0]
    assert plan is not None and plan.result is ScaleUpResult.NO_OPTIONS
    (refused,) = plan.remaining
    assert list(refused.pods) == pods
    assert refused.rejected == {open_group: (FILTERED_OUT,)}
    assert refused.skipped == {full: ("max node group size reached",)}


def add_gpu_group(world: World, name: str, kind: str, nodes: int = 0) -> int:
    """Nodes with two GPUs of a type."""
    group = world.add_group(name, price=1.0)
    spec = world.cluster.node_specs[group]
    amounts = world.axis.amounts({"cpu": 4000, "memory": 16 * GIB, "pods": 110, "nvidia.com/gpu": 2})
    labels = {**spec.labels, "example.com/gpu": kind}
    world.cluster.node_specs[group] = replace(spec, capacity=amounts, allocatable=amounts, labels=labels)
    for _ in range(nodes):
        world.cluster.register_node(world.cluster.request_node(group))
    return group


@pytest.mark.parametrize(("limit", "size"), [(4, 2), (3, 1), (1, 0)])
def test_gpus_of_a_type_are_bounded_and_those_of_another_are_not(limit: int, size: int) -> None:
    world = World("nvidia.com/gpu")
    bounded = add_gpu_group(world, "bounded", "l4")
    world.leave_pending(world.add_workload("web", cpu=4000), 5)
    world.start(gpuLabel="example.com/gpu", gpuTotal=[{"type": "l4", "max": limit}]).loop_at(10)
    assert world.target(bounded) == size
    other = World("nvidia.com/gpu")
    free = add_gpu_group(other, "free", "a100")
    other.leave_pending(other.add_workload("web", cpu=4000), 5)
    other.start(gpuLabel="example.com/gpu", gpuTotal=[{"type": "l4", "max": limit}]).loop_at(10)
    assert other.target(free) == 5


@pytest.mark.parametrize(
    ("resource", "labelled", "gpus", "is_idle"),
    [
        ("nvidia.com/gpu", True, 1, True),
        ("nvidia.com/gpu", False, 1, True),
        ("nvidia.com/gpu", False, 0, False),
        ("amd.com/gpu", False, 1, True),
        ("example.com/card", False, 1, False),
    ],
)
def test_a_node_with_gpus_is_judged_by_them_whether_the_cloud_marks_it_or_not(
    resource: str, labelled: bool, gpus: int, is_idle: bool
) -> None:
    """Cluster Autoscaler 1.36.1, utils/gpu/gpu.go, NodeHasGpu."""
    world = World(resource)
    amounts = world.axis.amounts({"cpu": 4000, "memory": 16 * GIB, "pods": 110, resource: gpus})
    group = world.add_group("pool")
    labels = {"example.com/gpu": "l4"} if labelled else {}
    spec = replace(world.cluster.node_specs[group], allocatable=amounts, capacity=amounts, labels=labels)
    world.cluster.node_specs[group] = spec
    world.cluster.register_node(world.cluster.request_node(group))
    world.run_pods(world.add_workload("busy", cpu=3000), [0])
    outcome = world.start(gpuLabel="example.com/gpu", scaleDownUnneededTime="1h").loop_at(10)
    assert outcome.scale_down is not None
    verdict = NodeVerdict(outcome.scale_down.view.verdicts[0])
    assert verdict is (NodeVerdict.NO_PLACE_TO_MOVE_PODS if is_idle else NodeVerdict.NOT_UNDERUTILIZED)


def test_the_least_gpus_of_a_type_keep_nodes() -> None:
    world = World("nvidia.com/gpu")
    add_gpu_group(world, "pool", "l4", nodes=3)
    world.start(
        gpuLabel="example.com/gpu", gpuTotal=[{"type": "l4", "min": 3, "max": 9}], scaleDownUnneededTime="0s",
        scaleDownDelayAfterAdd="0s",
    ).loops(10, 60)  # fmt: skip
    assert world.target(0) == 2


def test_a_nominated_pod_holds_its_room_and_triggers_nothing() -> None:
    world = World()
    group = world.add_group("pool", nodes=1)
    web = world.add_workload("web", cpu=4000)
    first, _ = world.leave_pending(web, 2)
    world.cluster.nominate(first, 0)
    world.start().loop_at(10)
    assert world.target(group) == 2


@pytest.mark.parametrize(
    ("settings", "most", "reason"),
    [
        pytest.param({}, 1, "max node group size reached", id="group at its maximum"),
        pytest.param({"coresTotalMax": 6}, 9, 'exceeded quota: "cluster-wide", resources: cpu', id="cores"),
        pytest.param({"maxNodesTotal": 1}, 9, "max total nodes in cluster reached", id="nodes"),
    ],
)
def test_pods_learn_why_no_group_grows(settings: dict[str, Any], most: int, reason: str) -> None:
    world = World()
    world.add_group("pool", nodes=1, most=most)
    web = world.add_workload("web", cpu=3000)
    world.run_pods(web, [0])
    world.leave_pending(web, 1)
    assert not acted(world.start(**settings).loop_at(10))
    (decision,) = world.decisions(Verdict.NOT_TRIGGERED)
    assert decision.subject == "web-0002" and decision.details.refused == {reason: 1}


def test_pods_learn_why_a_new_node_would_not_help() -> None:
    world = World()
    world.add_group("small")
    world.add_group("gpu", taints=(DEDICATED,))
    world.leave_pending(world.add_workload("web", cpu=9000), 1)
    world.start().loop_at(10)
    (decision,) = world.decisions(Verdict.NOT_TRIGGERED)
    assert decision.details.refused == {"Insufficient cpu": 1, "node(s) had untolerated taint(s)": 1}


def test_room_on_new_nodes_is_what_daemon_pods_leave() -> None:
    world = World()
    group = world.add_group("pool")
    world.add_workload("agent", cpu=1000, is_daemon=True)
    world.leave_pending(world.add_workload("web", cpu=2000), 2)
    world.start().loop_at(10)
    assert world.target(group) == 2


@pytest.mark.parametrize(("priority", "size"), [(0, 1), (-100, 2)], ids=["counts", "expendable"])
def test_expendable_daemon_pods_on_the_node_of_a_template_take_no_room(priority: int, size: int) -> None:
    """They are absent from the snapshot that the node is taken from (simulator/node_info_utils.go)."""
    world = World()
    group = world.add_group("pool", nodes=1)
    world.run_pods(world.add_workload("agent", cpu=1000, is_daemon=True, priority=priority), [0])
    web = world.add_workload("web", cpu=3500)
    world.run_pods(web, [0])
    world.leave_pending(web, 1)
    world.start().loop_at(70)
    assert world.target(group) == size


def test_similar_groups_share_the_new_nodes() -> None:
    world = World()
    one, other = world.add_group("one"), world.add_group("other")
    for spec in world.cluster.node_specs:
        assert isinstance(spec.labels, dict)
        spec.labels.clear()
    world.leave_pending(world.add_workload("web", cpu=4000), 4)
    world.start(balanceSimilarNodeGroups=True).loop_at(10)
    assert (world.target(one), world.target(other)) == (2, 2)


def test_a_similar_group_that_scales_as_a_whole_takes_its_share_when_the_plain_one_is_chosen() -> None:
    world = World()
    plain, whole = world.add_group("plain"), world.add_group("whole")
    for spec in world.cluster.node_specs:
        assert isinstance(spec.labels, dict)
        spec.labels.clear()
    world.leave_pending(world.add_workload("web", cpu=4000), 4)
    options = {whole: NodeGroupOptions(zero_or_max=True)}
    world.start(balanceSimilarNodeGroups=True, options=options).loop_at(10)
    assert (world.target(plain), world.target(whole)) == (2, 2)


def test_a_refused_request_sends_the_group_into_back_off() -> None:
    world = World()
    group = world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    world.start().refuse_resize = True
    assert not acted(world.loop_at(10))
    world.refuse_resize = False
    assert not any(map(acted, world.loops(20, 310)))
    assert acted(world.loop_at(320)) and world.target(group) == 1


def test_an_instance_that_never_registers_is_replaced() -> None:
    world = World()
    group = world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    world.start(maxNodeProvisionTime="1m")
    assert [acted(world.loop_at(at)) for at in (10, 11, 70)] == [True, False, False]
    assert acted(world.loop_at(72)), "seen unregistered at 11 s, given up after more than 60 s"
    assert world.target(group) == 1 and world.cluster.nodes.removed_us[0] == 72_000_000


def test_a_request_that_times_out_sends_the_group_into_back_off() -> None:
    world = World()
    world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    world.start(maxNodeProvisionTime="1m")
    assert list(map(acted, world.loops(10, 370))) == [True] + [False] * 36
    assert acted(world.loop_at(390))
    assert world.decisions(Verdict.FAILED)[0].details.event == "ScaleUpTimedOut"


def test_a_group_without_template_is_never_in_back_off() -> None:
    """Source: Cluster Autoscaler 1.36.1, clusterstate/clusterstate.go: NodeGroupScaleUpSafety asks for the back-off
    of a group only with its template.
    """
    world = World()
    group = world.add_group("pool")
    world.leave_pending(world.add_workload("web"), 1)
    world.cluster.node_specs.clear()
    world.start().autoscaler.group_state.note_failure(group, 0)
    plan = world.loop_at(10).attempts[0]
    assert plan is not None and plan.remaining[0].skipped == {group: ("not ready for scale-up",)}


def test_higher_priority_takes_the_free_room_first() -> None:
    world = World()
    world.add_group("pool", nodes=1)
    low = world.leave_pending(world.add_workload("low", cpu=4000), 1)
    world.leave_pending(world.add_workload("high", cpu=4000, priority=5), 1)
    plan = world.start().loop_at(10).attempts[0]
    assert plan is not None and list(plan.triggered) == low


@pytest.mark.parametrize(
    ("settings", "attempts", "targets"),
    [
        pytest.param({}, 2, (3, 2), id="each group gets what its pods need"),
        pytest.param({"maxNodesTotal": 4}, 3, (3, 1), id="nodes of the first attempt count in the total"),
        pytest.param({"coresTotalMax": 16}, 2, (3, 1), id="and in the cores of the cluster"),
        pytest.param({"coresTotalMax": 8}, 1, (2, 0), id="an attempt that was cut short ends the salvo"),
    ],
)
def test_a_salvo_knows_the_nodes_of_its_earlier_attempts(
    settings: dict[str, Any], attempts: int, targets: tuple[int, int]
) -> None:
    world = World()
    left, right = world.add_group("a"), world.add_group("b")
    world.leave_pending(world.add_workload("many", cpu=3000, node_selector={"pool": "a"}), 3)
    world.leave_pending(world.add_workload("few", cpu=2500, node_selector={"pool": "b"}), 2)
    outcome = world.start(salvoScaleUp=True, **settings).loop_at(10)
    assert len(outcome.attempts) == attempts
    assert (world.target(left), world.target(right)) == targets


def test_a_bound_on_memory_cuts_the_similar_group_whose_nodes_have_more_of_it() -> None:
    world = World()
    left, right = world.add_group("a", memory=16 * GIB), world.add_group("b", memory=16 * GIB + 100 * MIB)
    world.leave_pending(world.add_workload("web", cpu=3000), 4)
    world.start(balanceSimilarNodeGroups=True, balancingIgnoreLabels=["pool"], memoryTotalMax="64Gi").loop_at(10)
    assert (world.target(left), world.target(right)) == (2, 1)
