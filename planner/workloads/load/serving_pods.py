"""The pods of each workload that serve requests: which these are from now on, and how they advance.

They are looked at in groups (`step/formed_groups.py`). A backlog belongs to the pod that holds it: a new pod begins
without one, and a pod that left its Service only finishes what it has.
"""

import numpy as np

from planner.units import US_PER_S
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.grouped_pods import NO_GROUP, Bools, GroupedPods
from planner.workloads.load.pod_columns import Groups, PodsThatServe
from planner.workloads.load.step.compiled_groups import compiled_groups
from planner.workloads.load.step.compiled_steps import compiled_steps
from planner.workloads.load.step.formed_groups import formed_groups, numbers_of, of_one_queue
from planner.workloads.load.step.known_groups import KnownGroups
from planner.workloads.load.step.load_step import WorkloadSteps, rate_at_pods
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.pod_queue import losses_of
from planner.workloads.load.step.slowed_pods import slowed

_ROUNDING = 1e-9


class ServingPods(GroupedPods):
    """Gives pods to the workloads, and advances all of their groups."""

    def __init__(self, demands: Demands, scalar_twins: bool = True) -> None:
        super().__init__(demands)
        self.regroups = self._shares
        """Services whose groups are formed anew whenever they are given pods, be they the same ones."""
        self._known_groups = KnownGroups(demands, scalar_twins)
        self._compiled = compiled_steps(demands)
        self._regrouped = compiled_groups(demands)
        self._known: tuple[Groups, PodGroups] | None = None
        """All groups, and what is known of them as long as these are the groups."""
        self._mergeable = self._groups.service, False
        """Whether some could become alike, likewise."""

    # -- who serves ---------------------------------------------------------------------------

    def replace(self, positions: Ints, pods: PodsThatServe) -> Floats:
        """The pods of the workloads at `positions` from now on; returns the requests lost with pods, by position."""
        self._reserve(int(pods.rows.max()) + 1 if len(pods.rows) else 0)
        size = len(self._all)
        chosen = self._changed(positions, pods)
        if not chosen.any():
            return np.zeros(size)
        if self._regrouped is not None and not (chosen & self._shares).any():
            groups, rows, lost = self._regrouped.form(chosen, self._rows)
            self._have(chosen, groups, rows)
            return lost
        pods, groups = pods.take(np.flatnonzero(chosen[pods.service])), self._groups
        before = self._sums(groups.pods * groups.held * chosen[groups.service])
        held, busy = self._of_pods(pods.rows)
        self._leave(self._rows_of(chosen))
        stays = np.flatnonzero(pods.takes | ((held > 0.0) & ~self._shares[pods.service]))
        if len(stays) < len(pods.rows):
            pods, held, busy = pods.take(stays), held[stays], busy[stays]
        workers = np.flatnonzero(self._shares[pods.service])
        if len(workers):
            pods, held, busy, part = of_one_queue(self._demands, workers, pods, held, busy, before)
            self._part[pods.rows[workers]] = part
        self._join(chosen, *formed_groups(self._demands, pods, held, busy))
        lost = before - np.bincount(pods.service, held, minlength=size)
        return np.where(lost > _ROUNDING * before, lost, 0.0)

    def _changed(self, positions: Ints, pods: PodsThatServe) -> Bools:
        """Which of these workloads have other pods than before, or pods that can do more or less.

        The groups of the others stay as they are to the last bit, whatever happens beside them.
        """
        groups, size = self._groups, len(self._all)
        chosen = np.zeros(size, np.bool_)
        if self._regrouped is not None:
            chosen[positions] = self._shares[positions]
            self._regrouped.find_changed(positions, pods, groups, (self._group_of, self._spent, self._part), chosen)
            return chosen
        chosen[positions] = True
        of = self._group_of[pods.rows]
        at = np.flatnonzero(of != NO_GROUP)
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
        rows = self._rows_of(chosen)
        of, part = self._group_of[rows], self._part[rows]
        held, busy = self._of_pods(rows)
        self._leave(rows)
        self._part[rows] = part
        merged = PodsThatServe(groups.service, *groups[:5]).take(of)
        self._join(chosen, *formed_groups(self._demands, merged._replace(rows=rows), held, busy))

    def _may_merge(self) -> bool:
        """Whether some groups could become alike; the same until groups change."""
        groups = self._groups
        if self._mergeable[0] is not groups.service:
            self._mergeable = groups.service, groups.have_twins()
        return self._mergeable[1]

    # -- what they do -------------------------------------------------------------------------

    def groups(self, positions: Ints) -> PodGroups:
        """The pods of some workloads, numbered by their places in `positions` (ascending)."""
        if len(positions) == len(self._all):
            if self._known is None or self._known[0] is not self._groups:
                self._known = self._groups, self._of(positions, self._groups)
            return self._known[1]
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
        losses = self._losses(positions, rate) if self._compiled.some_lose else None
        return self._compiled.step(positions, rate, dt_us, losses)

    def step_all(self, rate: Floats, dt_us: int) -> WorkloadSteps | None:
        """The same of all workloads; what it returns is written over by the next such step."""
        compiled = self._compiled
        if compiled is None:
            return None
        compiled.regroup(self._groups)
        if not compiled.knows_all:
            return None
        return compiled.step_all(rate, dt_us, self._losses(self._all, rate) if compiled.some_lose else None)

    def _losses(self, positions: Ints, rate: Floats) -> Floats | None:
        groups = self.groups(positions)
        return losses_of(groups, rate_at_pods(groups, rate), self.held(positions))

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
