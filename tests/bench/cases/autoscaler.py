"""How long one loop of the Cluster Autoscaler takes."""

import time
from collections.abc import Callable

from planner.autoscaler.estimator.bin_packing import PodBatch, estimate_nodes
from planner.autoscaler.snapshot.round_robin import SearchCursor
from planner.engine.collection import seldom_collected
from planner.record.decisions import Verdict
from planner.state.specs import PodSpec
from planner.units import GIB, MIB
from tests.planner.autoscaler_loop.world import World

NODES, PODS_PER_NODE, GROUPS = 1000, 30, 5


def _world(pod_cpu: int, least: int = 0) -> tuple[World, list[PodSpec]]:
    """1,000 nodes of 16 cpu in 5 groups, and 10 workloads."""
    world = World()
    for group in range(GROUPS):
        world.add_group(f"pool-{group}", nodes=NODES // GROUPS, cpu=16_000, memory=64 * GIB, most=1000, least=least)
    return world, [world.add_workload(f"web-{at}", cpu=pod_cpu + at, memory=512 * MIB) for at in range(10)]


def _milliseconds(action: Callable[[], object]) -> float:
    """As part of a run, in which the garbage collector seldom works."""
    with seldom_collected():
        started = time.perf_counter()
        action()
    return (time.perf_counter() - started) * 1000


def scale_up() -> dict[str, float]:
    """A whole loop: 1,000 full nodes and 1,000 pending pods of 10 shapes."""
    world, specs = _world(pod_cpu=520)
    for node in range(NODES):
        for at in range(PODS_PER_NODE):
            world.run_pods(specs[at % 10], [node])
    for at in range(1000):
        world.leave_pending(specs[at % 10], 1)
    world.start()
    elapsed = _milliseconds(lambda: world.loop_at(10))
    assert any(decision.verdict is Verdict.TRIGGERED for decision in world.recorder.decisions)
    return {"ca_scale_up_1000": elapsed}


def scale_down() -> dict[str, float]:
    """One loop: 30 pods on every node, 300 of 1,000 nodes under-used, all of them tried."""
    world, specs = _world(pod_cpu=400)
    light = [world.add_workload(f"light-{at}", cpu=80 + at, memory=64 * MIB) for at in range(10)]
    for node in range(NODES):
        for at in range(PODS_PER_NODE):
            world.run_pods((light if node % 10 < 3 else specs)[at % 10], [node])
    world.start(maxScaleDownParallelism=1000)
    elapsed = _milliseconds(lambda: world.loop_at(10))
    return {"ca_scale_down_1000": elapsed}


def estimate() -> dict[str, float]:
    """Bin packing of 51,000 equal pods without limits, fast path on."""
    world, _ = _world(pod_cpu=100)
    need = world.axis.amounts({"cpu": 100, "memory": 128 * MIB, "pods": 1})
    batch = PodBatch(need, 51_000, container_cpu_milli=100, container_memory_bytes=128 * MIB)
    node = world.cluster.node_specs[0].allocatable
    cursor = SearchCursor()

    def run() -> None:
        found = estimate_nodes([batch], node, node, None, cursor, fast_path=True)
        assert found.node_count == -(-51_000 // 110) and found.placed == (51_000,)

    return {"estimate_51000": _milliseconds(run)}


CASES = {"ca_scale_up_1000": scale_up, "ca_scale_down_1000": scale_down, "estimate_51000": estimate}
UNITS = dict.fromkeys(CASES, "ms")
