"""In which order pods of one kind look for room, as far as their states matter.

Pods of one size come by age, those of one age by name. Where all pods of an age are in the same state their names need
no look.
"""

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.pod_view import PodName, PodView, ages_of, names_of
from planner.karpenter.pods.round_pod import RoundPod

RUNS, LEAVES, WAITS = range(3)
"""On a node that would go; on one that is being deleted; for a node. The last two excuse a pod without room."""
States = NDArray[np.int8]


class PodsLeftBehind(NamedTuple):
    """Some pods of one kind, in any order."""

    created_us: NDArray[np.int64]
    names: Callable[[], Sequence[PodName]]
    """By which those of one age are put in order; asked for where that matters."""

    @staticmethod
    def of(pods: Sequence[PodView | RoundPod]) -> "PodsLeftBehind":
        """Pods that are at hand."""
        return PodsLeftBehind(ages_of(pods), lambda: names_of(pods))


def states_of(pods: Sequence[RoundPod]) -> States:
    """The state of each pod."""
    states = (WAITS if pod.is_pending else LEAVES if pod.from_deleting else RUNS for pod in pods)
    return np.fromiter(states, np.int8, len(pods))


class AgeOrder:
    """States of pods in the order of their queue: those of every round, and others that run on nodes that would go.

    If fewer nodes go than at the last sort, the order is a part of that one.
    """

    def __init__(self, pods: Sequence[RoundPod], left_by: Callable[[NodeView], PodsLeftBehind]) -> None:
        """`pods`: of every round; `left_by`: what a node would leave behind."""
        self._pods = pods
        self._left_by = left_by
        self._base: tuple[PodsLeftBehind, States] | None = None
        """Those of every round; None before they are asked for."""
        self._number: dict[NodeView, int] = {}
        """The nodes that go in the last order that was sorted, numbered from 1 on,"""
        self._owners: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        """for each pod in that order the number of its node, 0 for those of every round,"""
        self._states: States | None = None
        """and its state."""

    def of(self, nodes: Sequence[NodeView]) -> States:
        """The states of all pods if some nodes go."""
        numbers, states = list(map(self._number.get, nodes, repeat(0))), self._states
        if states is None or not all(numbers):
            return self._sorted(nodes)
        if len(numbers) == len(self._number):
            return states
        takes_part = np.zeros(len(self._number) + 1, dtype=np.bool_)
        takes_part[0] = takes_part[numbers] = True
        return states[takes_part[self._owners]]

    def _sorted(self, nodes: Sequence[NodeView]) -> States:
        if self._base is None:
            self._base = PodsLeftBehind.of(self._pods), states_of(self._pods)
        base, states = self._base
        groups = (base, *map(self._left_by, nodes))
        created_us = np.concatenate([each.created_us for each in groups])
        all_states = np.zeros(len(created_us), dtype=np.int8)
        all_states[: len(states)] = states
        order = np.argsort(created_us, kind="stable")
        mixed = _mixed_ages(created_us[order], all_states[order])
        names = list(chain.from_iterable(each.names() for each in groups)) if mixed else []
        for begin, end in mixed:
            order[begin:end] = sorted(order[begin:end].tolist(), key=names.__getitem__)
        owners = np.repeat(np.arange(len(groups)), [len(each.created_us) for each in groups])
        self._number = dict(zip(nodes, range(1, len(groups)), strict=True))
        self._owners, self._states = owners[order], all_states[order]
        return self._states


def most_in_a_row(states: States) -> int:
    """The most pods that come one after the other none of which runs on a node that would go."""
    others = np.flatnonzero(states == RUNS)
    return int(np.diff(others, prepend=-1, append=len(states)).max()) - 1


def _mixed_ages(created_us: NDArray[np.int64], states: States) -> Sequence[tuple[int, int]]:
    """Where pods of one age begin and end that are not all in the same state."""
    if not len(states):
        return ()
    begins = np.flatnonzero(np.concatenate(([True], created_us[1:] != created_us[:-1])))
    mixed = np.flatnonzero(np.minimum.reduceat(states, begins) < np.maximum.reduceat(states, begins))
    ends = np.append(begins[1:], len(states))
    return list(zip(begins[mixed].tolist(), ends[mixed].tolist(), strict=True))
