"""Scale-down: utilization, verdicts, drain rules, unneeded times, removal budget."""

from typing import Any

import numpy as np
import pytest

from planner.autoscaler.scaledown.drain.rules.pod import DrainContext, DrainPod, PodDrain
from planner.autoscaler.scaledown.drain.rules.registry import NodeDrain, drain_of_outcomes, drain_outcome
from planner.autoscaler.scaledown.eligibility import (
    CandidateFacts,
    Emptiness,
    UnremovableNodes,
    candidate_order,
    candidate_verdicts,
    simulation_limit,
)
from planner.autoscaler.scaledown.reasons import BlockingReason, NodeVerdict
from planner.autoscaler.scaledown.removal_budget import Going, within_removal_budget
from planner.autoscaler.scaledown.unneeded import (
    RemovalRoom,
    UnneededNode,
    UnneededNodes,
    cooldown_until_us,
    removable_nodes,
)
from planner.autoscaler.scaledown.utilization import node_utilization, requested_share
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.scaling_marks import SafeToEvict
from planner.state.scaling import ControllerKind
from planner.units import US_PER_H, US_PER_MIN, US_PER_S

SETTINGS = ClusterAutoscalerSettings()
FEW = ClusterAutoscalerSettings.model_validate({"maxScaleDownParallelism": 3, "maxDrainParallelism": 1})


def column(*values: int) -> Any:
    return np.array(values, dtype=np.int64)


def test_ignored_pods_leave_demand_and_supply() -> None:
    assert requested_share(column(1_000), column(4_000), column(2_000)).tolist() == [0.5]


def test_a_node_that_offers_nothing_is_not_used() -> None:
    assert requested_share(column(0, 5), column(0, 0), column(0, 0)).tolist() == [0.0, 0.0]


def test_the_larger_share_decides_and_equal_shares_count_as_memory() -> None:
    found = node_utilization((column(2, 1), column(4, 4), column(0, 0)), (column(1, 1), column(4, 4), column(0, 0)))
    assert found.value.tolist() == [0.5, 0.25]
    assert found.is_cpu.tolist() == [True, False]


def verdict(*, unready_enabled: bool = True, **changes: Any) -> NodeVerdict:
    values = {
        "is_candidate": True,
        "recently_unremovable": False,
        "being_deleted": False,
        "scale_down_disabled": False,
        "is_ready": True,
        "utilization": 0.5,
        "threshold": 0.5,
    } | changes
    facts = CandidateFacts(**{name: np.array([value]) for name, value in values.items()})
    return NodeVerdict(int(candidate_verdicts(facts, unready_enabled=unready_enabled)[0]))


def test_utilization_equal_to_the_threshold_is_allowed() -> None:
    assert verdict() is NodeVerdict.SIMULATE
    assert verdict(utilization=0.51) is NodeVerdict.NOT_UNDERUTILIZED


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"is_candidate": False}, "notCandidate"),
        ({"recently_unremovable": True, "being_deleted": True}, "RecentlyUnremovable"),
        ({"being_deleted": True, "scale_down_disabled": True}, "CurrentlyBeingDeleted"),
        ({"scale_down_disabled": True, "utilization": 1.0}, "ScaleDownDisabledAnnotation"),
        ({"is_ready": False, "utilization": 1.0}, "ScaleDownUnreadyDisabled"),
    ],
)
def test_the_first_check_that_hits_decides(changes: dict[str, Any], expected: str) -> None:
    assert verdict(unready_enabled=False, **changes).text == expected


def test_empty_nodes_are_simulated_first_and_of_equals_those_that_were_unneeded() -> None:
    filled = [Emptiness.FILLED, Emptiness.FILLED, Emptiness.WAITS, Emptiness.EMPTY, Emptiness.FILLED, Emptiness.EMPTY]
    was_unneeded = np.array([0, 0, 1, 0, 1, 1], bool)
    order = candidate_order(column(4, 5, 6, 7, 8, 9), column(*filled), was_unneeded)
    assert order.tolist() == [9, 7, 6, 8, 4, 5]


def test_simulation_stops_early() -> None:
    assert simulation_limit(5, 10, 10 * US_PER_MIN, 10 * US_PER_S) == 25
    assert simulation_limit(500, 1, US_PER_MIN, 10 * US_PER_S) == 7
    assert simulation_limit(0, 10, 0, 10 * US_PER_S) == 20


