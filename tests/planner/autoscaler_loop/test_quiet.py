"""Loops that would repeat the last one are skipped, without a difference in what is decided."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.loop.static_autoscaler import StaticAutoscaler
from planner.state.pods import EndReason
from planner.state.resources import CPU
from planner.state.specs import PodSpec
from planner.units import US_PER_S
from tests.planner.autoscaler_loop.world import World

ACTIONS = (
    "wait", "wait", "wait", "pend", "end", "delete", "cordon", "fail", "recover", "boot", "limits", "lose", "budget",
    "fill", "crowd", "crowd", "thin", "refuse",
)  # fmt: skip
scripts = st.lists(
    st.tuples(st.sampled_from(ACTIONS), st.integers(0, 7), st.sampled_from([1, 3, 12])), min_size=1, max_size=12
)
FLAGS: tuple[dict[str, object], ...] = (
    {},
    {"scaleDownDelayTypeLocal": True, "scaleDownDelayAfterAdd": "70s"},
    {"scaleDownEnabled": False},
    {"enforceNodeGroupMinSize": True, "unremovableNodeRecheckTimeout": "50s"},
    {"maxScaleDownParallelism": 1, "maxBulkSoftTaintCount": 1},
)


def act(world: World, specs: list[PodSpec], action: str, pick: int) -> None:
    """One change of the cluster from outside, if it is possible now."""
    cluster, nodes = world.cluster, world.cluster.nodes
    alive = [node for node in range(nodes.count) if nodes.exists[node]]
    pods = [pod for spec in specs for pod in cluster.workload_pods[spec.workload]]
    node = alive[pick % len(alive)] if alive else None
    pod = pods[pick % len(pods)] if pods else None
    if action == "pend":
        world.leave_pending(specs[pick % len(specs)], 1 + pick)
    elif action == "boot":
        world.boot_all()
    elif action == "limits":
        cluster.set_group_limits(0, pick % 4, 6 + pick)
    elif action == "budget":
        world.budgets = [(specs[0].workload, pick % 2)] if pick % 3 else []
    elif action == "refuse":
        world.refuse_evictions = not world.refuse_evictions
    elif action == "crowd":
        world.run_pods(specs[pick % len(specs)], crowded(world)[-1 - pick % 2 :])
    elif action == "thin" and (there := [each for full in crowded(world) for each in cluster.node_pods[full]]):
        cluster.remove_pod(there[-1])
    elif action == "end" and pod is not None:
        cluster.remove_pod(pod)
    elif action == "delete" and pod is not None and cluster.pods.deletion_us[pod] < 0:
        cluster.begin_deletion(pod, EndReason.SCALE_DOWN)
    elif node is not None:
        act_on_node(world, specs, action, node, pick)


def crowded(world: World) -> list[int]:
    """Nodes on which much is requested, the fullest last: the places for pods of others."""
    nodes = world.cluster.nodes
    rows = np.flatnonzero(nodes.exists & (2 * nodes.requested[:, CPU] > nodes.allocatable[:, CPU]))
    by_use: list[int] = rows[np.argsort(nodes.requested[rows, CPU], kind="stable")].tolist()
    return by_use


def act_on_node(world: World, specs: list[PodSpec], action: str, node: int, pick: int) -> None:
    """One change of a node from outside."""
    cluster, nodes = world.cluster, world.cluster.nodes
    if action == "cordon":
        cluster.set_unschedulable(node, not nodes.unschedulable[node])
    elif action == "fail" and nodes.ready[node]:
        cluster.mark_node_not_ready(node)
    elif action == "recover" and not nodes.ready[node]:
        cluster.mark_node_ready(node)
    elif action == "fill":
        world.run_pods(specs[pick % len(specs)], [node])
    elif action == "lose" and not nodes.deleting[node]:
        world.delete_node(node)


def played(script: list[tuple[str, int, int]], flags: dict[str, object], *, reuse: bool, scan_s: int) -> list[object]:
    """What the autoscaler decided, and what its loops found."""
    world = World()
    world.add_group("pool", nodes=5, least=1, most=8)
    world.add_group("spare", nodes=1, cpu=8000, most=3)
    specs = [world.add_workload(f"w{at}", cpu=cpu) for at, cpu in enumerate((300, 900, 1700))]
    world.run_pods(specs[0], [0, 1, 5])
    world.run_pods(specs[1], [0, 1, 1, 2, 3])
    world.start(**({"scaleDownUnneededTime": "60s", "scaleDownDelayAfterAdd": "30s"} | flags), reuse=reuse)
    at, seen = 0, []
    for action, pick, loops in script:
        act(world, specs, action, pick)
        for _ in range(loops):
            at += scan_s
            outcome = world.loop_at(at)
            down, found = outcome.scale_down, None
            if down is not None:
                found = down.unneeded, down.in_cooldown, down.view.verdicts.tolist(), down.started
            seen.append((outcome.ended, outcome.scaled_up, found, world.cluster.groups.target.tolist()))
    return [seen, world.recorder.decisions]


@settings(max_examples=150, deadline=None)
@given(scripts, st.sampled_from(FLAGS), st.sampled_from([10, 17, 60]))
def test_leaving_out_quiet_loops_changes_no_decision(
    script: list[tuple[str, int, int]], flags: dict[str, object], scan_s: int
) -> None:
    plain, quick = (played(script, flags, reuse=reuse, scan_s=scan_s) for reuse in (False, True))
    assert plain == quick


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Moments of the loops that were computed."""
    moments: list[int] = []
    plain: Callable[[StaticAutoscaler, int], object] = StaticAutoscaler._run
    monkeypatch.setattr(StaticAutoscaler, "_run", lambda self, now_us: moments.append(now_us) or plain(self, now_us))
    return moments


