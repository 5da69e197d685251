"""CPU samples with realistic phases: a kubelet samples each pod at different times.

The kubelet samples at the start and then at random distances of one to two times its interval; metrics-server
reads the newest sample at fixed times and divides by the distance of the two newest distinct ones (cAdvisor,
manager/container.go; metrics-server, pkg/storage/pod.go). CPU is milli-CPU, integrals are milli-CPU microseconds.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import Draws, Keys, next_uniform
from planner.hpa.metrics.alike_pods import AlikePods, Started, UseKey
from planner.hpa.metrics.metrics_pipeline import Visible
from planner.kernels import switch

if TYPE_CHECKING:
    from planner.kernels.metrics.pod_samples import PodSamples

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
YOUNG_US = 10_000_000
"""A container with a single sample is served from this age on, until it is as old as the resolution."""
_UNSEEN = -(1 << 62)
"""No time of a run; times before its start are negative."""


class Served(NamedTuple):
    """Pods with a sample: rows, use, time and window of each."""

    pods: Ints
    usage_milli: Ints
    time_us: Ints
    window_us: Ints


class Taken(NamedTuple):
    """The newest sample of pods: its time, and what each pod has used from its start until then."""

    pods: Ints
    time_us: Ints
    total: Ints


class KubeletSamples:
    """Integrals and samples by pod row."""

    def __init__(self, interval_us: int, resolution_us: int, draws: Draws, keys_of: Callable[[Ints], Keys]) -> None:
        """`interval_us`: shortest distance of two samples; `resolution_us`: distance of two scrapes.

        `keys_of`: what the draws of pod rows are keyed by.
        """
        self._interval_us = interval_us
        self._resolution_us = resolution_us
        self._draws, self._keys_of = draws.of("metrics/sample distance"), keys_of
        self._columns: Ints = np.full((len(_ALL), 0), _UNSEEN, np.int64)
        self._kernel = self._made_kernel()
        self._keyed: tuple[Ints, Keys] | None = None
        """The pods of the latest call and their keys."""
        self._alike: AlikePods | None = None
        """Those that are counted by number."""
        self._unlike: UseKey | None = None
        """Of pods that turned out not to be worth it."""

    def __getstate__(self) -> dict[str, Any]:
        """Copies look at their own columns."""
        self._part_ways()
        return vars(self) | {"_kernel": None, "_keyed": None, "_unlike": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._kernel = self._made_kernel()
        if self._kernel is not None:
            self._kernel.read(self._columns)

    def follow(self, pods: Ints, started_us: Callable[[Ints], Ints], use: UseKey | None) -> Ints | None:
        """The pods that are to be counted for all those that are alike until the next call.

        None: each of them is to be counted. `use`: what they must have in common; None where they have nothing.
        """
        if use is None or self._kernel is None or not len(pods):
            self._part_ways()
            return None
        if self._unlike is not None and use.still_holds(self._unlike):
            return None
        if self._alike is None or not self._alike.are_those(pods):
            self._reserve(int(pods.max()) + 1)
        if self._alike is not None and self._alike.follow(pods, use):
            return self._alike.first
        self._part_ways()
        found = AlikePods(self._kernel, pods, use, Started(started_us, self._keys_of))
        self._alike, self._unlike = (found, None) if found.are_few else (None, use)
        return found.first if found.are_few else None

    def count_alike(self, now_us: int, spent: Floats) -> None:
        """As `count`, for the pods that `follow` gave."""
        assert self._alike is not None
        self._alike.count(now_us, spent)

    def advance_alike(self, now_us: int, usage_milli: Ints) -> None:
        """As `advance`, for the pods that `follow` gave."""
        assert self._alike is not None
        self._alike.advance(now_us, usage_milli)

    def _part_ways(self) -> None:
        known, self._alike = self._alike, None
        if known is not None:
            known.part_ways()

    def count(self, now_us: int, pods: Ints, spent: Floats, started_us: Ints) -> None:
        """These pods have spent so much in this run; they used it evenly since the last call.

        Counters grow by whole milli-CPU; what is missing then comes with the next call.
        """
        self._part_ways()
        if self._kernel is not None:
            self._kernel.count(now_us, pods, spent, started_us, self._keys(pods))
            return
        last_us, total = self._counters(pods, started_us)
        length_us = np.maximum(1, now_us - last_us)
        spent = spent + self._columns[_BEFORE][pods]
        usage_milli = np.maximum(0, np.rint((spent - total) / length_us)).astype(np.int64)
        self._advance(now_us, pods, usage_milli, last_us, total)

    def advance(self, now_us: int, pods: Ints, usage_milli: Ints, started_us: Ints) -> None:
        """These pods have used so much since the last call, or since their start; samples are taken on the way."""
        self._part_ways()
        if self._kernel is not None:
            self._kernel.advance(now_us, pods, usage_milli, started_us, self._keys(pods))
            return
        self._advance(now_us, pods, usage_milli, *self._counters(pods, started_us))

    def remember(self, pods: Ints, usage_milli: Ints, since_us: Ints, started_us: Ints) -> None:
        """These pods, not seen so far, have used so much from a time before the run until its start, at 0."""
        self._counters(pods, since_us)
        self._columns[_STARTED, pods] = started_us
        self._columns[_BEFORE, pods] = -usage_milli * since_us

    def _counters(self, pods: Ints, started_us: Ints) -> tuple[Ints, Ints]:
        """Until when these pods were counted, and what they had used by then."""
        self._reserve(int(pods.max()) + 1 if len(pods) else 0)
        last_us = self._columns[_LAST][pods]
        new = np.flatnonzero(last_us == _UNSEEN)
        if len(new):
            self._begin(pods[new], started_us[new])
            last_us[new] = started_us[new]
        return last_us, self._columns[_TOTAL][pods]

    def _advance(self, now_us: int, pods: Ints, usage_milli: Ints, last_us: Ints, total: Ints) -> None:
        due, taken, taken_total = self._columns[_DUE], self._columns[_TAKEN], self._columns[_TAKEN_TOTAL]
        ripe = np.flatnonzero(due[pods] <= now_us)
        while len(ripe):
            rows = pods[ripe]
            taken[rows] = moment_us = due[rows]
            taken_total[rows] = total[ripe] + usage_milli[ripe] * (moment_us - last_us[ripe])
            due[rows] = next_us = moment_us + self._distances_us(rows)
            ripe = ripe[next_us <= now_us]
        self._columns[_TOTAL][pods] = total + usage_milli * np.maximum(0, now_us - last_us)
        self._columns[_LAST][pods] = now_us

    def _take_due(self) -> None:
        if self._alike is not None:
            self._alike.take_due()

    def newest(self, pods: Ints) -> Taken:
        """The newest sample of these pods."""
        self._take_due()
        self._reserve(int(pods.max()) + 1 if len(pods) else 0)
        known = pods[self._columns[_TAKEN, pods] != _UNSEEN]
        return Taken(known, self._columns[_TAKEN, known], self._columns[_TAKEN_TOTAL, known])

    def scrape(self, pods: Ints, started_us: Ints) -> Served:
        """What metrics-server returns of these pods after a scrape now."""
        self._take_due()
        self._reserve(int(pods.max()) + 1 if len(pods) else 0)
        if self._kernel is not None:
            return Served(*self._kernel.scrape(pods, started_us))
        columns = self._columns
        fresh = pods[(columns[_TAKEN, pods] != columns[_NEW, pods]) & (columns[_TAKEN, pods] != _UNSEEN)]
        columns[_OLD, fresh], columns[_OLD_TOTAL, fresh] = columns[_NEW, fresh], columns[_NEW_TOTAL, fresh]
        columns[_NEW, fresh], columns[_NEW_TOTAL, fresh] = columns[_TAKEN, fresh], columns[_TAKEN_TOTAL, fresh]
        newest_us, older_us = columns[_NEW, pods], columns[_OLD, pods]
        age_us = newest_us - started_us
        is_young = (older_us == _UNSEEN) & (age_us >= YOUNG_US) & (age_us < self._resolution_us)
        served = (newest_us != _UNSEEN) & ((older_us != _UNSEEN) | is_young)
        rows = pods[served]
        window_us = np.where(is_young, age_us, newest_us - older_us)[served]
        before = np.where(is_young, 0, columns[_OLD_TOTAL, pods])[served]
        # metrics-server serves nano-CPU, and MilliValue() of the autoscaler rounds up.
        usage = -((before - columns[_NEW_TOTAL, rows]) // window_us)
        return Served(rows, usage, newest_us[served], window_us)

    def show(self, now_us: int, pods: Ints, columns: Visible) -> None:
        """As `scrape`, with kernels: what is served becomes visible at once, in columns of `UsageSamples`."""
        assert self._kernel is not None
        from planner.kernels.metrics.alike_samples import show

        if self._alike is not None and self._alike.are_those(pods):
            show(self._kernel, pods, self._alike.take_steps(), now_us, columns)
            return
        self._reserve(int(pods.max()) + 1 if len(pods) else 0)
        self._take_due()
        show(self._kernel, pods, None, now_us, columns)

    def forget_scrapes(self) -> None:
        """metrics-server restarts: it serves a pod again after two more scrapes."""
        self._columns[_NEW : _OLD_TOTAL + 1] = _UNSEEN

    def _begin(self, pods: Ints, started_us: Ints) -> None:
        """The first sample is taken at the start, when nothing has been used yet."""
        for column in (_LAST, _TAKEN, _STARTED):
            self._columns[column, pods] = started_us
        self._columns[_TOTAL, pods] = self._columns[_TAKEN_TOTAL, pods] = 0
        self._columns[_BEFORE, pods] = 0
        self._columns[_STREAM, pods] = self._draws.stream(self._keys_of(pods)).view(np.int64)
        self._columns[_DUE, pods] = started_us + self._distances_us(pods)

    def _distances_us(self, pods: Ints) -> Ints:
        """From the samples of these pods to the next ones."""
        share, following = next_uniform(self._columns[_STREAM, pods].view(np.uint64))
        self._columns[_STREAM, pods] = following.view(np.int64)
        return self._interval_us + (share * (self._interval_us + 1)).astype(np.int64)

    def _reserve(self, count: int) -> None:
        missing = count - self._columns.shape[1]
        if missing > 0:
            more = np.full((len(_ALL), max(missing, self._columns.shape[1], 64)), _UNSEEN, np.int64)
            self._columns = np.concatenate([self._columns, more], axis=1)
            if self._kernel is not None:
                self._kernel.read(self._columns)

    def _keys(self, pods: Ints) -> Keys:
        """Room for these pods, and what their draws are keyed by; most calls are about the pods of the one before."""
        if self._keyed is None or self._keyed[0] is not pods:
            self._reserve(int(pods.max()) + 1 if len(pods) else 0)
            self._keyed = pods, self._keys_of(pods)
        return self._keyed[1]

    def _made_kernel(self) -> "PodSamples | None":
        """The compiled twin of what happens to the columns."""
        if not switch.in_use():
            return None
        from planner.kernels.metrics.pod_samples import PodSamples

        return PodSamples(self._interval_us, self._resolution_us, YOUNG_US, self._draws.salt)


_ALL = range(12)
_BEFORE, _LAST, _TOTAL, _STREAM, _DUE, _TAKEN, _TAKEN_TOTAL, _NEW, _NEW_TOTAL, _OLD, _OLD_TOTAL, _STARTED = _ALL
