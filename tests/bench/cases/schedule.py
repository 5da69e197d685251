"""Pods placed per second into empty clusters of 1,000 and 5,000 nodes, and preemptions per second.

Nodes of 16 CPU / 64 GiB / 110 pods in 3 zones, pods of 100m / 128 MiB of 100 workloads, interleaved in the
queue; built-in spreading acts and every decision is recorded. In the hard case a third of the pods have hard zone
spread or required anti-affinity.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.engine.collection import seldom_collected
from planner.plan.model.pods.placement import LabelSelector, PodAffinityTerm, TopologySpreadConstraint
from planner.record.recorder import Recorder
from planner.scheduler.scheduler import Scheduler
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import Amounts, ResourceAxis
from planner.state.specs import HOSTNAME_LABEL, ZONE_LABEL, NodeSpec, PodPlacement, PodSpec
from planner.units import GIB, MIB

WORKLOADS = 100
PREEMPTIONS = 100


@dataclass
class StillClock:
    """The clock of a benchmark stands still."""

    now_us: int = 0


def make_cluster(nodes: int) -> Cluster:
    """Ready nodes of three groups, one per zone, registered in turn."""
    cluster = Cluster(StillClock(), ResourceAxis())
    amounts = cluster.axis.amounts({"cpu": 16_000, "memory": 64 * GIB, "pods": 110})
    for zone in range(3):
        group = cluster.add_group(f"zone-{zone}", 0, nodes)
        cluster.node_specs.append(NodeSpec(zone, group, amounts, amounts, {ZONE_LABEL: f"z{zone}"}))
    for i in range(nodes):
        cluster.register_node(cluster.request_node(i % 3))
    return cluster


def add_template(cluster: Cluster, name: str, cpu_milli: int, memory: int, priority: int = 0, **rules: Any) -> PodSpec:
    """A workload with one pod template; `rules`: where its pods may go."""
    request: Amounts = cluster.axis.amounts({"cpu": cpu_milli, "memory": memory})
    spec = PodSpec(
        index=len(cluster.pod_specs),
        workload=cluster.add_workload(name),
        namespace="default",
        labels={"app": name},
        request=request,
        nonzero=np.array([cpu_milli, memory], dtype=np.int64),
        priority=priority,
        placement=PodPlacement(**rules),
    )
    cluster.pod_specs.append(spec)
    return spec


def hard_rules(number: int) -> dict[str, Any]:
    """Every third workload: in turn hard zone spread and required anti-affinity between its pods."""
    if number % 3:
        return {}
    own = LabelSelector(match_labels={"app": f"app-{number:03d}"})
    if number % 2:
        return {"required_anti_affinity": (PodAffinityTerm(topology_key=HOSTNAME_LABEL, label_selector=own),)}
    spread = TopologySpreadConstraint(max_skew=1, topology_key=ZONE_LABEL, label_selector=own)
    return {"spread_constraints": (spread,)}


def no_rules(number: int) -> dict[str, Any]:
    """Plain pods."""
    return {}


def place(nodes: int, pods: int, rules: Callable[[int], dict[str, Any]] = no_rules) -> float:
    """Pods per second for `pods` pods, interleaved over the workloads."""
    cluster = make_cluster(nodes)
    scheduler = Scheduler(cluster, Recorder())
    specs = [add_template(cluster, f"app-{i:03d}", 100, 128 * MIB, **rules(i)) for i in range(WORKLOADS)]
    for _ in range(pods // WORKLOADS):
        for spec in specs:
            cluster.create_pods(spec.index, 1)
    taken = settled_in(scheduler)
    assert int((cluster.pods.node >= 0).sum()) == pods
    return pods / taken


def settled_in(scheduler: Scheduler) -> float:
    """Seconds until nothing is left to schedule; garbage is looked for as rarely as in a run."""
    with seldom_collected():
        start = time.perf_counter()
        while scheduler.schedule():
            pass
        return time.perf_counter() - start


def schedule_1000() -> dict[str, float]:
    return {"schedule_1000": place(1_000, 30_000)}


def schedule_1000_hard() -> dict[str, float]:
    return {"schedule_1000_hard": place(1_000, 30_000, hard_rules)}


def schedule_5000() -> dict[str, float]:
    return {"schedule_5000": place(5_000, 100_000)}


def preempt_1000() -> dict[str, float]:
    """Preemptions per second in 1,000 nodes full of 16 low pods each; victims vanish at once."""
    cluster = make_cluster(1_000)
    scheduler = Scheduler(cluster, Recorder())

    def remove(victims: tuple[int, ...], preemptor: int, node: int) -> None:
        for victim in victims:
            cluster.remove_pod(victim, EndReason.PREEMPTED)

    scheduler.on_preempt = remove
    low = add_template(cluster, "low", 1_000, GIB)
    cluster.create_pods(low.index, 16_000)
    while scheduler.schedule():
        pass
    high = add_template(cluster, "high", 2_000, 2 * GIB, priority=1_000)
    cluster.create_pods(high.index, PREEMPTIONS)
    taken = settled_in(scheduler)
    placed = int((cluster.pods.node[16_000:] >= 0).sum())
    assert placed == PREEMPTIONS
    return {"preempt_1000": PREEMPTIONS / taken}


CASES = {
    "schedule_1000": schedule_1000,
    "schedule_1000_hard": schedule_1000_hard,
    "schedule_5000": schedule_5000,
    "preempt_1000": preempt_1000,
}
UNITS = {
    "schedule_1000": "pods/s",
    "schedule_1000_hard": "pods/s",
    "schedule_5000": "pods/s",
    "preempt_1000": "preemptions/s",
}
