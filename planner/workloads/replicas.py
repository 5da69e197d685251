"""Active pods of a workload, and which of them its ReplicaSet deletes first."""

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_S
from planner.workloads.victim_order import VictimFacts, VictimPhase, colocation, victim_order

_PHASES = {PodPhase.PENDING: VictimPhase.PENDING, PodPhase.RUNNING: VictimPhase.RUNNING}


def active_pods(cluster: Cluster, workload: int) -> list[int]:
    """Pods without deletion time, in order of creation."""
    deletion_us = cluster.pods.deletion_us
    return [pod for pod in cluster.workload_pods[workload] if deletion_us[pod] == NONE]


def victims(cluster: Cluster, workload: int, count: int) -> list[int]:
    """The `count` active pods that go first when the workload shrinks.

    A workload is a Deployment with one ReplicaSet. Serial numbers stand for UIDs, so among pods of
    similar age the one created earlier goes first.
    """
    return victims_among(cluster, active_pods(cluster, workload), count)


def victims_among(cluster: Cluster, active: list[int], count: int, others: list[int] | None = None) -> list[int]:
    """The same among the active pods of one ReplicaSet; `others`: those of its Deployment's other sets."""
    if count >= len(active):
        return active
    order = victim_order(_facts(cluster, active, others or []), cluster.clock.now_us // US_PER_S)
    return [active[position] for position in order[:count]]


def _facts(cluster: Cluster, active: list[int], others: list[int]) -> list[VictimFacts]:
    pods = cluster.pods
    nodes = [int(pods.node[pod]) for pod in active]
    related = [*nodes, *(int(pods.node[pod]) for pod in others)]
    return [
        VictimFacts(
            uid=f"{pod:012d}",
            assigned=node != NONE,
            phase=_PHASES[PodPhase(pods.phase[pod])],
            ready=bool(pods.ready[pod]),
            ready_since_s=int(pods.ready_change_us[pod]) // US_PER_S,
            created_s=int(pods.created_us[pod]) // US_PER_S,
            colocated=colocated,
        )
        for pod, node, colocated in zip(active, nodes, colocation(nodes, related), strict=True)
    ]
