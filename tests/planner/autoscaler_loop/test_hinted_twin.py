"""Pods that all go back to where they were are placed at once, just as one after the other."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.snapshot.packing import Hints, place_one, place_where_hinted
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.scheduler.feasibility.static_fit import StaticFit
from tests.planner.autoscaler_loop.world import World

CPU = (0, 700, 1500, 4000)


def a_snapshot(world: World) -> Snapshot:
    nodes = np.arange(world.cluster.nodes.count)
    return Snapshot(world.cluster, nodes, (), StaticFit(world.cluster), lambda spec, template: (True, True, True))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 3)), min_size=1, max_size=8),
    st.lists(st.booleans(), min_size=4, max_size=4),
    st.lists(st.integers(0, 3), max_size=4),
)
def test_all_hinted_pods_at_once_lie_where_one_by_one_puts_them(
    waiting: list[tuple[int, int]], open_nodes: list[bool], crowded: list[int]
) -> None:
    world = World()
    world.add_group("pool", nodes=4)
    specs = [world.add_workload(f"w{cpu}", cpu=cpu, memory=0) for cpu in CPU]
    world.run_pods(specs[3], crowded)  # some nodes are full, or asked for more than they have
    pods = [world.leave_pending(specs[shape], 1)[0] for shape, _ in waiting]
    hinted = {pod: node for pod, (_, node) in zip(pods, waiting, strict=True) if node >= 0}
    allowed, at_once, one_by_one = np.array(open_nodes), a_snapshot(world), a_snapshot(world)
    hints, twin_hints, cursor = Hints(), Hints(), SearchCursor()
    hints.set_all(hinted)
    twin_hints.set_all(hinted)

    found = place_where_hinted(pods, [specs[shape] for shape, _ in waiting], at_once, allowed, hints)
    plain = [place_one(pod, one_by_one, allowed & one_by_one.accepts_pod(pod), cursor, twin_hints) for pod in pods]

    if found is None:
        assert not at_once.placed and (at_once.free == a_snapshot(world).free).all()
        assert plain != [node for _, node in waiting]
    else:
        assert plain == [found[pod] for pod in pods] == [node for _, node in waiting]
        assert (at_once.free == one_by_one.free).all() and at_once.placed == one_by_one.placed
        assert [hints.get(pod) for pod in pods] == [twin_hints.get(pod) for pod in pods]