def test_unremovable_nodes_are_looked_at_again_after_the_timeout() -> None:
    nodes = UnremovableNodes(100)
    nodes.add(1, 0)
    assert nodes.recent_mask(column(0, 1), 99).tolist() == [False, True]
    assert nodes.recent_mask(column(0, 1), 100).tolist() == [False, False]


YOUNG = 0
NOW = US_PER_H


@pytest.mark.parametrize(
    ("pod", "context", "expected"),
    [
        pytest.param({}, {}, PodDrain.MOVE, id="an ordinary pod moves"),
        pytest.param({"is_mirror": True, "controller": ControllerKind.NONE}, {}, PodDrain.IGNORE, id="mirror"),
        pytest.param({"controller": ControllerKind.DAEMON_SET}, {}, PodDrain.IGNORE, id="DaemonSet"),
        pytest.param({"controller_exists": False}, {}, BlockingReason.CONTROLLER_NOT_FOUND, id="no owner"),
        pytest.param(
            {"controller_exists": False, "safe_to_evict": SafeToEvict.YES},
            {},
            BlockingReason.CONTROLLER_NOT_FOUND,
            id="a missing owner comes before safe-to-evict",
        ),
        pytest.param({}, {"min_replica_count": 2}, BlockingReason.MIN_REPLICAS_REACHED, id="too few replicas"),
        pytest.param({"controller": ControllerKind.NONE}, {}, BlockingReason.NOT_REPLICATED, id="bare pod"),
        pytest.param({"controller": ControllerKind.OTHER}, {}, BlockingReason.NOT_REPLICATED, id="other owner"),
        pytest.param(
            {"controller": ControllerKind.OTHER},
            {"skip_custom_controller_pods": False},
            PodDrain.MOVE,
            id="other owner allowed by flag",
        ),
        pytest.param(
            {"controller": ControllerKind.NONE, "safe_to_evict": SafeToEvict.YES},
            {},
            PodDrain.MOVE,
            id="safe to evict",
        ),
        pytest.param(
            {"safe_to_evict": SafeToEvict.YES, "budgets": (0,)}, {}, PodDrain.MOVE, id="safe hides a spent budget"
        ),
        pytest.param({"is_terminal": True, "budgets": (0,)}, {}, PodDrain.MOVE, id="finished"),
        pytest.param(
            {"safe_to_evict": SafeToEvict.ON_COMPLETION}, {}, PodDrain.WAIT, id="on completion"
        ),
        pytest.param(
            {"is_kube_system": True}, {}, BlockingReason.UNMOVABLE_KUBE_SYSTEM_POD, id="system pod of exactly an hour"
        ),
        pytest.param(
            {"is_kube_system": True, "created_us": -1, "local_volumes": ("v",)}, {}, PodDrain.MOVE, id="old system pod"
        ),
        pytest.param({"is_kube_system": True, "budgets": (1,)}, {}, PodDrain.MOVE, id="system pod with budget"),
        pytest.param(
            {"safe_to_evict": SafeToEvict.NO}, {}, BlockingReason.NOT_SAFE_TO_EVICT_ANNOTATION, id="not safe to evict"
        ),
        pytest.param({"local_volumes": ("a", "b"), "safe_local_volumes": ("a",)}, {},
                     BlockingReason.LOCAL_STORAGE_REQUESTED, id="local data"),
        pytest.param({"local_volumes": ("a",), "safe_local_volumes": ("a",)}, {}, PodDrain.MOVE, id="safe local data"),
        pytest.param({"budgets": (1, 0)}, {}, BlockingReason.NOT_ENOUGH_PDB, id="one budget of two is spent"),
        pytest.param({"deletion_stamp_us": NOW - 61 * US_PER_S, "controller": ControllerKind.NONE}, {},
                     PodDrain.IGNORE, id="long terminating"),
        pytest.param({"deletion_stamp_us": NOW - 60 * US_PER_S, "controller": ControllerKind.NONE}, {},
                     BlockingReason.NOT_REPLICATED, id="still terminating"),
    ],
)  # fmt: skip
def test_drain_rules(pod: dict[str, Any], context: dict[str, Any], expected: PodDrain | BlockingReason) -> None:
    outcome = drain_outcome(DrainPod(**pod), DrainContext(NOW, disruptions_allowed=[0, 1], **context))
    assert (outcome.reason if outcome.drain is PodDrain.BLOCK else outcome.drain) is expected


