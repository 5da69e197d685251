"""CPU that running pods use: for the requests that they worked on, and for everything else.

docs/model.md, "CPU". CPU is milli-CPU, CPU time core-seconds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.workloads.cpu.cpu_meter import CpuMeter, Ended
from planner.workloads.cpu.mean_use import MeanUse, Rows, Sizes, UseOfRow
from planner.workloads.cpu.pod_cpu import KindsCpu, PodCpu
from planner.workloads.cpu.running_pods import NOT_RUNNING, Ints, Moved, RunningPods
from planner.workloads.load.demand import whole_milli
from planner.workloads.load.serving_pods import ServingPods

Floats = NDArray[np.float64]
_NO_ROWS: Ints = np.zeros(0, np.int64)


class UseMarks(NamedTuple):
    """What pods of a kind must have in common to go on using the same."""

    era: int
    """Another number after pods were looked at one by one."""
    version: tuple[int, int]
    """As long as it is the same, nothing has changed."""
    marks: Callable[[], Ints]
    """By workload row, another number whenever something about its pods has changed."""
    columns: tuple[Ints, Floats, Ints, Floats]
    """By pod row what they have used besides others of their kind, and spent on requests, their group and part."""

    def has(self, own: Ints, spent: Floats) -> bool:
        """Whether its first two columns are still these; the others go with them or with the version."""
        return self.columns[0] is own and self.columns[1] is spent


@dataclass(frozen=True)
class _Besides:
    """What running pods use besides requests since the latest refresh: by kind, and pod by pod on crowded nodes."""

    kinds: Ints
    members: Ints
    """Positions of the pods on crowded nodes,"""
    rows: Ints
    kind: Ints
    """their rows and kinds."""
    of_kind: KindsCpu
    of_member: PodCpu

    def each(self, of_kind: Ints, of_member: Ints, pods: RunningPods) -> Ints:
        """A column of all running pods."""
        column = of_kind[pods.kind]
        column[self.members] = of_member
        return column


class UsedCpu:
    """Present use and CPU time of pods."""

    def __init__(
        self, pods: RunningPods, serving: ServingPods, services: Ints, present_milli: Callable[[Ints], Ints] | None
    ) -> None:
        """`services`: workload rows of those that serve. `present_milli`: what running pods use for requests now, where
        no request ever waits; else -1. None: requests may wait at all of them."""
        self._pods, self._serving, self._services = pods, serving, services
        self._present_milli = present_milli
        self._meter, self._mean = CpuMeter(), MeanUse()
        self._besides: _Besides | None = None
        self._marked: UseMarks | None = None
        """The latest `key`."""
        self._looked_at = 0
        """Grows while pods are looked at one by one."""
        self._time_s, self._now_milli = _kernels()

    # -- keeping the books --------------------------------------------------------------------

    def spend(self, now_us: int) -> None:
        """What pods have used since the latest refresh counts."""
        now = self._besides
        if now is not None:
            self._looked_at += len(now.members)
            self._meter.spend(now_us, now.kinds, now.rows, now.kind, now.of_member.besides)

    def move(self, moved: Moved | None) -> None:
        """Pods have changed their kind."""
        if moved is not None:
            self._meter.move(moved, len(self._pods.count))
            gone = moved.after == NOT_RUNNING
            self._mean.end(Ended(moved.rows[gone], moved.node[gone]))

    def refresh(self, of_kind: KindsCpu, members: Ints, of_member: PodCpu) -> None:
        """What pods use besides requests from now on."""
        pods = self._pods
        rows, kind = (pods.rows[members], pods.kind[members]) if len(members) else (members, members)
        self._besides = _Besides(of_kind.besides, members, rows, kind, of_kind, of_member)

    # -- what others read ---------------------------------------------------------------------

    def milli(self) -> Ints:
        """What every running pod uses: for requests as in its latest step, besides as of the latest refresh."""
        now, pods = self._besides, self._pods
        if now is None:
            return np.zeros(0, np.int64)
        if self._now_milli is not None and self._present_milli is None:
            own, serving = (now.members, now.of_member.besides), pods.kinds.serving.view(np.uint8)
            return self._now_milli(pods.rows, pods.kind, now.kinds, own, serving, *self._serving.busy_columns)
        used = now.each(now.kinds, now.of_member.besides, pods)
        at = np.flatnonzero(pods.kinds.serving[pods.kind])
        present = np.full(len(at), -1, np.int64) if self._present_milli is None else self._present_milli(at)
        waits = np.flatnonzero(present < 0)
        if len(waits):
            present[waits] = whole_milli(self._serving.busy_milli(pods.rows[at[waits]]))
        used[at] += present
        return used

    def milli_of(self, rows: Ints, kind: Ints) -> Ints:
        """The same of running pods of these rows and kinds, where there is a `key`."""
        now, serving = self._besides, self._pods.kinds.serving.view(np.uint8)
        assert now is not None and self._now_milli is not None
        return self._now_milli(rows, kind, now.kinds, (_NO_ROWS, _NO_ROWS), serving, *self._serving.busy_columns)

    def key(self) -> UseMarks | None:
        """See `LoadModel.use_key`."""
        now, known = self._besides, self._marked
        if now is None or len(now.members) or self._now_milli is None or self._present_milli is not None:
            return None
        version, own = (self._pods.version, self._serving.version), self._meter.columns[0]
        spent, group, part, _ = self._serving.spent_columns
        if known is None or known.version != version or known.era != self._looked_at or not known.has(own, spent):
            marks = partial(_marks, self._pods, self._serving, self._services)  # nothing that holds what holds them
            known = self._marked = UseMarks(self._looked_at, version, marks, (own, spent, group, part))
        return known

    def received_milli(self, working: Ints) -> Ints:
        """What pods at these positions get for the work of Jobs."""
        now, pods = self._besides, self._pods
        if now is None:
            return np.zeros(0, np.int64)
        got = now.each(now.kinds - now.of_kind.before_work, now.of_member.besides - now.of_member.before_work, pods)
        return np.maximum(0, got[working])

    def spent_s(self, rows: Ints) -> Floats:
        """CPU time of pods so far: up to the end of the latest step for requests."""
        if self._time_s is not None:
            return self._time_s(rows, self._pods.columns[1], self._meter.columns, self._serving.spent_columns)
        return self._total_s(rows, self._pods.kind if rows is self._pods.rows else self._pods.kind_of(rows))

    def _total_s(self, rows: Ints, kind: Ints) -> Floats:
        return self._meter.used_s(rows, kind) + self._serving.spent_s(rows)

    def look(self, now_us: int, workload: Rows, sizes: Sizes) -> UseOfRow:
        """Mean use since the last look; `workload`: by pod row; `sizes`: how many workload and node rows there are."""
        pods, columns = self._pods, (self._meter.columns, self._serving.spent_columns)
        return self._mean.look(now_us, (pods.rows, pods.columns), (self._total_s, columns), workload, sizes)


def _marks(pods: RunningPods, serving: ServingPods, services: Ints) -> Ints:
    """See `UseMarks`."""
    marks = pods.marks.copy()
    marks[services] += serving.marks
    return marks


def _kernels() -> tuple[Callable[..., Floats] | None, Callable[..., Ints] | None]:
    """The compiled twins of `spent_s` and of `milli`."""
    if not switch.in_use():
        return None, None
    from planner.kernels.load.cpu_time import cpu_now_milli, cpu_time_s

    return cpu_time_s, cpu_now_milli
