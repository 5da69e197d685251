"""The pods of each workload that serve requests: who works on what, and how much work each has done.

They are looked at in groups (`step/formed_groups.py`). A backlog belongs to the pod that holds it: a new pod begins
without one, and a pod that left its Service only finishes what it has.
"""

import numpy as np
from numpy.typing import NDArray

from planner.units import US_PER_S
from planner.workloads.latency.laws import SHARED_QUEUE
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import Groups, PodsThatServe, no_groups
from planner.workloads.load.step.compiled_steps import compiled_steps
from planner.workloads.load.step.formed_groups import formed_groups, numbers_of, of_one_queue
from planner.workloads.load.step.known_groups import KnownGroups
from planner.workloads.load.step.load_step import WorkloadSteps, rate_at_pods
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.pod_queue import losses_of
from planner.workloads.load.step.slowed_pods import slowed

Bools = NDArray[np.bool_]
_NO_GROUP = -1
_ROUNDING = 1e-9


class ServingPods:
    """Groups of pods by position of their workload, and what each pod has spent on requests."""

    def __init__(self, demands: Demands, scalar_twins: bool = True) -> None:
        self._demands = demands
        self._known_groups = KnownGroups(demands, scalar_twins)
        self._all = np.arange(len(demands.cv))
        self._shares = self.regroups = demands.balancer == SHARED_QUEUE
        """Services whose groups are formed anew whenever they are given pods, be they the same ones."""
        self._compiled = compiled_steps(demands)
        self._groups = no_groups()
        self._known: PodGroups | None = None
        self._one_each = self._groups.service, False
        """Whether each workload has one group, as long as these are the workloads of the groups."""
        self._mergeable = self._groups.service, False
        """Whether some could become alike, likewise."""
        self._rows: Ints = np.zeros(0, np.int64)
        """Pods with a group, ascending."""
        self._group_of: Ints = np.zeros(0, np.int64)
        self._spent: Floats = np.zeros(0)
        """CPU seconds of requests by pod row, up to when its group was formed."""
        self._part: Floats = np.zeros(0)
        """What a pod does of the work of a mean pod of its group; others than 1 take from one queue."""

    # -- who serves ---------------------------------------------------------------------------

    def replace(self, positions: Ints, pods: PodsThatServe) -> Floats:
        """The pods of the workloads at `positions` from now on; returns the requests lost with pods, by position."""
        self._reserve(int(pods.rows[-1]) + 1 if len(pods.rows) else 0)
        size = len(self._all)
        chosen = self._changed(positions, pods)
        if not chosen.any():
            return np.zeros(size)
        pods, groups = pods.take(np.flatnonzero(chosen[pods.service])), self._groups
        before = self._sums(groups.pods * groups.held * chosen[groups.service])
        held, busy = self._of_pods(pods.rows)
        self._leave(chosen)
        stays = np.flatnonzero(pods.takes | ((held > 0.0) & ~self._shares[pods.service]))
        if len(stays) < len(pods.rows):
            pods, held, busy = pods.take(stays), held[stays], busy[stays]
        workers = np.flatnonzero(self._shares[pods.service])
        if len(workers):
            pods, held, busy, part = of_one_queue(self._demands, workers, pods, held, busy, before)
            self._part[pods.rows[workers]] = part
        self._join(*formed_groups(self._demands, pods, held, busy))
        lost = before - np.bincount(pods.service, held, minlength=size)
        return np.where(lost > _ROUNDING * before, lost, 0.0)

    def _changed(self, positions: Ints, pods: PodsThatServe) -> Bools:
        """Which of these workloads have other pods than before, or pods that can do more or less.

        The groups of the others stay as they are to the last bit, whatever happens beside them.
        """
        groups, size = self._groups, len(self._all)
        chosen = np.zeros(size, np.bool_)
        chosen[positions] = True
        of = self._group_of[pods.rows]
        at = np.flatnonzero(of != _NO_GROUP)
        other = pods.takes.copy()
        other[at] = (
            (groups.capacity[of[at]] != pods.capacity[at])
            | (groups.cores[of[at]] != pods.cores[at])
            | (groups.takes[of[at]] != pods.takes[at])
            | (groups.slower[of[at]] != pods.slower[at])
        )
        changed = self._shares.copy()
        changed[pods.service[other]] = True
        changed |= np.bincount(pods.service[at], minlength=size) != self._sums(groups.pods)
        return np.asarray(changed & chosen)

    def _of_pods(self, rows: Ints) -> tuple[Floats, Floats]:
        """Requests at these pods, and what each used for requests in its latest step."""
        of = self._group_of[rows]
        if not len(of) or of.min() > _NO_GROUP:
            return self._groups.held[of], self._groups.busy_milli[of] * self._part[rows]
        held, busy = np.zeros((2, len(rows)))
        had = np.flatnonzero(of != _NO_GROUP)
        held[had] = self._groups.held[of[had]]
        busy[had] = self._groups.busy_milli[of[had]] * self._part[rows[had]]
        return held, busy

    def _leave(self, chosen: Bools) -> None:
        """Groups of some services end; their pods keep what they have spent."""
        of = self._group_of[self._rows]
        left = chosen[self._groups.service[of]]
        rows, of = self._rows[left], of[left]
        self._spent[rows] += self._groups.done[of] * self._part[rows]
        self._group_of[rows], self._part[rows] = _NO_GROUP, 1.0
        stay = np.flatnonzero(~chosen[self._groups.service])
        place = np.full(len(chosen) + len(self._groups.service), _NO_GROUP, np.int64)
        place[stay] = np.arange(len(stay))
        self._rows = self._rows[~left]
        self._group_of[self._rows] = place[self._group_of[self._rows]]
        self._groups = self._groups.take(stay)

    def _join(self, new: Groups, rows: Ints, of: Ints) -> None:
        """Groups of other services than those that are there, the rows of their pods and the group of each."""
        kept = self._groups
        self._known = None
        self._group_of[rows] = of + len(kept.service)
        more = np.sort(rows)
        self._rows = np.insert(self._rows, np.searchsorted(self._rows, more), more)
        both = Groups(*(np.concatenate(pair) for pair in zip(kept, new, strict=True)))
        if len(kept.service) and len(new.service):
            order = np.argsort(both.service, kind="stable")
            place = np.empty(len(order), np.int64)
            place[order] = np.arange(len(order))
            self._group_of[self._rows] = place[self._group_of[self._rows]]
            both = both.take(order)
        self._groups = both

    def merge(self) -> None:
        """Pods that have become alike are one group again."""
        groups = self._groups
        if len(groups.service) == len(self._all) or not self._may_merge():
            return
        order = np.lexsort((groups.held, groups.slower, groups.cores, groups.capacity, ~groups.takes, groups.service))
        first = PodsThatServe(groups.service, *groups[:5]).take(order)
        numbers = numbers_of(self._demands, first, groups.held[order])
        alike = np.flatnonzero(numbers[1:] == numbers[:-1])
        if not len(alike):
            return
        chosen = np.zeros(len(self._all), np.bool_)
        chosen[first.service[alike]] = True
        rows = self._rows[chosen[groups.service[self._group_of[self._rows]]]]
        of, part = self._group_of[rows], self._part[rows]
        held, busy = self._of_pods(rows)
        self._leave(chosen)
        self._part[rows] = part
        merged = PodsThatServe(groups.service, *groups[:5]).take(of)
        self._join(*formed_groups(self._demands, merged._replace(rows=rows), held, busy))

    def _may_merge(self) -> bool:
        """Whether some groups could become alike; the same until groups change."""
        groups = self._groups
        if self._mergeable[0] is not groups.service:
            self._mergeable = groups.service, groups.have_twins()
        return self._mergeable[1]

    def _reserve(self, count: int) -> None:
        missing = count - len(self._group_of)
        if missing > 0:
            more = max(missing, len(self._group_of), 64)
            self._group_of = np.r_[self._group_of, np.full(more, _NO_GROUP, np.int64)]
            self._spent, self._part = np.r_[self._spent, np.zeros(more)], np.r_[self._part, np.ones(more)]

    # -- what they do -------------------------------------------------------------------------

    def groups(self, positions: Ints) -> PodGroups:
        """The pods of some workloads, numbered by their places in `positions` (ascending)."""
        if len(positions) == len(self._all):
            if self._known is None:
                self._known = self._of(positions, self._groups)
            return self._known
        mine, place = self._groups_of(positions)
        groups = self._groups.take(mine)
        return self._of(positions, groups._replace(service=place[groups.service]))

    def held(self, positions: Ints) -> Floats:
        """Requests at a pod of each of these groups."""
        if len(positions) == len(self._all):
            return self._groups.held.copy()
        return self._groups.held[self._groups_of(positions)[0]]

    def step(self, positions: Ints, rate: Floats, dt_us: Ints) -> WorkloadSteps | None:
        """A step of some workloads (ascending), which get `rate` requests per second each, by the kernel.

        Its result is kept. None: without kernels, or where there are pods that they do not know.
        """
        if self._compiled is None:
            return None
        self._compiled.regroup(self._groups)
        if not self._compiled.know(positions):
            return None
        losses = None
        if self._compiled.some_lose:
            groups = self.groups(positions)
            losses = losses_of(groups, rate_at_pods(groups, rate), self.held(positions))
        return self._compiled.step(positions, rate, dt_us, losses)

    def keep(self, positions: Ints, held: Floats, served: Floats, dt_us: Ints) -> None:
        """What pods of these groups hold at the end of a step, and how many requests each has served in it."""
        groups = self._groups
        mine, place = self._groups_of(positions)
        service = groups.service[mine]
        spent = served * self._demands.cpu_seconds[service] * groups.slower[mine]
        groups.held[mine] = held
        groups.done[mine] += spent
        groups.busy_milli[mine] = spent * (1000.0 * US_PER_S) / dt_us[place[service]]

    def _groups_of(self, positions: Ints) -> tuple[Ints, Ints]:
        """Numbers of the groups of some workloads; the place of each workload in `positions`."""
        if len(positions) == len(self._all):
            return np.arange(len(self._groups.service)), self._all
        place = np.full(len(self._all), -1, np.int64)
        place[positions] = np.arange(len(positions))
        return np.flatnonzero(place[self._groups.service] >= 0), place

    def _of(self, positions: Ints, groups: Groups) -> PodGroups:
        found = self._known_groups.of(
            positions, groups.service, groups.pods, groups.capacity, groups.cores, groups.takes
        )  # fmt: skip
        return found if (groups.slower == 1.0).all() else slowed(found, groups.slower)

    # -- what others read ---------------------------------------------------------------------

    def in_flight(self) -> Floats:
        """Requests that each workload holds."""
        return self._sums(self._groups.pods * self._groups.held)

    def _sums(self, values: Floats | Ints) -> Floats:
        return np.bincount(self._groups.service, values, minlength=len(self._all)).astype(np.float64)

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

    def waiting_s(self, pod: int) -> float:
        """How long a pod that gets no more requests takes until the last one that waits there begins."""
        group = int(self._group_of[pod]) if pod < len(self._group_of) else _NO_GROUP
        if group == _NO_GROUP or self._shares[service := int(self._groups.service[group])]:
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
        found, of = np.zeros(len(rows), np.int64), self._group_of[rows]
        has_group = of != _NO_GROUP
        found[has_group] = self._groups.capacity[of[has_group]]
        return found

    def busy_milli(self, rows: Ints) -> Floats:
        """CPU that each of these pods used for requests in its latest step."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        return self._of_pods(rows)[1]

    def spent_s(self, rows: Ints) -> Floats:
        """CPU seconds that each of these pods has spent on requests up to the end of its latest step."""
        self._reserve(int(rows.max()) + 1 if len(rows) else 0)
        spent, of = self._spent[rows], self._group_of[rows]
        if not len(of) or of.min() > _NO_GROUP:
            spent += self._groups.done[of] * self._part[rows]
        else:
            has = np.flatnonzero(of != _NO_GROUP)
            spent[has] += self._groups.done[of[has]] * self._part[rows[has]]
        return spent

    @property
    def formed(self) -> Ints:
        """Another object once groups were formed anew, or pods moved between them."""
        return self._groups.service

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
