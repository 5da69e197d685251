"""Sharing nodes among similar groups, what similar means, and back-off."""

from typing import Any

import pytest

from planner.autoscaler.groups.backoff import NodeGroupBackoff
from planner.autoscaler.groups.similarity import NodeTraits, SimilarityRules, is_similar
from planner.autoscaler.scaleup.balancing import balance_scale_up
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.units import US_PER_MIN

GIB = 1 << 30


@pytest.mark.parametrize(
    ("targets", "max_sizes", "new_nodes", "expected"),
    [
        pytest.param([1, 1, 1], [9, 9, 9], 4, [3, 2, 2], id="the chosen group comes first"),
        pytest.param([5, 1], [9, 9], 3, [5, 4], id="the smallest group catches up"),
        pytest.param([1, 1], [2, 9], 5, [2, 5], id="a full group leaves"),
        pytest.param([1, 1], [2, 2], 9, [2, 2], id="room is the limit"),
        pytest.param([3, 2], [2, 7], 5, [3, 7], id="a group above its maximum takes no part"),
        pytest.param([20, 2, 1, 5], [2, 10, 10, 1], 10, [20, 7, 6, 5], id="but it moves others as it leaves the walk"),
        pytest.param([2], [2], 1, [2], id="no room at all"),
        pytest.param([], [], 3, [], id="no group"),
    ],
)
def test_balance(targets: list[int], max_sizes: list[int], new_nodes: int, expected: list[int]) -> None:
    grown = balance_scale_up(targets, max_sizes, new_nodes)
    assert [grown.get(group, size) for group, size in enumerate(targets)] == expected


def test_groups_are_resized_from_the_smallest_up() -> None:
    assert list(balance_scale_up([5, 1, 3], [9, 9, 9], 9)) == [1, 2, 0]


def a_node(**changes: Any) -> NodeTraits:
    values: dict[str, Any] = {"capacity": amounts(), "allocatable": amounts(), "labels": {"pool": "a"}}
    return NodeTraits(**(values | changes))


def amounts(memory: float = 16, **more: int) -> dict[str, int]:
    return {"cpu": 4_000, "memory": int(memory * GIB), "pods": 110} | more


@pytest.mark.parametrize(
    ("other", "rules", "expected"),
    [
        pytest.param({}, {}, True, id="equal"),
        pytest.param({"capacity": amounts(15.9)}, {}, True, id="a little less memory"),
        pytest.param({"capacity": amounts(15)}, {}, False, id="much less memory"),
        pytest.param({"capacity": amounts(gpu=1)}, {}, False, id="another resource"),
        pytest.param({"allocatable": amounts(15)}, {"max_free_difference_ratio": 1}, False, id="less allocatable"),
        pytest.param({"requested": {"memory": GIB}}, {}, False, id="less free"),
        pytest.param({"requested": {"cpu": 100, "pods": 20}}, {}, True, id="pods of a DaemonSet"),
        pytest.param({"requested": {"ephemeral-storage": 1}}, {}, False, id="storage that is not there"),
        pytest.param(
            {"allocatable": amounts(pods=108)}, {"max_free_difference_ratio": 0.01}, False, id="fewer pods at most"
        ),
        pytest.param({"labels": {"pool": "b"}}, {}, False, id="another label"),
        pytest.param({"labels": {"pool": "b"}}, {"ignored_labels": ("pool",)}, True, id="an ignored label"),
        pytest.param({"labels": {"pool": "a", "topology.kubernetes.io/zone": "z"}}, {}, True, id="another zone"),
        pytest.param({"capacity": amounts(1)}, {"balancing_labels": ("pool",)}, True, id="only labels count"),
        pytest.param({"labels": {}}, {"balancing_labels": ("pool",)}, False, id="a missing label"),
    ],
)
def test_similarity(other: dict[str, Any], rules: dict[str, Any], expected: bool) -> None:
    assert is_similar(a_node(), a_node(**other), SimilarityRules(**rules)) is expected
    assert is_similar(a_node(**other), a_node(), SimilarityRules(**rules)) is expected


def test_backoff_doubles_only_after_its_window_and_up_to_the_maximum() -> None:
    backoff = NodeGroupBackoff(initial_us=10, max_us=30, reset_us=1_000)
    assert backoff.fail(0, 0) == 10
    assert backoff.fail(0, 10) == 20, "at the end of the window the duration stays"
    assert backoff.fail(0, 21) == 41
    assert backoff.fail(0, 42) == 72, "the maximum"
    assert backoff.until_us(1) is None


def test_backoff_includes_the_end_of_its_window() -> None:
    backoff = NodeGroupBackoff.from_settings(ClusterAutoscalerSettings())
    backoff.fail(3, 0)
    assert backoff.is_backed_off(3, 5 * US_PER_MIN)
    assert not backoff.is_backed_off(3, 5 * US_PER_MIN + 1)
    assert not backoff.is_backed_off(4, 0)


def test_backoff_is_forgotten_after_the_reset_timeout() -> None:
    backoff = NodeGroupBackoff(initial_us=10, max_us=30, reset_us=100)
    backoff.fail(0, 0)
    backoff.forget_stale(100)
    assert backoff.until_us(0) == 10
    backoff.forget_stale(101)
    assert backoff.until_us(0) is None
