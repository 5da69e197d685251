"""CPU use as the rate of a counter over a window: Prometheus scrapes the kubelets, its adapter queries the rate.

The counter of a pod is known at the moments of its kubelet's samples. `rate` divides the increase between the first and
the last sample of the window by the whole window, after extending it to the ends of the window where samples come close
to them (Prometheus 3, promql/functions.go, extrapolatedRate). A pod younger than the window has used nothing in the
rest of it, so its figure is too low. CPU is milli-CPU, counters are milli-CPU microseconds.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.kubelet_samples import Served, Taken

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NEAR = 1.1
"""A sample is close to an end of the window if it is nearer than so many mean distances of samples."""
_NONE = -1


class _Window(NamedTuple):
    """The samples of pods within a window: how many, and the first and the last of each pod."""

    samples: Ints
    first_us: Ints
    first_total: Ints
    last_us: Ints
    last_total: Ints


class CounterRates:
    """What was scraped within the window, and the rates over it."""

    def __init__(self, window_us: int) -> None:
        self._window_us = window_us
        self._scrapes: deque[Taken] = deque()
        self._last_us: Ints = np.full(0, _NONE, np.int64)
        """Time of the newest sample that was scraped, by pod row."""

    def scrape(self, taken: Taken) -> None:
        """Keep the newest samples of pods; one that is known already adds nothing."""
        highest = int(taken.pods.max()) + 1 if len(taken.pods) else 0
        missing = highest - len(self._last_us)
        if missing > 0:
            more = np.full(max(missing, len(self._last_us), 64), _NONE, np.int64)
            self._last_us = np.concatenate([self._last_us, more])
        fresh = self._last_us[taken.pods] != taken.time_us
        kept = Taken(taken.pods[fresh], taken.time_us[fresh], taken.total[fresh])
        self._last_us[kept.pods] = kept.time_us
        self._scrapes.append(kept)

    def forget(self) -> None:
        """Lose everything that was scraped."""
        self._scrapes.clear()
        self._last_us[:] = _NONE

    def query(self, now_us: int) -> Served:
        """The rates over the window that ends now, of pods with at least two samples in it."""
        start_us = now_us - self._window_us
        while self._scrapes and not (self._scrapes[0].time_us > start_us).any():
            self._scrapes.popleft()
        window = self._within(start_us)
        pods = np.flatnonzero(window.samples > 1)
        of_pods = _Window(*(column[pods] for column in window))
        usage = _rates(of_pods, start_us, now_us).astype(np.int64)
        return Served(pods, usage, np.full(len(pods), now_us), np.full(len(pods), self._window_us))

    def _within(self, start_us: int) -> _Window:
        size = len(self._last_us)
        found = _Window(*(np.zeros(size, np.int64) for _ in _Window._fields))
        for scrape in self._scrapes:
            inside = scrape.time_us > start_us
            pods, time_us, total = scrape.pods[inside], scrape.time_us[inside], scrape.total[inside]
            begins = found.samples[pods] == 0
            found.first_us[pods[begins]], found.first_total[pods[begins]] = time_us[begins], total[begins]
            found.last_us[pods], found.last_total[pods] = time_us, total
            found.samples[pods] += 1
        return found


def _rates(window: _Window, start_us: int, end_us: int) -> Floats:
    """Increase over the whole window, extended to its ends, divided by its length."""
    sampled_us = (window.last_us - window.first_us).astype(np.float64)
    increase = (window.last_total - window.first_total).astype(np.float64)
    mean_us = sampled_us / (window.samples - 1)
    before_us = _extension(window.first_us - start_us, mean_us)
    with np.errstate(divide="ignore", invalid="ignore"):
        to_zero_us = np.where(increase > 0, sampled_us * (window.first_total / increase), np.inf)
    covered_us = sampled_us + np.minimum(before_us, to_zero_us) + _extension(end_us - window.last_us, mean_us)
    return increase * (covered_us / sampled_us) / (end_us - start_us)


def _extension(gap_us: Ints, mean_us: Floats) -> Floats:
    """How far samples count towards an end of the window: up to it, or half a mean distance if it is far away."""
    return np.where(gap_us < _NEAR * mean_us, gap_us, mean_us / 2)
