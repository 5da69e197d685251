"""Pods that have used the same so far and go on doing so are counted once.

Most pods of a workload are such: they began together and are in one group of the load model. Kubelets still sample each
at its own times, so samples are taken pod by pod, out of the steps that were counted since.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Keys

if TYPE_CHECKING:
    from planner.kernels.pod_samples import PodSamples

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_MOST_STEPS = 16
_MOST_SHARE = 0.5
"""With more numbers than that a pod, counting by number is not worth it."""


class UseKey(NamedTuple):
    """What pods must have in common to go on using the same."""

    as_long_as: tuple[Any, ...]
    """It is so until one of these is another object or number."""
    kinds: Ints
    """By pod, in the order of their rows."""
    columns: tuple[Ints, Floats, Ints, Floats]
    """By pod row: what it has used besides others of its kind, and spent on requests; its group and part of that."""

    def still_holds(self, known: "UseKey") -> bool:
        """Whether pods that were alike by a key that was `known` are alike by this one."""
        pairs = zip(self.as_long_as, known.as_long_as, strict=True)
        return all(one is other or (isinstance(one, int) and one == other) for one, other in pairs)


class AlikePods:
    """Numbers of the pods that are alike, and the steps counted since their samples were taken last."""

    def __init__(
        self, kernel: "PodSamples", pods: Ints, keys: Keys, started_us: Ints, use: UseKey, columns: tuple[Ints, ...]
    ) -> None:
        """`columns`: of `KubeletSamples`: until when each pod was counted, what it had used by then, and before 0."""
        self._kernel, self._pods, self._keys, self.use = kernel, pods, keys, use
        self._of: Ints = np.empty(len(pods), np.int64)
        self.first: Ints = kernel.group(pods, started_us, keys, use.kinds, use.columns, self._of)
        """Positions of one pod of each number."""
        self.last_us, self.total, self._before = (column[pods[self.first]] for column in columns)
        count = len(self.first)
        self._until_us: Ints = np.zeros(_MOST_STEPS, np.int64)
        self._usage_milli, self._totals = np.zeros((2, _MOST_STEPS, count), np.int64)
        self._steps = 0

    @property
    def are_few(self) -> bool:
        """Whether pods are worth counting by number."""
        return len(self.first) <= _MOST_SHARE * len(self._pods)

    def are_those(self, pods: Ints) -> bool:
        """Whether these are the pods."""
        return pods is self._pods

    def are(self, pods: Ints, use: UseKey) -> bool:
        """Whether these pods, of such a use, are still numbered like that."""
        return pods is self._pods and use.still_holds(self.use)

    def count(self, now_us: int, spent: Floats) -> None:
        """As `KubeletSamples.count`, by number."""
        at = self._next_step(now_us)
        self._kernel.count_numbers(now_us, spent, self._before, self.last_us, self.total, self._usage_milli[at])
        self._totals[at] = self.total

    def advance(self, now_us: int, usage_milli: Ints) -> None:
        """As `KubeletSamples.advance`, by number."""
        at = self._next_step(now_us)
        self.total += usage_milli * np.maximum(0, now_us - self.last_us)
        self.last_us[:] = now_us
        self._usage_milli[at], self._totals[at] = usage_milli, self.total

    def _next_step(self, now_us: int) -> int:
        if self._steps == _MOST_STEPS:
            self.take_due()
        at, self._steps = self._steps, self._steps + 1
        self._until_us[at] = now_us
        return at

    def take_due(self) -> None:
        """Take the samples that fell into the steps counted since this was called last."""
        self._kernel.take_due(self._pods, self.take_steps())

    def take_steps(self) -> tuple[Keys, Ints, Ints, Ints, Ints]:
        """The same steps, for a kernel that takes these samples."""
        steps, self._steps = self._steps, 0
        counted = self._until_us[:steps], self._usage_milli[:steps], self._totals[:steps]
        return self._keys, self._of, *counted

    def part_ways(self) -> None:
        """Pods are counted one by one from now on."""
        self.take_due()
        self._kernel.part_ways(self._pods, self._of, self.last_us, self.total)
