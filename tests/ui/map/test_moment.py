"""The cluster at a moment, where its nodes are drawn, and how."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.record.history import NodeMark
from planner.record.kubectl_words import age_text
from planner.record.moment import ClusterMoment, NodeState, PodState, Timeline
from planner.units import US_PER_S
from tests.ui.map.made_history import history
from ui.map.drawing.layout import layout_of
from ui.map.drawing.stacks import stacks_of
from ui.map.drawing.words import node_status
from ui.map.moments.finding import found_pods
from ui.map.moments.slots import slots_of

NODES = [(0, 0, 0, 0, None), (0, 0, 0, 0, 600), (1, 1, 300, 480, None)]
PODS = [(0, 0, 0, 0, None), (1, 0, 10, 10, 400), (0, 2, 310, 500, None), (1, None, 700, None, None)]
CHANGES = [(900, 0, int(NodeMark.NOT_READY)), (960, 0, 0), (1_000, 2, int(NodeMark.CORDONED))]


def moment(second, **parts):
    parts = {"node_rows": NODES, "pod_rows": PODS, "changes": CHANGES} | parts
    return ClusterMoment(Timeline(history(**parts)), second * US_PER_S)


@pytest.mark.parametrize(("second", "states"), [
    (100, [NodeState.READY, NodeState.READY, NodeState.ABSENT]),
    (300, [NodeState.READY, NodeState.READY, NodeState.BOOTING]),
    (480, [NodeState.READY, NodeState.READY, NodeState.READY]),
    (600, [NodeState.READY, NodeState.ABSENT, NodeState.READY]),
    (930, [NodeState.TROUBLE, NodeState.ABSENT, NodeState.READY]),
    (960, [NodeState.READY, NodeState.ABSENT, NodeState.READY]),
    (1_000, [NodeState.READY, NodeState.ABSENT, NodeState.DRAINING]),
])  # fmt: skip
def test_every_node_is_in_the_state_of_the_moment(second, states):
    assert moment(second).node_state.tolist() == states


@pytest.mark.parametrize(("second", "bound", "pending"), [
    (5, [0], []), (10, [0, 1], []), (400, [0], [2]), (499, [0], [2]), (500, [0, 2], []), (700, [0, 2], [3]),
])  # fmt: skip
def test_pods_are_on_their_nodes_or_wait(second, bound, pending):
    found = moment(second)
    assert (found.bound.tolist(), found.pending.tolist()) == (bound, pending)
    assert found.pod_states(found.pending).tolist() == [PodState.PENDING] * len(pending)


@given(
    st.lists(st.tuples(st.sampled_from([0, 1, 255, 65_535, 65_536, 65_537, 131_073]), st.integers(0, 3)), max_size=40)
)
def test_placed_pods_are_in_the_order_of_their_nodes_and_there_as_they_came(places):
    found = Timeline(history([], [(0, node, 0, bound, None) for node, bound in places])).placed
    assert found.tolist() == sorted(range(len(places)), key=lambda row: (*places[row], row))


def test_status_and_age_are_those_of_kubectl():
    assert node_status(moment(300), 2) == "Booting"
    assert node_status(moment(930), 0) == "NotReady"
    assert node_status(moment(1_000), 2) == "Ready,SchedulingDisabled"
    ages = {45: "45s", 200: "3m20s", 240: "4m", 1_500: "25m", 19_800: "5h30m", 144_000: "40h", 273_600: "3d4h"}
    assert {seconds: age_text(0, seconds * US_PER_S) for seconds in ages} == ages


LIVES = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 50), st.integers(1, 30) | st.none()), max_size=30
)


@given(LIVES)
def test_no_two_nodes_share_a_place_and_later_ones_move_no_earlier_one(lives):
    rows = [
        (group, zone, begin, begin, None if lasts is None else begin + lasts) for group, zone, begin, lasts in lives
    ]
    rows.sort(key=lambda row: row[2])
    whole = history(rows, ())
    slots = slots_of(whole.nodes)
    for second in range(0, 90, 7):
        there = ClusterMoment(Timeline(whole), second * US_PER_S).nodes
        places = list(zip(slots.lane[there].tolist(), slots.number[there].tolist(), strict=True))
        assert len(set(places)) == len(places)
        assert all(number < slots.counts[lane] for lane, number in places)
    fewer = slots_of(history(rows[: len(rows) // 2], ()).nodes)
    assert fewer.number.tolist() == slots.number[: len(rows) // 2].tolist()


@given(LIVES, st.integers(60, 1_500), st.integers(60, 1_000))
def test_boxes_lie_beside_and_below_each_other_within_the_width(lives, width, height):
    rows = sorted(((group, zone, begin, begin, None) for group, zone, begin, _lasts in lives), key=lambda row: row[2])
    slots = slots_of(history(rows, ()).nodes)
    layout = layout_of(slots, np.ones(len(slots.lanes)), width, height)
    boxes = list(zip(layout.x.tolist(), layout.y.tolist(), strict=True)) if rows else []
    assert len(set(boxes)) == len(boxes)
    assert all(y + layout.box_height <= layout.total_height for _x, y in boxes)
    assert all(
        x + wide <= max(width, wide) for (x, _y), wide in zip(boxes, layout.width.tolist() if rows else (), strict=True)
    )


def test_lanes_of_few_nodes_lie_beside_each_other_so_that_their_boxes_are_large():
    rows = [(pool, zone, 0, 0, None) for pool, zone in ((0, 0), (0, 1), (1, 0)) for _node in range(3)]
    slots = slots_of(history(rows, ()).nodes)
    capacity = np.ones(len(slots.lanes))
    narrow, wide = (layout_of(slots, capacity, width, 260) for width in (600, 1_300))
    assert {lane.left for lane in narrow.lanes} == {0} and len({lane.left for lane in wide.lanes}) == 3
    assert wide.box_height > 2 * narrow.box_height and wide.total_height <= 260
    assert all(lane.room >= 400 for lane in wide.lanes)
    assert narrow.width.min() > narrow.box_height  # the lines have room that would stay empty


@pytest.mark.parametrize(
    ("lanes", "nodes", "is_readable"),
    [
        pytest.param(4, 2, True, id="many headings, which scroll anyway"),
        pytest.param(1, 5_000, False, id="many nodes: as much of them as there can be"),
    ],
)
def test_boxes_that_do_not_fit_are_small_only_where_that_shows_more(lanes, nodes, is_readable):
    rows = [(lane // 2, lane % 2, 0, 0, None) for lane in range(lanes) for _node in range(nodes)]
    slots = slots_of(history(rows, ()).nodes)
    layout = layout_of(slots, np.ones(len(slots.lanes)), 600, 100)
    assert layout.total_height > 100 and (layout.box_height >= 60) is is_readable


def test_pods_stand_on_each_other_and_fill_at_most_the_box():
    rows = [(0, 0, 0, second, None) for second in range(6)]
    found = moment(100, node_rows=[(0, 0, 0, 0, None)], pod_rows=rows, changes=())
    stacks = stacks_of(found, np.full(6, 1_000.0), np.array([4_000.0]), 80)
    assert stacks.low.tolist() == [0, 20, 40, 60, 80, 80]
    assert stacks.high.tolist() == [20, 40, 60, 80, 80, 80]
    assert (stacks.pod_at(0, 0), stacks.pod_at(0, 45), stacks.pod_at(0, 79)) == (0, 2, 3)


@pytest.mark.parametrize(("text", "found"), [
    ("web", [True, False, True]), ("web-0003", [False, False, True]), ("web-00", [True, False, True]),
    ("SHOP", [True, True, True]), ("nothing", [False, False, False]), ("", [False, False, False]),
])  # fmt: skip
def test_a_search_means_workloads_namespaces_and_beginnings_of_names(text, found):
    pods = history(NODES, PODS).pods
    assert found_pods(pods, np.array([0, 1, 2]), text).tolist() == found
