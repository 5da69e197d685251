"""Groups of pods that serve requests, which pod is in which, and what each pod has spent on requests.

A pod that leaves its group keeps what it has spent.
"""

import numpy as np
from numpy.typing import NDArray

from planner.workloads.latency.laws import SHARED_QUEUE
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import Groups, no_groups

Bools = NDArray[np.bool_]
NO_GROUP = -1


class GroupedPods:
    """Groups by position of their workload, and pods by row."""

    def __init__(self, demands: Demands) -> None:
        self._demands = demands
        self._all = np.arange(len(demands.cv))
        self._shares = demands.balancer == SHARED_QUEUE
        self._groups = no_groups()
        self.version = 0
        """Grows whenever groups are formed."""
        self.marks: Ints = np.zeros(len(self._all), np.int64)
        """By position of the workload the version that formed its groups."""
        self._one_each = self._groups.service, False
        """Whether each workload has one group, as long as these are the workloads of the groups."""
        self._rows: list[Ints] = [np.zeros(0, np.int64)] * len(self._all)
        """Pods with a group, ascending, by position of their workload."""
        self._group_of: Ints = np.zeros(0, np.int64)
        self._spent: Floats = np.zeros(0)
        """CPU seconds of requests by pod row, up to when its group was formed."""
        self._part: Floats = np.zeros(0)
        """What a pod does of the work of a mean pod of its group; others than 1 take from one queue."""

    # -- who is in which group ----------------------------------------------------------------

    def _of_pods(self, rows: Ints) -> tuple[Floats, Floats]:
        """Requests at these pods, and what each used for requests in its latest step."""
        of = self._group_of[rows]
        if not len(of) or of.min() > NO_GROUP:
            return self._groups.held[of], self._groups.busy_milli[of] * self._part[rows]
        held, busy = np.zeros((2, len(rows)))
        had = np.flatnonzero(of != NO_GROUP)
        held[had] = self._groups.held[of[had]]
        busy[had] = self._groups.busy_milli[of[had]] * self._part[rows[had]]
        return held, busy

    def _rows_of(self, chosen: Bools) -> Ints:
        """Pods with a group of these services: one service after the other, those of each ascending."""
        return np.concatenate([self._rows[service] for service in np.flatnonzero(chosen).tolist()])

    def _leave(self, rows: Ints) -> None:
        """All pods of some services leave their groups, and keep what they have spent."""
        of = self._group_of[rows]
        self._spent[rows] += self._groups.done[of] * self._part[rows]
        self._group_of[rows], self._part[rows] = NO_GROUP, 1.0

    def _join(self, chosen: Bools, new: Groups, rows: Ints, of: Ints) -> None:
        """Services whose pods left their groups have these now, with the rows of their pods and the group of each.

        Services, and with them `of`, are ascending. Pods of the others are looked at only if their groups have other
        numbers now.
        """
        old = self._groups
        stay = np.flatnonzero(~chosen[old.service])
        order = np.argsort(np.concatenate((old.service[stay], new.service)), kind="stable")
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        if not np.array_equal(place[: len(stay)], stay):
            number = np.full(len(old.service) + 1, NO_GROUP, np.int64)
            number[stay] = place[: len(stay)]
            self._group_of = number[self._group_of]  # NO_GROUP finds the last one
        self._group_of[rows] = place[len(stay) :][of]
        source = np.concatenate((stay, len(old.service) + np.arange(len(new.service))))[order]
        groups = Groups(*(np.concatenate(pair)[source] for pair in zip(old, new, strict=True)))
        ends = np.searchsorted(new.service[of], np.flatnonzero(chosen), side="right").tolist()
        self._have(chosen, groups, [np.sort(rows[start:end]) for start, end in zip([0, *ends], ends, strict=False)])

    def _have(self, chosen: Bools, groups: Groups, rows: list[Ints]) -> None:
        """These are the groups now; `rows`: the pods of each of the chosen services."""
        self._groups = groups
        self.version += 1
        self.marks[chosen] = self.version
        for service, some in zip(np.flatnonzero(chosen).tolist(), rows, strict=True):
            self._rows[service] = some

    def _reserve(self, count: int) -> None:
        missing = count - len(self._group_of)
        if missing > 0:
            more = max(missing, len(self._group_of), 64)
            self._group_of = np.r_[self._group_of, np.full(more, NO_GROUP, np.int64)]
            self._spent, self._part = np.r_[self._spent, np.zeros(more)], np.r_[self._part, np.ones(more)]

    def _sums(self, values: Floats | Ints) -> Floats:
        return np.bincount(self._groups.service, values, minlength=len(self._all)).astype(np.float64)

    # -- what others read ---------------------------------------------------------------------

    def in_flight(self) -> Floats:
        """Requests that each workload holds."""
        return self._sums(self._groups.pods * self._groups.held)

    def longest(self) -> Floats:
        """Most requests at one pod of each workload."""
        groups = self._groups
        if self._one_each[0] is not groups.service:
            self._one_each = groups.service, np.array_equal(groups.service, self._all)
        if self._one_each[1]:
            return groups.held
        most = np.zeros(len(self._all))
        np.maximum.at(most, groups.service, groups.held)
        return most

    @property
    def held_columns(self) -> tuple[Ints, Floats]:
        """The workload of each group, ascending, and the requests that each of its pods holds."""
        return self._groups.service, self._groups.held

    def held_of(self, rows: Ints) -> Floats:
        """Requests at each of these pods."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        return self._of_pods(rows)[0]

    def work_held_s(self, rows: Ints) -> Floats:
        """CPU seconds that the requests at each of these pods cost on average; 0 for those without a group."""
        group = self._group_of[rows]
        cost = self._demands.cpu_seconds[self._groups.service[group]] if len(self._groups.service) else 0.0
        return np.where(group == NO_GROUP, 0.0, self.held_of(rows) * cost)

    def waiting_s(self, pod: int) -> float:
        """How long a pod that gets no more requests takes until the last one that waits there begins."""
        group = int(self._group_of[pod]) if pod < len(self._group_of) else NO_GROUP
        if group == NO_GROUP or self._shares[service := int(self._groups.service[group])]:
            return 0.0
        groups, demands = self._groups, self._demands
        usable = min(int(groups.capacity[group]), int(demands.most_milli[service]))
        servers = max(1, usable // (1000 * int(demands.parallelism[service])))
        idle_milli, most_milli = int(demands.idle_cpu[service]), int(demands.most_milli[service])
        spare = min(int(groups.capacity[group]) - idle_milli, most_milli) / 1000.0
        waiting = max(0.0, float(groups.held[group]) - servers) * float(demands.cpu_seconds[service])
        return waiting / spare if spare > 0.0 else 0.0

    def capacity_of(self, rows: Ints) -> Ints:
        """CPU that each of these pods may use for requests and when idle; 0 for those without a group."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        capacity = np.append(self._groups.capacity, 0)  # what NO_GROUP finds
        return np.asarray(capacity[self._group_of[rows]], np.int64)

    def busy_milli(self, rows: Ints) -> Floats:
        """CPU that each of these pods used for requests in its latest step."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        return self._of_pods(rows)[1]

    def spent_s(self, rows: Ints) -> Floats:
        """CPU seconds that each of these pods has spent on requests up to the end of its latest step."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        spent, of = self._spent[rows], self._group_of[rows]
        if not len(of) or of.min() > NO_GROUP:
            spent += self._groups.done[of] * self._part[rows]
        else:
            has = np.flatnonzero(of != NO_GROUP)
            spent[has] += self._groups.done[of[has]] * self._part[rows[has]]
        return spent

    @property
    def spent_columns(self) -> tuple[Floats, Ints, Floats, Floats]:
        """By pod row what `spent_s` starts from, group (-1: none) and part of it; then what each group has done.

        Rows that are missing have spent nothing.
        """
        return self._spent, self._group_of, self._part, self._groups.done

    @property
    def busy_columns(self) -> tuple[Ints, Floats, Floats]:
        """By pod row group and part of it, as of `spent_columns`; then what a pod of each group is busy with."""
        return self._group_of, self._part, self._groups.busy_milli

    def mean_capacity_milli(self, position: int) -> float:
        """CPU that a pod of a workload may use, on average; 0 without pods."""
        groups = self._groups
        mine = (groups.service == position) & groups.takes
        return float(np.average(groups.capacity[mine], weights=groups.pods[mine])) if mine.any() else 0.0
