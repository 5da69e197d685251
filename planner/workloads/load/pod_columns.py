"""Columns of the pods that serve requests: one by one, and in groups of those that are alike."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.workloads.load.demand import Floats, Ints

Bools = NDArray[np.bool_]
NOT_SEEN = -2


class PodsThatServe(NamedTuple):
    """Columns of pods: one service after the other, rows of each ascending."""

    rows: Ints
    service: Ints
    """Position of the workload."""
    capacity: Ints
    """CPU that each may use for requests and when idle, in terms of warm pods; milli-CPU."""
    cores: Ints
    """Milli-CPU that each may use at once; more than `capacity` where a quota bounds the use over a period."""
    takes: Bools
    """Gets new requests."""
    slower: Floats
    """CPU of a request, in multiples of that of a warm pod."""

    def take(self, rows: Ints) -> "PodsThatServe":
        """Some of them, in this order."""
        return PodsThatServe._make([column[rows] for column in self])


class Groups(NamedTuple):
    """One entry a group; services ascending."""

    service: Ints
    capacity: Ints
    cores: Ints
    takes: Bools
    slower: Floats
    pods: Ints
    held: Floats
    """Requests at each pod."""
    done: Floats
    """CPU seconds of requests that each pod has spent since the group was formed."""
    busy_milli: Floats
    """CPU that each pod used for requests in its latest step."""
    kind: Ints
    """Of `QuotaKinds`; NOT_SEEN until the kernel is to take a step of the group."""

    def take(self, rows: Ints) -> "Groups":
        """Some of them, in this order."""
        return Groups._make([column[rows] for column in self])

    def have_twins(self) -> bool:
        """Whether some of one workload differ in nothing but what their pods hold and have done."""
        fixed = (self.slower, self.cores, self.capacity, self.takes, self.service)
        order = np.lexsort(fixed)
        same = np.ones(max(0, len(order) - 1), np.bool_)
        for column in fixed:
            same &= column[order[1:]] == column[order[:-1]]
        return bool(same.any())


def no_groups() -> Groups:
    """Columns without entries."""
    whole, real = np.zeros(0, np.int64), np.zeros(0)
    return Groups(whole, whole, whole, np.zeros(0, np.bool_), real, whole, real, real, real, whole)