def drain_of(pods: list[DrainPod], context: DrainContext) -> NodeDrain:
    outcomes = [drain_outcome(pod, context) for pod in pods]
    return drain_of_outcomes(outcomes, [pod.budgets for pod in pods], context.disruptions_allowed)


def test_the_first_blocking_pod_of_a_node_is_named() -> None:
    found = drain_of([DrainPod(), DrainPod(controller=ControllerKind.NONE)], DrainContext(NOW))
    assert (found.moving, found.blocking, found.reason) == ((), 1, BlockingReason.NOT_REPLICATED)


def test_pods_that_together_exceed_a_budget_make_the_node_risky() -> None:
    pods = [DrainPod(budgets=(0,)), DrainPod(controller=ControllerKind.DAEMON_SET), DrainPod(budgets=(0,))]
    found = drain_of(pods, DrainContext(NOW, disruptions_allowed=[1]))
    assert found.moving == (0, 2) and found.is_risky


def test_pods_that_stay_until_they_are_done_need_no_room_elsewhere() -> None:
    pods = [DrainPod(safe_to_evict=SafeToEvict.ON_COMPLETION), DrainPod()]
    found = drain_of(pods, DrainContext(NOW))
    assert (found.moving, found.waits_for_completion) == ((1,), True)


def test_a_break_starts_a_new_unneeded_period() -> None:
    nodes = UnneededNodes()
    nodes.update([1, 2], 0)
    nodes.update([2], 10)
    nodes.update([1, 2], 20)
    assert (nodes.since_us(1), nodes.since_us(2), nodes.nodes()) == (20, 0, [1, 2])
    nodes.forget_all()
    assert len(nodes) == 0


def unneeded(node: int, **changes: Any) -> UnneededNode:
    values = {
        "group": 0,
        "since_us": 0,
        "is_ready": True,
        "is_empty": True,
        "is_risky": False,
        "waits_for_completion": False,
        "required_us": 600,
    }
    return UnneededNode(node, **(values | changes))


@pytest.mark.parametrize(
    ("changes", "now_us", "expected"),
    [
        pytest.param({}, 600, "NotUnneededLongEnough", id="exactly the time is not enough"),
        pytest.param({}, 601, "removable", id="longer than the time"),
        pytest.param({"is_ready": False}, 600, "NotUnreadyLongEnough", id="unready"),
        pytest.param({"required_us": 0}, 0, "removable", id="no time required"),
        pytest.param({"waits_for_completion": True}, 601, "BlockedByOnCompletionPod", id="waits for a pod"),
        pytest.param({"group": 1}, 601, "NodeGroupMinSizeReached", id="group at its minimum"),
        pytest.param({"size": {"cpu": 9}}, 601, "MinimalResourceLimitExceeded", id="cluster at its minimum"),
    ],
)
def test_when_an_unneeded_node_may_go(changes: dict[str, Any], now_us: int, expected: str) -> None:
    found = removable_nodes([unneeded(7, **changes)], RemovalRoom({0: 1, 1: 0}, {"cpu": 8, "l4": -1}), now_us)
    assert found.verdicts[7].text == expected


def test_empty_nodes_use_the_room_first_and_risky_ones_go_last() -> None:
    nodes = [unneeded(1, is_empty=False, is_risky=True), unneeded(2, is_empty=False), unneeded(3)]
    assert removable_nodes(nodes, RemovalRoom({0: 3}), 601).drain == (2, 1)
    found = removable_nodes(nodes, RemovalRoom({0: 2}), 601)
    assert (found.empty, found.drain) == ((3,), (1,)), "a risky node takes its turn where room is short"
    assert found.verdicts[2] is NodeVerdict.NODE_GROUP_MIN_SIZE_REACHED


def test_a_node_that_waits_for_a_pod_to_complete_takes_the_room_of_others() -> None:
    nodes = [unneeded(1, is_empty=False, waits_for_completion=True), unneeded(2, is_empty=False)]
    found = removable_nodes(nodes, RemovalRoom({0: 1}), 601)
    assert found.drain == ()
    assert [found.verdicts[node].text for node in (1, 2)] == ["BlockedByOnCompletionPod", "NodeGroupMinSizeReached"]


