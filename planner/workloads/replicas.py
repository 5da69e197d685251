"""ReplicaSet controller's rule: which pods a scale-down deletes first.

Source: Kubernetes 1.36, controller.ActivePodsWithRanks.
"""

from collections import Counter
from functools import cmp_to_key
from typing import NamedTuple

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
    states, now_s = _states(cluster, active), cluster.clock.now_us // US_PER_S

    def order(a: int, b: int) -> int:
        return _compare(states[a], states[b], now_s)

    return sorted(active, key=cmp_to_key(order))[:count]


class _State(NamedTuple):
    """What decides about one pod. Times in whole seconds, -1 where it is not ready."""

    rank: tuple[int, int, int, int]
    ready_s: int
    created_s: int
    pod: int


def _states(cluster: Cluster, active: list[int]) -> dict[int, _State]:
    pods = cluster.pods
    siblings = Counter(int(pods.node[pod]) for pod in active if pods.ready[pod])
    states: dict[int, _State] = {}
    for pod in active:
        node, ready = int(pods.node[pod]), bool(pods.ready[pod])
        rank = (
            int(node != NONE),
            int(pods.phase[pod] == PodPhase.RUNNING),
            int(ready),
            -siblings[node] if node != NONE else 0,
        )
        ready_s = int(pods.ready_change_us[pod]) // US_PER_S if ready else -1
        states[pod] = _State(rank, ready_s, int(pods.created_us[pod]) // US_PER_S, pod)
    return states


def _compare(a: _State, b: _State, now_s: int) -> int:
    if a.rank != b.rank:
        return -1 if a.rank < b.rank else 1
    if a.ready_s != b.ready_s:
        return _age_power(now_s - a.ready_s) - _age_power(now_s - b.ready_s) or a.pod - b.pod
    if a.created_s != b.created_s:
        return _age_power(now_s - a.created_s) - _age_power(now_s - b.created_s) or a.pod - b.pod
    return 0


def _age_power(age_s: int) -> int:
    """Integer part of log2 of the age in nanoseconds; -1 for no age."""
    return (age_s * _NS_PER_S).bit_length() - 1