def test_loops_over_a_calm_cluster_are_left_out(computed: list[int]) -> None:
    world = World()
    world.add_group("pool", nodes=4, least=4)
    world.start()
    world.loops(100, 1100)
    assert len(computed) < 10


def test_a_calm_cluster_with_unneeded_nodes_is_looked_at_when_their_time_is_over(computed: list[int]) -> None:
    world = World()
    world.add_group("pool", nodes=4)
    world.start()
    world.loops(100, 1000)
    assert world.target(0) == 0 and len(computed) < 30


@pytest.fixture
def half_empty(computed: list[int]) -> tuple[World, PodSpec]:
    """Three nodes with 1 cpu free, and a fourth whose only pod would find room on one of them."""
    world = World()
    world.add_group("pool", nodes=4)
    large, small = world.add_workload("large", cpu=3000), world.add_workload("small", cpu=600)
    world.run_pods(large, [0, 1, 2])
    world.run_pods(small, [3])
    world.start(scaleDownUnneededTime="1h")
    assert world.loops(100, 200)[-1].scale_down.unneeded == (3,)
    computed.clear()
    return world, small


def test_loops_are_left_out_while_pods_come_and_go_where_they_change_no_verdict(
    half_empty: tuple[World, PodSpec], computed: list[int]
) -> None:
    world, small = half_empty
    place = world.autoscaler.planner.expected_moves(3).popitem()[1]
    [pod] = world.run_pods(small, [next(node for node in range(3) if node != place)])
    world.loop_at(210)
    world.cluster.begin_deletion(pod, EndReason.SCALE_DOWN)
    world.loop_at(220)
    world.cluster.remove_pod(pod)
    world.loop_at(230)
    assert computed == []


@pytest.mark.parametrize(
    ("filled", "unneeded"), [([0], (3,)), ([1], (3,)), ([2], (3,)), ([0, 1, 2], ())], ids=("a", "b", "c", "all")
)
def test_a_node_is_needed_again_once_others_have_no_room_for_its_pods(
    half_empty: tuple[World, PodSpec], filled: list[int], unneeded: tuple[int, ...]
) -> None:
    world, small = half_empty
    world.run_pods(small, filled)
    assert world.loop_at(210).scale_down.unneeded == unneeded


def test_a_node_that_empties_is_looked_at(half_empty: tuple[World, PodSpec]) -> None:
    world, _ = half_empty
    world.cluster.remove_pod(0)
    assert world.loop_at(210).scale_down.unneeded == (0, 3)


def test_a_pod_that_waits_for_a_node_is_looked_at(half_empty: tuple[World, PodSpec], computed: list[int]) -> None:
    world, small = half_empty
    world.leave_pending(small, 1)
    world.loop_at(210)
    assert computed == [210 * US_PER_S]


def test_an_unneeded_node_that_fills_up_is_needed_again(half_empty: tuple[World, PodSpec]) -> None:
    world, small = half_empty
    world.run_pods(small, [3, 3, 3, 3])
    assert world.loop_at(210).scale_down.unneeded == ()
