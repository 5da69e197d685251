"""The order in which a ReplicaSet gives up its pods."""

from dataclasses import replace
from functools import cmp_to_key

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.workloads.controllers.victim_order import (
    VictimColumns,
    VictimFacts,
    VictimPhase,
    colocation,
    order_of_columns,
    victim_order,
)

NOW_S = 1_000_000
PLAIN = VictimFacts(
    uid="m", assigned=True, phase=VictimPhase.RUNNING, ready=True, ready_since_s=NOW_S - 500, created_s=NOW_S - 600
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param({"assigned": False, "deletion_cost": 9}, {"phase": VictimPhase.PENDING}, id="without node"),
        pytest.param({"phase": VictimPhase.PENDING}, {"phase": VictimPhase.UNKNOWN, "ready": False}, id="pending"),
        pytest.param({"phase": VictimPhase.UNKNOWN}, {"ready": False}, id="unknown"),
        pytest.param({"ready": False, "deletion_cost": 100}, {"deletion_cost": -100}, id="not ready"),
        pytest.param({"deletion_cost": -1}, {"colocated": 5}, id="cheaper"),
        pytest.param({"colocated": 2, "ready_since_s": 1}, {"colocated": 1, "restarts": 7}, id="more neighbours"),
        pytest.param({"ready_since_s": NOW_S - 10}, {"restarts": 7}, id="ready for a shorter time"),
        pytest.param({"ready_since_s": None}, {"ready_since_s": NOW_S}, id="no ready time is newest"),
        pytest.param({"ready_since_s": NOW_S + 60}, {"ready_since_s": NOW_S - 1}, id="ready in the future is newer"),
        pytest.param({"restarts": 2}, {"restarts": 1, "sidecar_restarts": 9}, id="more restarts"),
        pytest.param({"sidecar_restarts": 1}, {"created_s": NOW_S}, id="more restarts of a sidecar"),
        pytest.param({"created_s": NOW_S - 60}, {"created_s": NOW_S - 180}, id="younger"),
        pytest.param({"created_s": None}, {"created_s": NOW_S}, id="no creation time is newest"),
        pytest.param(
            {"uid": "a", "ready_since_s": NOW_S - 540},
            {"uid": "b", "ready_since_s": NOW_S - 500, "restarts": 3},
            id="same power of two of the age: the smaller uid, before restarts",
        ),
        pytest.param(
            {"uid": "b", "ready_since_s": NOW_S - 68},
            {"uid": "a", "ready_since_s": NOW_S - 69},
            id="the power of two changes between 68 and 69 seconds",
        ),
    ],
)
def test_who_goes_first(first, second):
    a, b = replace(PLAIN, **first), replace(PLAIN, **second)
    assert (victim_order([a, b], NOW_S), victim_order([b, a], NOW_S)) == ([0, 1], [1, 0])


def test_ready_times_do_not_matter_between_pods_that_are_not_ready():
    a, b = replace(PLAIN, ready=False, ready_since_s=1), replace(PLAIN, ready=False, ready_since_s=NOW_S)
    assert victim_order([a, b], NOW_S) == victim_order([b, a], NOW_S) == [0, 1]


def test_pods_that_no_rule_distinguishes_keep_their_order():
    assert victim_order([replace(PLAIN, uid=uid) for uid in "cab"], NOW_S) == [0, 1, 2]


@pytest.mark.parametrize(("related", "counts"), [(["n1", "n1", "n2"], [2, 1, 0]), ([], [0, 0, 0])])
def test_neighbours_are_the_related_pods_on_the_same_node(related, counts):
    assert colocation(["n1", "n2", "n3"], related) == counts


set_times = st.sampled_from([NOW_S, NOW_S - 3, NOW_S - 4, NOW_S - 5, NOW_S - 500, NOW_S - 510])
times = st.one_of(st.none(), set_times)
some_pods = st.lists(
    st.builds(
        VictimFacts,
        uid=st.just(""),
        assigned=st.just(True),
        phase=st.just(VictimPhase.RUNNING),
        ready=st.booleans(),
        ready_since_s=times,
        created_s=times,
        colocated=st.integers(0, 1),
        restarts=st.sampled_from([0, 0, 0, 1]),
    ),
    max_size=7,
)


@given(some_pods, st.booleans())
def test_the_order_is_that_of_comparing_two_at_a_time(pods, is_by_age):
    uids = range(len(pods)) if is_by_age else reversed(range(len(pods)))
    named = [replace(pod, uid=str(uid)) for pod, uid in zip(pods, uids, strict=True)]

    def compare(a: int, b: int) -> int:
        """-1: `a` goes first; 0: either order is kept."""
        return victim_order([named[a], named[b]], NOW_S)[0] - victim_order([named[b], named[a]], NOW_S)[0]

    assert victim_order(named, NOW_S) == sorted(range(len(named)), key=cmp_to_key(compare))


plain_pods = st.lists(
    st.builds(
        VictimFacts,
        uid=st.just(""),
        assigned=st.booleans(),
        phase=st.sampled_from([VictimPhase.PENDING, VictimPhase.RUNNING]),
        ready=st.booleans(),
        ready_since_s=set_times,
        created_s=set_times,
        colocated=st.integers(0, 2),
        restarts=st.sampled_from([0, 0, 0, 1]),
    ),
    min_size=1,
    max_size=9,
)


@given(plain_pods)
def test_many_pods_are_ordered_at_once_as_one_by_one(pods):
    named = [replace(pod, uid=str(uid)) for uid, pod in enumerate(pods)]

    def column(name, kind):
        return np.array([getattr(pod, name) for pod in pods], kind)

    columns = VictimColumns(
        column("assigned", np.bool_),
        column("phase", np.int8),
        column("ready", np.bool_),
        *(column(name, np.int64) for name in VictimColumns._fields[3:]),
    )
    found = order_of_columns(columns, NOW_S)
    assert found is None or found.tolist() == victim_order(named, NOW_S)
    if len({(pod.restarts, pod.created_s) for pod in pods}) == 1:
        assert found is not None
