"""The ready pods of each workload that serves requests, as they were when its latest step began."""

import numpy as np

from planner.workloads.cpu.contention import NO_LIMIT_MILLI
from planner.workloads.load.demand import Demands, Ints
from planner.workloads.load.pod_groups import PodGroups


class ServingPods:
    """Groups of pods by position of their workload, and by the CPU that each of them may use."""

    def __init__(self, demands: Demands, scalar_twins: bool = True) -> None:
        self._demands = demands
        self._scalar_twins = scalar_twins
        self._all = np.arange(len(demands.cv))
        self._limit: Ints = np.full(len(self._all), NO_LIMIT_MILLI, np.int64)
        self._service, self._capacity, self._count = np.zeros((3, 0), np.int64)
        self._groups: PodGroups | None = None

    def replace(self, positions: Ints, service: Ints, capacity: Ints, count: Ints, limit: Ints) -> None:
        """The pods of workloads from now on; `service`, `capacity` and `count` are of them only, an entry a kind.

        `limit`: CPU limit of the pods of every workload.
        """
        if len(positions) < len(self._all):
            chosen = np.zeros(len(self._all), np.bool_)
            chosen[positions] = True
            kept = ~chosen[self._service]
            service = np.concatenate((self._service[kept], service))
            capacity = np.concatenate((self._capacity[kept], capacity))
            count = np.concatenate((self._count[kept], count))
        service, capacity, count = _merged(service, capacity, count)
        if not (
            np.array_equal(service, self._service)
            and np.array_equal(capacity, self._capacity)
            and np.array_equal(count, self._count)
            and np.array_equal(limit, self._limit)
        ):
            self._service, self._capacity, self._count, self._limit = service, capacity, count, limit
            self._groups = None

    def groups(self, positions: Ints) -> PodGroups:
        """The pods of some workloads, numbered by their places in `positions` (ascending)."""
        if len(positions) == len(self._all):
            if self._groups is None:
                self._groups = self._of(positions, self._service, self._count, self._capacity)
            return self._groups
        place = np.full(len(self._all), -1, np.int64)
        place[positions] = np.arange(len(positions))
        mine = np.flatnonzero(place[self._service] >= 0)
        return self._of(positions, place[self._service[mine]], self._count[mine], self._capacity[mine])

    def mean_capacity_milli(self, position: int) -> float:
        """CPU that a pod of a workload may use, on average; 0 without pods."""
        mine = self._service == position
        return float(np.average(self._capacity[mine], weights=self._count[mine])) if mine.any() else 0.0

    def _of(self, positions: Ints, service: Ints, count: Ints, capacity: Ints) -> PodGroups:
        demands, limit = self._demands.take(positions), self._limit[positions]
        return PodGroups.of(demands, limit, service, count, capacity, self._scalar_twins)


def _merged(service: Ints, capacity: Ints, count: Ints) -> tuple[Ints, Ints, Ints]:
    """Like pods together, by workload and capacity ascending."""
    order = np.lexsort((capacity, service))
    service, capacity, count = service[order], capacity[order], count[order]
    new = np.ones(len(service), np.bool_)
    new[1:] = (service[1:] != service[:-1]) | (capacity[1:] != capacity[:-1])
    if new.all():
        return service, capacity, count
    starts = np.flatnonzero(new)
    return service[starts], capacity[starts], np.add.reduceat(count, starts)
