"""The latest CPU and memory sample of every pod, as the metrics API returns it.

Pods are sampled all at the same times, or each at its own (`kubelet_samples`). An autoscaler sees a sample once the
delay is over.
"""

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch

_NO_MEMORY: NDArray[np.int64] = np.zeros((0, 0), np.int64)
NEVER_US = -(1 << 62)
"""No time of a run; times before its start are negative."""


Ints = NDArray[np.int64]
Visible = tuple[Ints, Ints, Ints, Ints, NDArray[np.uint8]]
"""Time, window, visible since, use, and whether that is another one than before."""


class _SampleBatch(NamedTuple):
    visible_us: int
    time_us: int | NDArray[np.int64]
    window_us: int | NDArray[np.int64]
    pods: NDArray[np.int64]
    usage_milli: NDArray[np.int64]
    memory: NDArray[np.int64] | None


class UsageSamples:
    """Columns by pod row: time and window of the sample in microseconds, milli-CPU, bytes. Time NEVER_US: no sample."""

    def __init__(self, delay_us: int = 0, staleness_us: int = 0) -> None:
        """`staleness_us`: how long a sample is kept of a pod that scrapes no longer find."""
        self._delay_us = delay_us
        self._staleness_us = staleness_us
        self.is_answering = True
        """Whether the metrics API answers at all."""
        self._waiting: deque[_SampleBatch] = deque()
        self.time_us: NDArray[np.int64] = np.full(0, NEVER_US, dtype=np.int64)
        self.window_us: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._shown_us: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self.usage_milli: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._memory: NDArray[np.int64] = np.zeros((1, 0), dtype=np.int64)
        self.losses = 0
        """Grows whenever samples are lost, which makes everything derived from them invalid."""
        self._is_changed: NDArray[np.bool_] = np.zeros(0, np.bool_)
        self._last: _SampleBatch | None = None
        """The batch that became visible last; None if samples were lost since."""
        self._kernel = _kernel()

    def record(
        self,
        now_us: int,
        window_us: int | NDArray[np.int64],
        pods: NDArray[np.int64],
        usage_milli: NDArray[np.int64],
        memory: NDArray[np.int64] | None = None,
        taken_us: NDArray[np.int64] | None = None,
    ) -> None:
        """Take a sample of the pods of these rows, each its own use over the window that ends now.

        `memory`: working sets in bytes, a row for each place of a container in a pod; None where no autoscaler follows
        memory. `taken_us`: the end of each window, where these differ.
        """
        kept = None if memory is None else np.atleast_2d(memory).copy()
        time_us = now_us if taken_us is None else taken_us
        visible_us = now_us + self._delay_us
        self._waiting.append(_SampleBatch(visible_us, time_us, window_us, pods.copy(), usage_milli.copy(), kept))
        self.advance(now_us)

    def visible_columns(self, pods: NDArray[np.int64]) -> Visible | None:
        """For a kernel that writes samples of the use of these pods, which become visible at once.

        None where they do not, and without kernels.
        """
        if self._kernel is None or self._delay_us or self._waiting:
            return None
        self.reserve(int(pods.max()) + 1 if len(pods) else 0)
        self._last = None
        return self.time_us, self.window_us, self._shown_us, self.usage_milli, self._is_changed.view(np.uint8)

    def advance(self, now_us: int) -> None:
        """Let samples become visible whose delay is over."""
        while self._waiting and self._waiting[0].visible_us <= now_us:
            self._show(self._waiting.popleft())

    def reserve(self, pod_count: int) -> None:
        """Make room for pod rows below `pod_count`; new rows have no sample."""
        missing = pod_count - len(self.time_us)
        if missing <= 0:
            return
        missing = max(missing, len(self.time_us), 64)
        zeros = np.zeros(missing, dtype=np.int64)
        self.time_us = np.concatenate([self.time_us, np.full(missing, NEVER_US, dtype=np.int64)])
        self.window_us = np.concatenate([self.window_us, zeros])
        self._shown_us = np.concatenate([self._shown_us, zeros])
        self.usage_milli = np.concatenate([self.usage_milli, zeros])
        self._is_changed = np.concatenate([self._is_changed, np.zeros(missing, np.bool_)])
        self._memory = np.pad(self._memory, ((0, 0), (0, missing)))

    def memory_of(self, pods: NDArray[np.int64], place: int | None = None) -> NDArray[np.int64]:
        """Working sets of pods, or of the container at one place in each of them, bytes.

        Containers that only a later template of the workload has are in no sample: they use nothing.
        """
        if place is not None and place >= len(self._memory):
            return np.zeros(len(pods), np.int64)
        return np.asarray(self._memory[:, pods].sum(axis=0) if place is None else self._memory[place, pods], np.int64)

    def set_answering(self, answers: bool) -> None:
        """Whether the metrics API answers from now on; when it fails, it loses all samples."""
        self.is_answering = answers
        if not answers:
            self._waiting.clear()
            self._last = None
            self.time_us[:] = NEVER_US
            self.losses += 1

    def expire(self, now_us: int, pods: NDArray[np.int64]) -> None:
        """A scrape has not found these pods: their samples are lost once they are stale."""
        self.reserve(int(pods.max()) + 1 if len(pods) else 0)
        is_stale = now_us - self._shown_us[pods] > self._staleness_us
        stale = pods[(self.time_us[pods] != NEVER_US) & is_stale]
        if len(stale):
            self.time_us[stale] = NEVER_US
            self._last = None
            self.losses += 1

    def take_changed(self) -> NDArray[np.int64]:
        """Rows whose use has changed since the last call."""
        changed = np.flatnonzero(self._is_changed)
        self._is_changed[changed] = False
        return changed

    def _show(self, batch: _SampleBatch) -> None:
        pods = batch.pods
        if len(pods):
            self.reserve(int(pods.max()) + 1)
        last, self._last = self._last, batch
        if batch.memory is not None and (more := len(batch.memory) - len(self._memory)) > 0:
            self._memory = np.pad(self._memory, ((0, more), (0, 0)))
        if self._kernel is not None:
            times = np.atleast_1d(batch.time_us), np.atleast_1d(batch.window_us)
            memory = _NO_MEMORY if batch.memory is None else batch.memory
            columns = self.time_us, self.window_us, self._shown_us, self.usage_milli, self._memory
            changed = self._kernel(pods, batch.usage_milli, memory, times, batch.visible_us, columns)
            self._is_changed[changed] = True
            return
        is_again = last is not None and np.array_equal(pods, last.pods)  # nothing is new of these pods but their use
        differs = self.usage_milli[pods] != batch.usage_milli
        if not is_again:
            differs |= self.time_us[pods] == NEVER_US
        if batch.memory is not None:
            differs |= (self._memory[:, pods] != batch.memory).any(axis=0)
            self._memory[:, pods] = batch.memory
        self._is_changed[pods[differs]] = True
        self.time_us[pods] = batch.time_us
        self._shown_us[pods] = batch.visible_us
        if not (is_again and _is_same_window(last, batch)):
            self.window_us[pods] = batch.window_us
        self.usage_milli[pods] = batch.usage_milli


def _is_same_window(last: _SampleBatch | None, batch: _SampleBatch) -> bool:
    """Whether both have one window for all pods, of the same length."""
    windows = (None if last is None else last.window_us), batch.window_us
    return isinstance(windows[0], int) and isinstance(windows[1], int) and windows[0] == windows[1]


def _kernel() -> Callable[..., NDArray[np.int64]] | None:
    """The compiled twin of `_show`."""
    if not switch.in_use():
        return None
    from planner.kernels.metrics.shown_samples import show

    return show
