"""In which order pods of one kind look for room, as far as their states matter.

Pods of one size come by age, those of one age by name. Where all pods of an age are in the same state their names need
no look.
"""

from collections.abc import Iterable, Sequence
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.pod_view import PodView
from planner.karpenter.pods.round_pod import RoundPod

RUNS, LEAVES, WAITS = range(3)
"""On a node that would go; on one that is being deleted; for a node. The last two excuse a pod without room."""
States = NDArray[np.int8]
_created, _name = attrgetter("created_us"), attrgetter("uid", "row")


class PodAges(NamedTuple):
    """Some pods of one kind, in any order."""

    created_us: NDArray[np.int64]
    names: Sequence[tuple[str, int]]


def ages_of(pods: Iterable[PodView | RoundPod]) -> PodAges:
    """The ages of some pods."""
    listed = list(pods)
    return PodAges(np.fromiter(map(_created, listed), np.int64, len(listed)), list(map(_name, listed)))


def states_of(pods: Sequence[RoundPod]) -> States:
    """The state of each pod."""
    states = (WAITS if pod.is_pending else LEAVES if pod.from_deleting else RUNS for pod in pods)
    return np.fromiter(states, np.int8, len(pods))


def states_in_order(base: PodAges, states: States, running: Sequence[PodAges]) -> States:
    """The states of all pods in the order of the queue: those of `base`, and others that run on nodes that would go."""
    groups = (base, *running)
    created_us = np.concatenate([each.created_us for each in groups])
    all_states = np.zeros(len(created_us), dtype=np.int8)
    all_states[: len(states)] = states
    order = np.argsort(created_us, kind="stable")
    found = all_states[order]
    mixed = _mixed_ages(created_us[order], found)
    names = list(chain.from_iterable(each.names for each in groups)) if mixed else []
    for begin, end in mixed:
        found[begin:end] = all_states[sorted(order[begin:end].tolist(), key=names.__getitem__)]
    return found


def _mixed_ages(created_us: NDArray[np.int64], states: States) -> Sequence[tuple[int, int]]:
    """Where pods of one age begin and end that are not all in the same state."""
    if not len(states):
        return ()
    begins = np.flatnonzero(np.concatenate(([True], created_us[1:] != created_us[:-1])))
    mixed = np.flatnonzero(np.minimum.reduceat(states, begins) < np.maximum.reduceat(states, begins))
    ends = np.append(begins[1:], len(states))
    return list(zip(begins[mixed].tolist(), ends[mixed].tolist(), strict=True))
