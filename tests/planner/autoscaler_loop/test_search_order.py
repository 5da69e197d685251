"""Where searches of the simulated scheduler begin, and how long the place of a pod is remembered."""

import numpy as np
import pytest

from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.packing import pack_pending, place_one
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.scheduler.feasibility.static_fit import StaticFit
from tests.planner.autoscaler_loop.world import World


def a_snapshot(world: World, count: int) -> Snapshot:
    return Snapshot(world.cluster, np.arange(count), (), StaticFit(world.cluster), lambda spec, template: (True,) * 3)


@pytest.mark.parametrize(
    ("before", "nodes", "dropped", "expected"),
    [
        pytest.param(None, 4, (), 1, id="the first search of all skips place 0"),
        pytest.param(3, 4, (), 3, id="it begins one behind the last match"),
        pytest.param(4, 4, (), 0, id="behind the last of the list comes the first"),
        pytest.param(4, 6, (), 4, id="in a list that has grown since it goes on behind the last match"),
        pytest.param(5, 4, (), 1, id="in a list that has shrunk the place is folded in"),
        pytest.param(1, 4, (1,), 2, id="nodes taken as gone are not listed"),
        pytest.param(5, 6, (0, 2), 3, id="and do not count in the length of the list: 5 of 4 is place 1"),
    ],
)
def test_a_search_begins(before: int | None, nodes: int, dropped: tuple[int, ...], expected: int) -> None:
    world = World()
    world.add_group("pool", nodes=nodes)
    [pod] = world.leave_pending(world.add_workload("web", cpu=500), 1)
    snapshot = a_snapshot(world, nodes)
    for position in dropped:
        snapshot.drop(position)
    allowed = np.ones(nodes, dtype=np.bool_)
    allowed[list(dropped)] = False
    cursor = SearchCursor() if before is None else SearchCursor(before)

    assert place_one(pod, snapshot, allowed, cursor, Hints()) == expected
    assert cursor.position == snapshot.dropped.place_of(expected) + 1


def test_a_pod_goes_back_to_its_node_and_leaves_the_place_of_the_next_search() -> None:
    world = World()
    world.add_group("pool", nodes=3)
    pods = world.leave_pending(world.add_workload("web", cpu=500), 2)
    cursor, hints = SearchCursor(), Hints()
    for _ in range(3):
        snapshot = a_snapshot(world, 3)
        assert pack_pending(pods, snapshot, cursor, hints) == []
        assert snapshot.placed == {1: [pods[0]], 2: [pods[1]]}
        assert cursor.position == 3


@pytest.mark.parametrize("cached", [False, True])
def test_nodes_on_their_way_have_new_names_in_each_loop_unless_their_template_is_a_cached_one(cached: bool) -> None:
    world = World()
    world.add_group("pool", nodes=1, most=4)
    templates = world.start(reuse=False).autoscaler.templates  # quiet loops are to be computed, too
    world.loop_at(100)
    world.cluster.set_unschedulable(0, cached)  # a cordoned node is no template; the last one is kept
    issued = []
    for at in (110, 120, 130):
        world.loop_at(at)
        issued.append(templates.issue(0))
    assert len(set(issued)) == (1 if cached else 3)
