"""Pods that have used the same so far and go on doing so are counted once.

Most pods of a workload are such: they began together and are in one group of the load model. Kubelets still sample each
at its own times, so samples are taken pod by pod, out of the steps that were counted since. Where pods of a workload
have come, gone or moved between groups, only they are numbered anew.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Keys

if TYPE_CHECKING:
    from planner.kernels.metrics.pod_samples import PodSamples

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_MOST_STEPS = 16
_MOST_SHARE = 0.5
"""With more numbers than that a pod, counting by number is not worth it."""
_SPARE = 4
"""Room for so many times the numbers there are at first."""
_NO_NUMBER = -1


class UseKey(NamedTuple):
    """What pods must have in common to go on using the same."""

    era: int
    """Another number: whatever was known of any pods holds no longer."""
    version: tuple[int, ...]
    """As long as it is the same, all is."""
    marks: Callable[[], Ints]
    """By workload, another number whenever something about its pods has changed."""
    workload: NDArray[np.int32]
    """By pod row; pods of different workloads are never alike."""
    pods_of: Callable[[int], Ints]
    """The pods of a workload."""
    kind_of: Callable[[Ints], Ints]
    columns: tuple[Ints, Floats, Ints, Floats]
    """By pod row: what it has used besides others of its kind, and spent on requests; its group and part of that."""

    def still_holds(self, known: "UseKey") -> bool:
        """Whether nothing has changed since a key that was `known`."""
        return self.version == known.version and self.era == known.era


class Started(NamedTuple):
    """By pod row, for pods that are new."""

    us: Callable[[Ints], Ints]
    keys: Callable[[Ints], Keys]


class AlikePods:
    """Numbers of the pods that are alike, and the steps counted since their samples were taken last."""

    def __init__(self, samples: "PodSamples", pods: Ints, use: UseKey, started: Started) -> None:
        from planner.kernels.metrics import alike_samples

        self._kernel, self._samples = alike_samples, samples
        self._pods, self.use, self._started = pods, use, started
        self._marks = use.marks()
        self._number: Ints = np.full(samples.room, _NO_NUMBER, np.int64)
        """By pod row."""
        self._members: dict[int, tuple[Ints, Ints]] = {}
        """By workload its pods, and the numbers that they have."""
        self._free: list[int] = []
        """Numbers that no pod has any more: they repeat one that is in use."""
        workload = use.workload[pods]
        order = np.argsort(workload, kind="stable")
        ordered, of = pods[order], workload[order]
        first = self._numbered(ordered)
        count, room = len(first), _SPARE * len(first) + 64
        self._first: Ints = np.empty(room, np.int64)
        self._last_us, self._total, self._before = np.empty((3, room), np.int64)
        self._put(np.arange(count), first)
        starts = np.flatnonzero(np.diff(of, prepend=-1))
        for row, some in zip(of[starts].tolist(), np.split(ordered, starts[1:]), strict=True):
            numbers = self._number[some]
            self._members[row] = some, np.arange(numbers[0], numbers.max() + 1)
        self._used = count
        """Numbers below are known, in use or free."""
        self._until_us: Ints = np.zeros(_MOST_STEPS, np.int64)
        self._usage_milli, self._totals = np.zeros((2, _MOST_STEPS, room), np.int64)
        self._steps = 0

    @property
    def first(self) -> Ints:
        """The row of one pod of each number."""
        return self._first[: self._used]

    @property
    def are_few(self) -> bool:
        """Whether pods are worth counting by number."""
        return self._used - len(self._free) <= _MOST_SHARE * len(self._pods)

    def are_those(self, pods: Ints) -> bool:
        """Whether these are the pods."""
        return pods is self._pods

    def follow(self, pods: Ints, use: UseKey) -> bool:
        """These are the pods now, of such a use; False if all of them are to be numbered anew."""
        if use.era != self.use.era:
            return False
        if use.version == self.use.version and pods is self._pods:
            return True
        marks, self.use, self._pods = use.marks(), use, pods
        changed = np.flatnonzero(marks != self._marks)
        self._marks = marks
        if (missing := self._samples.room - len(self._number)) > 0:
            self._number = np.concatenate((self._number, np.full(missing, _NO_NUMBER, np.int64)))
        for row in changed.tolist():
            self._leave(row)
        for row in changed.tolist():
            if not self._join(row):
                return False
        return self._repeat_for_free() and self.are_few

    def _leave(self, row: int) -> None:
        """The pods of a workload have no number any more."""
        known = self._members.pop(row, None)
        if known is None:
            return
        rows, numbers = known
        if self._steps:
            self._kernel.take_due(self._samples, rows, self._number, self._counted())
        self._kernel.part_ways(self._samples, rows, self._number, self._last_us, self._total)
        self._number[rows] = _NO_NUMBER
        self._free += numbers.tolist()

    def _join(self, row: int) -> bool:
        """The pods of a workload have numbers again; False if there are none left for them."""
        rows = self.use.pods_of(row)
        if not len(rows):
            return True
        first = self._numbered(rows)
        own = self._number[rows]
        self._number[rows] = _NO_NUMBER
        if self._steps and self._kernel.first_due_us(self._samples, rows) <= self._until_us[self._steps - 1]:
            self.take_due()  # of the others: a new pod with an old sample has no part in steps that were
        missing = len(first) - len(self._free)
        if missing > 0:
            if self._used + missing > len(self._first):
                return False
            self._free += range(self._used, self._used + missing)
            self._used += missing
        numbers = np.array(self._free[-len(first) :], np.int64)
        del self._free[-len(first) :]
        self._number[rows] = numbers[own]
        self._put(numbers, first)
        self._members[row] = rows, numbers
        return True

    def _numbered(self, rows: Ints) -> Ints:
        """Number pods from 0 on; the row of the first one of each number. Those that are new begin to be counted."""
        use, new = self.use, (self._started.us(rows), self._started.keys(rows))
        first = self._kernel.group(self._samples, rows, *new, use.kind_of(rows), use.columns, self._number)
        return np.asarray(rows[first])

    def _put(self, numbers: Ints, first: Ints) -> None:
        self._first[numbers] = first
        self._last_us[numbers], self._total[numbers], self._before[numbers] = self._kernel.counted(self._samples, first)

    def _repeat_for_free(self) -> bool:
        """Numbers without pods repeat one that has some; False if there is none."""
        if not self._members:
            return False
        if self._free:
            one = next(iter(self._members.values()))[1].item(0)
            for column in (self._first, self._last_us, self._total, self._before):
                column[self._free] = column[one]
        return True

    def count(self, now_us: int, spent: Floats) -> None:
        """As `KubeletSamples.count`, by number."""
        at = self._next_step(now_us)
        known = self._before, self._last_us, self._total
        self._kernel.count_numbers(now_us, spent, *known, self._usage_milli[at])
        self._totals[at] = self._total

    def advance(self, now_us: int, usage_milli: Ints) -> None:
        """As `KubeletSamples.advance`, by number."""
        at, last_us, total = self._next_step(now_us), self._last_us[: self._used], self._total[: self._used]
        total += usage_milli * np.maximum(0, now_us - last_us)
        last_us[:] = now_us
        self._usage_milli[at, : self._used], self._totals[at] = usage_milli, self._total

    def _next_step(self, now_us: int) -> int:
        if self._steps == _MOST_STEPS:
            self.take_due()
        at, self._steps = self._steps, self._steps + 1
        self._until_us[at] = now_us
        return at

    def take_due(self) -> None:
        """Take the samples that fell into the steps counted since this was called last."""
        if self._steps:
            self._kernel.take_due(self._samples, self._rows(), self._number, self._counted())
            self._steps = 0

    def take_steps(self) -> tuple[Ints, tuple[Ints, Ints, Ints]]:
        """Numbers by pod row and the same steps, for a kernel that takes these samples."""
        counted = self._counted()
        self._steps = 0
        return self._number, counted

    def _rows(self) -> Ints:
        """The pods that have numbers."""
        return np.flatnonzero(self._number != _NO_NUMBER)

    def _counted(self) -> tuple[Ints, Ints, Ints]:
        steps = self._steps
        return self._until_us[:steps], self._usage_milli[:steps], self._totals[:steps]

    def part_ways(self) -> None:
        """Pods are counted one by one from now on."""
        self.take_due()
        self._kernel.part_ways(self._samples, self._rows(), self._number, self._last_us, self._total)
