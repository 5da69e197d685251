"""What holds of the autoscaler whatever the cluster looks like."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.autoscaler.scaledown.drain.node_pods import Residents, drain_pod
from planner.autoscaler.scaledown.drain.rules.pod import DrainContext
from planner.autoscaler.scaledown.drain.rules.registry import drain_of_outcomes, drain_outcome
from planner.autoscaler.scaledown.simulation import simulate_removals
from planner.autoscaler.snapshot.hints import Hints
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.plan.model.scaling_marks import SafeToEvict
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.scaling import PodScaling
from tests.planner.autoscaler_loop.world import World, deleted

KEPT = PodScaling(safe_to_evict=SafeToEvict.NO)

pods_by_node = st.lists(st.lists(st.integers(0, 3), max_size=4), min_size=1, max_size=6)
sizes = st.lists(st.sampled_from([300, 900, 1700, 2500]), min_size=4, max_size=4)
pending = st.lists(st.integers(0, 3), max_size=12)


def a_world(running: list[list[int]], cpu: list[int], waiting: list[int], kept: int, least: int) -> World:
    """One group of nodes with pods of four workloads, of which one keeps its nodes; another, empty group."""
    world = World()
    count = len(running)
    world.add_group("pool", nodes=count, least=min(least, count), most=count + 3)
    world.add_group("spare", cpu=8000, most=2)
    specs = [
        world.add_workload(f"w{at}", cpu=size, scaling=KEPT if at == kept else PodScaling())
        for at, size in enumerate(cpu)
    ]
    for node, pods in enumerate(running):
        free = 4000
        for at in pods:
            if cpu[at] <= free:
                free -= cpu[at]
                world.run_pods(specs[at], [node])
    for at in waiting:
        world.leave_pending(specs[at], 1)
    return world


@settings(max_examples=40, deadline=None)
@given(pods_by_node, sizes, pending, st.integers(0, 3), st.integers(0, 3), st.sampled_from([0, 3, 5, 8]))
def test_no_group_leaves_its_bounds_and_no_kept_node_goes(
    running: list[list[int]], cpu: list[int], waiting: list[int], kept: int, least: int, total: int
) -> None:
    world = a_world(running, cpu, waiting, kept, least)
    groups, pods = world.cluster.groups, world.cluster.pods
    keepers = {int(pods.node[pod]) for pod in world.cluster.workload_pods[kept] if pods.node[pod] >= 0}
    most = max(total, len(running)) if total else 0
    world.start(scaleDownUnneededTime="20s", scaleDownDelayAfterAdd="0s", maxNodesTotal=most)
    for at in range(10, 200, 10):
        outcome = world.loop_at(at)
        assert (groups.target >= groups.min_size).all() and (groups.target <= groups.max_size).all()
        assert not keepers & set(deleted(outcome))
        assert not most or int(groups.target.sum()) <= most
        if at % 50 == 0:
            world.boot_all()


@settings(max_examples=60, deadline=None)
@given(pods_by_node, sizes)
def test_pods_of_removable_nodes_were_all_placed_elsewhere(running: list[list[int]], cpu: list[int]) -> None:
    world = a_world(running, cpu, [], kept=-1, least=0)
    cluster, count = world.cluster, len(running)
    snapshot = Snapshot(cluster, np.arange(count), (), StaticFit(cluster), lambda spec, template: (True, True, True))

    def drain_of(node: int, extra: object) -> Residents:
        own = (*cluster.node_pods[node], *snapshot.placed.get(node, ()))
        pods = [drain_pod(cluster, pod) for pod in own]
        outcomes = [drain_outcome(pod, DrainContext(0)) for pod in pods]
        return Residents(own, drain_of_outcomes(outcomes, [pod.budgets for pod in pods], ()))

    found = simulate_removals(
        list(range(count)), np.ones(count, dtype=np.bool_), count, snapshot, drain_of, SearchCursor(), Hints(),
        lambda pods: None,
    )  # fmt: skip
    gone = {each.node for each in found.removable}
    for each in found.removable:
        for pod in each.moving:
            assert any(pod in there and node not in {each.node} for node, there in snapshot.placed.items())
    assert (snapshot.free[[node for node in range(count) if node not in gone]] >= 0).all()
    assert len(gone) < count or not any(cluster.node_pods[node] for node in range(count))
