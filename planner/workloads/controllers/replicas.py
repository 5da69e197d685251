"""Active pods of a workload, and which of them its ReplicaSet deletes first."""

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_S
from planner.workloads.controllers.victim_order import (
    VictimColumns,
    VictimFacts,
    VictimPhase,
    colocation,
    order_of_columns,
    victim_order,
)

Ints = NDArray[np.int64]
_PHASES = {int(PodPhase.PENDING): VictimPhase.PENDING, int(PodPhase.RUNNING): VictimPhase.RUNNING}


def active_pods(cluster: Cluster, workload: int) -> list[int]:
    """Pods without deletion time, in order of creation."""
    members = list(cluster.workload_pods[workload])
    deletion_us = cluster.pods.deletion_us[members].tolist()
    return [pod for pod, at_us in zip(members, deletion_us, strict=True) if at_us == NONE]


def victims(cluster: Cluster, workload: int, count: int, count_ready_siblings: bool = False) -> list[int]:
    """The `count` active pods that go first when the workload shrinks.

    A workload is a Deployment with one ReplicaSet. Serial numbers stand for UIDs, so among pods of
    similar age the one created earlier goes first. `count_ready_siblings`: only
    ready pods count as neighbours, as in the recorded whole runs; the real rule counts all active ones.
    """
    active = active_pods(cluster, workload)
    related = [pod for pod in active if cluster.pods.ready[pod]] if count_ready_siblings else active
    return _first_to_go(cluster, active, count, related)


def victims_among(cluster: Cluster, active: list[int], count: int, others: list[int] | None = None) -> list[int]:
    """The same among the active pods of one ReplicaSet; `others`: those of its Deployment's other sets."""
    return _first_to_go(cluster, active, count, [*active, *(others or ())])


def _first_to_go(cluster: Cluster, active: list[int], count: int, related: list[int]) -> list[int]:
    if count >= len(active):
        return active
    now_s, rows = cluster.clock.now_us // US_PER_S, np.array(active, np.int64)
    found = order_of_columns(_columns(cluster, rows, related), now_s) if (np.diff(rows) > 0).all() else None
    order = victim_order(_facts(cluster, active, related), now_s) if found is None else found.tolist()
    return [active[position] for position in order[:count]]


def _columns(cluster: Cluster, rows: Ints, siblings: list[int]) -> VictimColumns:
    pods = cluster.pods
    node = pods.node[rows]
    there = np.bincount(pods.node[siblings] + 1, minlength=int(node.max()) + 2)  # without a node: 0
    return VictimColumns(
        node != NONE,
        pods.phase[rows],
        pods.ready[rows],
        pods.ready_change_us[rows] // US_PER_S,
        pods.created_us[rows] // US_PER_S,
        there[node + 1],
        pods.restarts[rows].astype(np.int64),
    )


def _facts(cluster: Cluster, active: list[int], siblings: list[int]) -> list[VictimFacts]:
    pods = cluster.pods
    nodes: list[int] = pods.node[active].tolist()
    columns = (
        active,
        nodes,
        pods.phase[active].tolist(),
        pods.ready[active].tolist(),
        (pods.ready_change_us[active] // US_PER_S).tolist(),
        (pods.created_us[active] // US_PER_S).tolist(),
        pods.restarts[active].tolist(),
        colocation(nodes, pods.node[siblings].tolist()),
    )
    return [
        VictimFacts(
            uid=f"{pod:012d}",
            assigned=node != NONE,
            phase=_PHASES[phase],
            ready=ready,
            ready_since_s=ready_s,
            created_s=created_s,
            colocated=colocated,
            restarts=restarts,
        )
        for pod, node, phase, ready, ready_s, created_s, restarts, colocated in zip(*columns, strict=True)
    ]
