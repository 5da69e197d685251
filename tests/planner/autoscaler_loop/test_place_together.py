"""Pods of a node are put on trial alike by the kernel and one by one, with hints, dropped nodes and full ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.place_together import PlaceTogether
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.kernels import switch
from tests.planner.autoscaler_loop.test_search_order import a_snapshot
from tests.planner.autoscaler_loop.world import World

pytestmark = pytest.mark.skipif(bool(switch.why_missing()), reason=f"kernels are {switch.why_missing()}")
NODES = 6
CPU = (0, 700, 1500, 4000)
pods_of_a_node = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, NODES)), max_size=7)
GONE = -7
"""The key of a placeholder that has another one by now."""


@settings(max_examples=100, deadline=None)
@given(
    st.lists(pods_of_a_node, min_size=1, max_size=4),
    st.lists(st.integers(0, NODES - 1), max_size=6),
    st.lists(st.integers(0, NODES - 1), max_size=3, unique=True),
    st.integers(0, 9),
)
def test_the_kernel_puts_pods_where_they_go_one_by_one(groups, crowded, dropped, start):
    world = World()
    world.add_group("pool", nodes=NODES)
    specs = [world.add_workload(f"w{cpu}", cpu=cpu, memory=0) for cpu in CPU]
    world.run_pods(specs[3], crowded)
    waiting = [[(world.leave_pending(specs[shape], 1)[0], hint) for shape, hint in group] for group in groups]
    found = []
    for compiled in (True, False):
        snapshot, hints, cursor = a_snapshot(world, NODES), Hints(), SearchCursor(start)
        destinations = np.ones(NODES, np.bool_)
        for position in dropped:
            snapshot.drop(position)
            destinations[position] = False
        keys = [*range(NODES), GONE]
        hints.set_all({pod: keys[hint] for group in waiting for pod, hint in group if hint >= 0})
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv(switch.VARIABLE, "on" if compiled else switch.OFF)
            place_all = PlaceTogether(snapshot, cursor, hints)
        assert (place_all._kernel is not None) == compiled
        answers = []
        for group in waiting:
            pods = [pod for pod, _ in group]
            answers.append(place_all(pods, snapshot.templates_of(pods), destinations))
        kept = [hints.get(pod) for group in waiting for pod, _ in group]
        found.append((answers, kept, snapshot.free.tolist(), snapshot.placed, cursor.position))
    assert found[0] == found[1]
