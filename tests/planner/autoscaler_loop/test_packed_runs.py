"""Pods of one template that are put on trial together are where they would be one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.packing import pack_pending, place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.kernels import switch
from tests.planner.autoscaler_loop.test_search_order import a_snapshot
from tests.planner.autoscaler_loop.world import World


def one_by_one(pods: list[int], snapshot: Snapshot, cursor: SearchCursor, hints: Hints) -> list[int]:
    """A template of which one pod found no place is not tried any more."""
    left: list[int] = []
    failed: set[int] = set()
    for pod in pods:
        spec = snapshot.spec_of(pod)
        if spec.index in failed or place_one(pod, snapshot, snapshot.accepts_pod(pod), cursor, hints) is None:
            failed.add(spec.index)
            left.append(pod)
    return left


@given(st.lists(st.integers(0, 2), max_size=40), st.integers(1, 5), st.integers(0, 9), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_runs_of_a_template_are_packed_as_one_by_one(templates: list[int], nodes: int, start: int, hinted: int) -> None:
    world = World()
    world.add_group("pool", nodes=nodes)
    specs = [world.add_workload(f"web-{at}", cpu=300 + 400 * at) for at in range(3)]
    pods = [pod for at in templates for pod in world.leave_pending(specs[at], 1)]
    found = []
    for pack, compiled in ((pack_pending, "on"), (pack_pending, switch.OFF), (one_by_one, switch.OFF)):
        snapshot, cursor, hints = a_snapshot(world, nodes), SearchCursor(start), Hints()
        hints.set_all(dict.fromkeys(pods[:hinted], 0))
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(switch.VARIABLE, compiled)
            left = pack(pods, snapshot, cursor, hints)
        found.append((left, snapshot.placed, snapshot.free.tolist(), cursor.position, hints.get_all(pods)))
    assert found[0] == found[1] == found[2]
