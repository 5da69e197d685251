"""The pure rules behind the loop."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.autoscaler.estimator.bin_packing import Estimate, PodBatch, estimate_nodes
from planner.autoscaler.estimator.fast_path import order_for_fast_path
from planner.autoscaler.groups.health import GroupReadiness, is_group_healthy
from planner.autoscaler.loop.timing import LoopTimes, NextLoop, next_fixed_loop, next_frequent_loop
from planner.autoscaler.scaledown.taints import soft_taint_changes
from planner.autoscaler.scaleup.equivalence import NO_CONTROLLER, equivalence_groups
from planner.autoscaler.scaleup.quota import node_limit
from planner.autoscaler.snapshot.round_robin import SearchCursor, fill_rounds, visiting_order
from planner.state.resources import Amounts

S = 1_000_000


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        pytest.param(LoopTimes(10 * S, None, None, None), NextLoop(11 * S, 21 * S), id="idle waits for the interval"),
        pytest.param(LoopTimes(10 * S, None, 10 * S, None), NextLoop(11 * S, 11 * S), id="scale-up: at once"),
        pytest.param(LoopTimes(11 * S, 10 * S, 10 * S, None), NextLoop(12 * S, 12 * S), id="second one at once"),
        pytest.param(LoopTimes(12 * S, 11 * S, 10 * S, None), NextLoop(13 * S, 23 * S), id="then the interval again"),
        pytest.param(LoopTimes(12 * S, 11 * S, None, 11 * S), NextLoop(13 * S, 13 * S), id="deletions count too"),
    ],
)
def test_productive_loops_are_followed_by_two_immediate_ones(times: LoopTimes, expected: NextLoop) -> None:
    assert next_frequent_loop(times, 10 * S, S) == expected


def test_fixed_loops_keep_their_rhythm() -> None:
    assert next_fixed_loop(10 * S, 10 * S) == NextLoop(20 * S, 20 * S)


@given(st.lists(st.integers(0, 4), min_size=1, max_size=8), st.integers(0, 7), st.integers(0, 40))
def test_filling_in_rounds_equals_one_search_per_pod(room: list[int], start: int, count: int) -> None:
    start %= len(room)
    left, cursor, visited = list(room), start, []
    for _ in range(count):
        found = next((at % len(room) for at in range(cursor, cursor + len(room)) if left[at % len(room)]), None)
        if found is None:
            break
        left[found] -= 1
        visited.append(found)
        cursor = found + 1
    placed = fill_rounds(np.array(room), start, count)
    assert placed.tolist() == [before - after for before, after in zip(room, left, strict=True)]
    assert visiting_order(placed, start).tolist() == visited


def amounts(cpu: int, memory: int = 1, pods: int = 1) -> Amounts:
    """CPU, memory, ephemeral storage, pods."""
    return np.array([cpu, memory, 0, pods], dtype=np.int64)


NODE = amounts(4000, 16_000, 110)


@pytest.mark.parametrize(
    ("batches", "limit", "expected"),
    [
        pytest.param([(1000, 8)], None, Estimate(2, (8,)), id="equal pods fill node after node"),
        pytest.param([(1000, 9)], 2, Estimate(2, (8,)), id="the limit leaves pods behind"),
        pytest.param([(5000, 3)], None, Estimate(0, (0,)), id="pods larger than a node get none"),
        pytest.param([(1000, 4), (3000, 2)], None, Estimate(3, (4, 2)), id="large first, small ones fill up"),
        pytest.param([(3000, 2), (500, 1)], 0, Estimate(0, (0, 0)), id="no room, no node"),
        pytest.param([(5000, 1), (1000, 1)], 1, Estimate(1, (0, 1)), id="an empty node is used by the next batch"),
        pytest.param([(5000, 1), (1000, 5)], 1, Estimate(1, (0, 4)), id="but counts against the limit"),
    ],
)
def test_bin_packing(batches: list[tuple[int, int]], limit: int | None, expected: Estimate) -> None:
    given_batches = [PodBatch(amounts(cpu), count) for cpu, count in batches]
    assert estimate_nodes(given_batches, NODE, NODE, limit, SearchCursor()) == expected


@given(st.integers(1, 4000), st.integers(1, 200), st.one_of(st.none(), st.integers(0, 30)))
def test_the_fast_path_agrees_for_equal_pods(cpu: int, count: int, limit: int | None) -> None:
    batch = [PodBatch(amounts(cpu), count, container_cpu_milli=cpu, container_memory_bytes=1)]
    slow = estimate_nodes(batch, NODE, NODE, limit, SearchCursor())
    assert estimate_nodes(batch, NODE, NODE, limit, SearchCursor(), fast_path=True) == slow


@pytest.mark.parametrize(("cpu", "last"), [(3000, 1), (4000, 0)])
def test_the_fast_path_leaves_for_the_end_what_saves_most_by_the_capacity_of_a_node(cpu: int, last: int) -> None:
    """Savings of 2 and 2, where the later one is taken, and of 2 and 0."""
    large = PodBatch(amounts(1500), 3, container_cpu_milli=1500)
    small = PodBatch(amounts(1000), 4, container_cpu_milli=1000)
    assert order_for_fast_path([0, 1], [large, small], amounts(cpu)) == ([1 - last, last], last)


@pytest.mark.parametrize(("count", "saved_more"), [(3, True), (2, False)])
def test_the_fast_path_divides_in_floating_point(count: int, saved_more: bool) -> None:
    """3 times 0.1 cores over 0.3 cores are a little more than 1, and take 2 nodes."""
    tenths = PodBatch(amounts(100), count, container_cpu_milli=100)
    none = PodBatch(amounts(100), 1, container_cpu_milli=100)
    assert (order_for_fast_path([0, 1], [tenths, none], amounts(300))[1] == 0) is saved_more


@pytest.mark.parametrize(
    ("per_scaleup", "room", "total", "current", "limit"),
    [
        pytest.param(1000, 5, 0, 3, 5, id="room of the group"),
        pytest.param(2, 5, 0, 3, 2, id="nodes per scale-up"),
        pytest.param(0, 5, 6, 3, 3, id="room of the cluster"),
        pytest.param(1000, 0, 0, 3, 0, id="no room in the group"),
        pytest.param(1000, 5, 3, 3, 0, id="no room in the cluster"),
    ],
)
def test_node_limit(per_scaleup: int, room: int, total: int, current: int, limit: int) -> None:
    assert node_limit(per_scaleup, room, total, current) == limit


def test_equivalence_groups_are_limited_per_controller() -> None:
    shapes = np.array([*range(12), 0, 11])
    groups = equivalence_groups(np.arange(14), shapes, np.full(14, 7))
    assert [group.pods for group in groups][0] == (0, 12)
    assert len(groups) == 13, "shapes beyond the tenth are groups of one"


def test_pods_without_controller_are_groups_of_one_in_the_order_of_their_appearance() -> None:
    pods, shapes = np.array([40, 41, 42, 43, 44]), np.array([5, 6, 5, 5, 6])
    groups = equivalence_groups(pods, shapes, np.array([NO_CONTROLLER, 1, NO_CONTROLLER, 2, 1]))
    assert [(group.shape, group.pods) for group in groups] == [(5, (40,)), (6, (41, 44)), (5, (42,)), (5, (43,))]


@pytest.mark.parametrize(
    ("target", "ready", "requested", "healthy"),
    [
        pytest.param(10, 7, 0, True, id="three missing are allowed"),
        pytest.param(10, 5, 0, False, id="five of five are too many"),
        pytest.param(10, 5, 5, True, id="nodes on their way are not missing"),
        pytest.param(20, 14, 0, True, id="six of fourteen are a small share"),
        pytest.param(1, 0, 0, False, id="no node though one is wanted"),
        pytest.param(3, 0, 3, True, id="no node, all are on their way"),
        pytest.param(2, 0, 3, False, id="no node, and fewer wanted than are on their way"),
    ],
)
def test_group_health(target: int, ready: int, requested: int, healthy: bool) -> None:
    """Source: Cluster Autoscaler 1.36.1, clusterstate/clusterstate.go: IsNodeGroupHealthy."""
    group = GroupReadiness(target, ready, ready, (), 0, ())
    assert is_group_healthy(group, requested, 3, 45.0) is healthy


def test_nodes_needed_again_lose_the_soft_taint_first() -> None:
    assert soft_taint_changes([1, 2, 3], [3, 4, 5], budget=3) == ([4, 5], [1])
