"""Which pods of a ReplicaSet a scale-down deletes first.

Source: Kubernetes 1.36, pkg/controller/controller_utils.go, ActivePodsWithRanks.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cmp_to_key
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_NS_PER_S = 1_000_000_000


class VictimPhase(IntEnum):
    """Phases of active pods, the first to go first."""

    PENDING = 0
    UNKNOWN = 1
    RUNNING = 2


@dataclass(frozen=True, slots=True)
class VictimFacts:
    """What decides about one active pod. Times are whole seconds, as the API keeps them; None: not set."""

    uid: str
    assigned: bool
    """It has a node."""
    phase: VictimPhase
    ready: bool
    ready_since_s: int | None
    created_s: int | None
    colocated: int = 0
    """Active pods of the same Deployment on its node, see `colocation`."""
    deletion_cost: int = 0
    """Annotation controller.kubernetes.io/pod-deletion-cost."""
    restarts: int = 0
    """Most restarts of one container."""
    sidecar_restarts: int = 0
    """Most restarts of one sidecar."""


def colocation(nodes: Sequence[Hashable], related: Iterable[Hashable]) -> list[int]:
    """How many related pods share the node of each pod; both arguments name the nodes of active pods.

    Related are the pods of all ReplicaSets of the Deployment, the shrinking one included; none without Deployment.
    """
    on_node = Counter(related)
    return [on_node[node] for node in nodes]


class VictimColumns(NamedTuple):
    """The same facts of many pods in the order of their UIDs, all with times, none with a cost or with sidecars."""

    assigned: Bools
    phase: NDArray[np.int8]
    """Pending pods have less than running ones."""
    ready: Bools
    ready_since_s: Ints
    created_s: Ints
    colocated: Ints
    restarts: Ints


def order_of_columns(pods: VictimColumns, now_s: int) -> Ints | None:
    """`victim_order` of many pods at once; None where single pods have no key (see `_keys`)."""
    ready, age = pods.ready, _age_powers(now_s - pods.created_s)
    age_if_ready = _age_powers(now_s - pods.ready_since_s)
    keys = (
        np.where(ready, 0, age), np.where(ready, age_if_ready, -pods.restarts), -pods.colocated, ready, pods.phase,
        pods.assigned,
    )  # fmt: skip
    order = np.lexsort(keys)
    before, after = order[:-1], order[1:]
    same = ready[before] & ready[after]
    for key in keys:
        same &= key[before] == key[after]
    if (same & ((pods.restarts[before] != pods.restarts[after]) | (age[before] != age[after]))).any():
        return None
    return order


def victim_order(pods: Sequence[VictimFacts], now_s: int) -> list[int]:
    """Positions of the pods, the first to be deleted first; interchangeable pods keep their order."""
    keys = _keys(pods, now_s)
    if keys is not None:
        return sorted(range(len(pods)), key=keys.__getitem__)
    states = [_state(pod) for pod in pods]

    def order(a: int, b: int) -> int:
        one, other = states[a], states[b]
        if one == other:
            return _compare_equals(pods[a], pods[b], now_s)
        return -1 if one < other else 1

    return sorted(range(len(pods)), key=cmp_to_key(order))


def _keys(pods: Sequence[VictimFacts], now_s: int) -> list[tuple[int, ...]] | None:
    """Keys that sort as the comparison does; None where single pods have no such key.

    Below the power of the ready time comes the UID, but for pods ready since the same second restarts and creation
    come before it. So keys exist if pods of equal power agree in these, and pods stand in the order of their UIDs,
    which a stable sort then keeps.
    """
    keys: list[tuple[int, ...]] = []
    below: dict[tuple[int, ...], tuple[int, ...]] = {}
    uid = ""
    for pod in pods:
        if pod.uid < uid or pod.created_s is None or (pod.ready and pod.ready_since_s is None):
            return None
        uid, key = pod.uid, _state(pod)
        last = (-pod.restarts, -pod.sidecar_restarts, _age_power(now_s - pod.created_s))
        if pod.ready_since_s is None or not pod.ready:
            key += last
        else:
            key += (_age_power(now_s - pod.ready_since_s),)
            if below.setdefault(key, last) != last:
                return None
        keys.append(key)
    return keys


def _compare_equals(a: VictimFacts, b: VictimFacts, now_s: int) -> int:
    """Pods in equal states. Negative: `a` goes first; positive: `b`; 0: they are interchangeable."""
    return (
        (_newer_first(a, b, a.ready_since_s, b.ready_since_s, now_s) if a.ready and b.ready else 0)
        or _step((-a.restarts, -a.sidecar_restarts), (-b.restarts, -b.sidecar_restarts))
        or _newer_first(a, b, a.created_s, b.created_s, now_s)
    )


def _state(pod: VictimFacts) -> tuple[int, ...]:
    """Unassigned, early phase, not ready, cheap, crowded: the smaller goes first."""
    return (pod.assigned, int(pod.phase), pod.ready, pod.deletion_cost, -pod.colocated)


def _step(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    return (a > b) - (a < b)


def _newer_first(a: VictimFacts, b: VictimFacts, a_s: int | None, b_s: int | None, now_s: int) -> int:
    """Ages count by powers of two; with equal powers the smaller UID goes first. No time counts as newest."""
    if a_s == b_s:
        return 0
    if a_s is None or b_s is None:
        return -1 if a_s is None else 1
    return _age_power(now_s - a_s) - _age_power(now_s - b_s) or (a.uid > b.uid) - (a.uid < b.uid)


_POWERS: Ints = np.array([1 << bits for bits in range(63)], np.int64)


def _age_powers(age_s: Ints) -> Ints:
    """`_age_power` of each, up to centuries."""
    return np.searchsorted(_POWERS, np.maximum(0, age_s) * _NS_PER_S, side="right") - 1


def _age_power(age_s: int) -> int:
    """Integer part of log2 of the age in nanoseconds; -1 for none and for times to come."""
    return max(0, age_s * _NS_PER_S).bit_length() - 1
