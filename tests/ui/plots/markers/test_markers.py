"""Marks over time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.record.decisions import Actor, Decision, Verdict
from tests.ui.plots.made_runs import bound, grown, rescaled
from ui.plots.markers.markers import CELL_PIXELS, Kind, MarkLog, cells, direction_of, kind_of, merged


def decided(actor, verdict, **more):
    return Decision(0, actor, verdict, "x", **more)


@pytest.mark.parametrize(
    ("actor", "verdict", "expected"),
    [
        (Actor.HPA, Verdict.SCALED, Kind.RESCALE),
        (Actor.HPA, Verdict.KEPT, None),
        (Actor.SCHEDULER, Verdict.BOUND, None),
        (Actor.SCHEDULER, Verdict.UNSCHEDULABLE, None),
        (Actor.SCHEDULER, Verdict.PREEMPTED, Kind.PREEMPTION),
        (Actor.SCALE_UP, Verdict.TRIGGERED, Kind.SCALE_UP),
        (Actor.SCALE_UP, Verdict.FAILED, Kind.FAULT),
        (Actor.SCALE_DOWN, Verdict.REMOVING, Kind.SCALE_DOWN),
        (Actor.SCALE_DOWN, Verdict.EVICTED, Kind.EVICTION),
        (Actor.CONTROLLER, Verdict.EVICTED, Kind.EVICTION),
        (Actor.KUBELET, Verdict.EVICTED, Kind.EVICTION),
        (Actor.TAINT_EVICTION, Verdict.EVICTED, Kind.EVICTION),
        (Actor.EVICTION, Verdict.REFUSED, None),
        (Actor.KUBELET, Verdict.OOM_KILLED, Kind.KILL),
        (Actor.KUBELET, Verdict.RESIZED, Kind.RESIZE),
        (Actor.KUBELET, Verdict.PRESSURE, Kind.NODE),
        (Actor.KUBELET, Verdict.REFUSED, Kind.FAULT),
        (Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE, Kind.NODE),
        (Actor.NODE_LIFECYCLE, Verdict.ZONE_STATE, Kind.NODE),
        (Actor.DRAIN, Verdict.DRAINING, Kind.NODE),
        (Actor.DRAIN, Verdict.FAILED, Kind.FAULT),
        (Actor.CONTROLLER, Verdict.ENDED, Kind.EVENT),
        (Actor.PLAN_EVENT, Verdict.HAPPENED, Kind.EVENT),
        (Actor.PROPORTIONAL, Verdict.SCALED, Kind.RESCALE),
    ],
)
def test_only_notable_decisions_get_a_mark(actor, verdict, expected):
    assert kind_of(decided(actor, verdict)) is expected


@pytest.mark.parametrize(
    ("decision", "expected"),
    [
        pytest.param(rescaled(0, 2, 4), 1, id="more replicas"),
        pytest.param(rescaled(0, 4, 2), -1, id="fewer replicas"),
        pytest.param(grown(0), 1, id="more nodes"),
        pytest.param(decided(Actor.SCALE_DOWN, Verdict.REMOVING), -1, id="fewer nodes"),
        pytest.param(decided(Actor.SCALE_UP, Verdict.FAILED), 0, id="a failure"),
        pytest.param(decided(Actor.NODE_LIFECYCLE, Verdict.NODE_READY), 1, id="a node is back"),
        pytest.param(decided(Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE), -1, id="a node is gone"),
        pytest.param(decided(Actor.NODE_LIFECYCLE, Verdict.ZONE_STATE), 0, id="a zone"),
        pytest.param(decided(Actor.PLAN_EVENT, Verdict.HAPPENED), 0, id="an event"),
    ],
)
def test_marks_point_in_the_direction_of_change(decision, expected):
    assert direction_of(decision) == expected


def test_marks_that_would_touch_are_merged():
    assert merged(np.array([0.0, 5.0, 9.0, 40.0, 41.0, 90.0]), 10.0) == [(0, 3), (3, 5), (5, 6)]
    assert merged(np.array([])) == []


def test_zooming_in_takes_merged_marks_apart():
    log = MarkLog([rescaled(100), rescaled(110), rescaled(2000)])
    log.catch_up()
    assert [len(mark.decisions) for mark in log.marks(Kind.RESCALE, 0, 3600, 360)] == [2, 1]
    assert [len(mark.decisions) for mark in log.marks(Kind.RESCALE, 90, 120, 360)] == [1, 1]


def test_later_decisions_are_added_but_routine_ones_are_not():
    decisions = [rescaled(10), bound(11)]
    log = MarkLog(decisions)
    assert log.catch_up()
    decisions += [bound(12), bound(13)]
    assert not log.catch_up()
    decisions.append(grown(14))
    assert log.catch_up()
    assert log.kinds == (Kind.RESCALE, Kind.SCALE_UP)
    assert log.marks(Kind.SCALE_UP, 0, 20, 100)[0].first is decisions[-1]


def test_every_kind_has_a_name():
    assert all(kind.title for kind in Kind)


@given(st.lists(st.floats(0, 15), min_size=1, max_size=200), st.floats(0, 500))
def test_a_dense_row_is_cut_into_pieces_that_cover_everything_once(steps, start):
    x = start + np.cumsum(steps)
    pieces = cells(x, 0, len(x))
    assert [begin for begin, *_ in pieces] == [0, *(end for _, end, *_ in pieces[:-1])]
    assert pieces[-1][1] == len(x)
    lefts, rights = [left for *_, left, _ in pieces], [right for *_, right in pieces]
    assert all(left <= right <= left + 2.5 * CELL_PIXELS for left, right in zip(lefts, rights, strict=True))
    assert all(right < left for right, left in zip(rights[:-1], lefts[1:], strict=True))
