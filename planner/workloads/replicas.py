"""ReplicaSet controller's rule: which pods a scale-down deletes first.

Source: Kubernetes 1.36, controller.ActivePodsWithRanks.
"""

from collections import Counter
from functools import cmp_to_key

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.units import US_PER_S

_NS_PER_S = 1_000_000_000


def active_pods(cluster: Cluster, workload: int) -> list[int]:
    """Pods without deletion time, in order of creation."""
    deletion_us = cluster.pods.deletion_us
    return [pod for pod in cluster.workload_pods[workload] if deletion_us[pod] == NONE]


def victims(cluster: Cluster, workload: int, count: int) -> list[int]:
    """The `count` active pods that go first when the workload shrinks.

    Order: unbound, pending, not ready, more ready siblings on the same node, then younger; ages count by
    powers of two, and with equal powers the pod created earlier goes first.
    """
    active = active_pods(cluster, workload)
    if count >= len(active):
        return active
    states = _states(cluster, active)
    ranked = sorted(active, key=cmp_to_key(lambda a, b: _compare(states[a], states[b])))
    return ranked[:count]


State = tuple[tuple[int, int, int, int], int, int, int, int]
"""(rank of the plain criteria, seconds when it became ready or -1, seconds of creation, pod row, now in seconds)."""


def _states(cluster: Cluster, active: list[int]) -> dict[int, State]:
    pods, now_s = cluster.pods, cluster.clock.now_us // US_PER_S
    siblings = Counter(int(pods.node[pod]) for pod in active if pods.ready[pod])
    states: dict[int, State] = {}
    for pod in active:
        node, ready = int(pods.node[pod]), bool(pods.ready[pod])
        rank = (
            int(node != NONE),
            int(pods.phase[pod] == PodPhase.RUNNING),
            int(ready),
            -siblings[node] if node != NONE else 0,
        )
        ready_s = int(pods.ready_change_us[pod]) // US_PER_S if ready else -1
        states[pod] = (rank, ready_s, int(pods.created_us[pod]) // US_PER_S, pod, now_s)
    return states


def _compare(a: State, b: State) -> int:
    if a[0] != b[0]:
        return -1 if a[0] < b[0] else 1
    for since in (1, 2):
        if a[since] != b[since] and a[since] >= 0 and b[since] >= 0:
            younger = _age_power(a[since], a[4]) - _age_power(b[since], b[4])
            return younger or a[3] - b[3]
    return 0


def _age_power(since_s: int, now_s: int) -> int:
    """Integer part of log2 of the age in nanoseconds; -1 for no age."""
    return ((now_s - since_s) * _NS_PER_S).bit_length() - 1