@pytest.mark.parametrize(
    ("in_progress", "expected"),
    [
        pytest.param((0, 0), ([1, 2], [8]), id="one drain at a time"),
        pytest.param((0, 1), ([1, 2], []), id="a running drain holds the slot"),
        pytest.param((9, 0), ([1], []), id="empty nodes first"),
        pytest.param((11, 0), ([], []), id="nothing left"),
    ],
)
def test_removal_budget(in_progress: tuple[int, int], expected: tuple[list[int], list[int]]) -> None:
    busy = Going(tuple(range(100, 100 + in_progress[0])), tuple(range(200, 200 + in_progress[1])))
    found = within_removal_budget(Going((1, 2), (8, 9)), busy, SETTINGS, lambda node: 0, {})
    assert (list(found.empty), list(found.drain)) == expected


@pytest.mark.parametrize(
    ("empty", "drain", "expected"),
    [
        pytest.param((1, 2, 3), (), Going((1, 2, 3)), id="a whole group goes before others"),
        pytest.param((1, 2), (3,), Going((1, 2), (3,)), id="its drains go with it"),
        pytest.param((1,), (2, 3), Going((1,), (2, 3)), id="one group may exceed the bounds"),
    ],
)
def test_a_group_that_goes_as_a_whole_is_not_cut(
    empty: tuple[int, ...], drain: tuple[int, ...], expected: Going
) -> None:
    found = within_removal_budget(Going((9, *empty), drain), Going(), FEW, lambda node: int(node == 9), {0: (3, 5)})
    assert (found.empty[: len(empty)], found.drain) == (expected.empty, expected.drain)


@pytest.mark.parametrize(
    ("empty", "drain", "sizes", "expected"),
    [
        pytest.param((1, 2), (), (3, 2), Going((1, 2, 9)), id="all that are registered, fewer than the target"),
        pytest.param((1, 2), (), (3, 3), Going((9,)), id="a part, since another waits for a pod to complete"),
        pytest.param((1,), (2,), (3, 3), Going((9,)), id="a part with a drain"),
        pytest.param((), (1, 2), (3, 3), Going((9,)), id="a part that is all drains"),
    ],
)
def test_of_a_group_that_goes_as_a_whole_no_part_goes(
    empty: tuple[int, ...], drain: tuple[int, ...], sizes: tuple[int, int], expected: Going
) -> None:
    """Cluster Autoscaler 1.36.1, core/scaledown/budgets/budgets.go, CropNodes."""
    assert (
        within_removal_budget(Going((9, *empty), drain), Going(), FEW, lambda node: int(node == 9), {0: sizes})
        == expected
    )


def test_nodes_that_go_one_by_one_go_group_by_group() -> None:
    """Cluster Autoscaler 1.36.1, core/scaledown/budgets/budgets.go, cropIndividualNodes."""
    going, drains = Going((10, 20, 11, 21)), Going((), (10, 20, 11))
    assert within_removal_budget(going, Going(), FEW, lambda node: node // 10, {}).empty == (10, 11, 20)
    two = ClusterAutoscalerSettings.model_validate({"maxDrainParallelism": 2})
    assert within_removal_budget(drains, Going(), two, lambda node: node // 10, {}).drain == (10, 11)


@pytest.mark.parametrize(("sizes", "expected"), [((2, 1), (7,)), ((1, 5), (7,)), ((2, 2), ())])
def test_a_group_goes_as_a_whole_by_its_target_or_by_the_nodes_it_has(
    sizes: tuple[int, int], expected: tuple[int, ...]
) -> None:
    """Cluster Autoscaler 1.36.1, processors/nodes/scale_down_set_processor.go."""
    found = removable_nodes([unneeded(7)], RemovalRoom({0: 5}), 601, {0: sizes})
    assert found.empty == expected


def test_cooldown_is_the_latest_of_the_three() -> None:
    assert cooldown_until_us(None, None, None, SETTINGS) == 0
    assert cooldown_until_us(0, None, 8 * US_PER_MIN, SETTINGS) == 11 * US_PER_MIN
    assert cooldown_until_us(0, 2, None, SETTINGS) == 10 * US_PER_MIN
