"""CPU use as the rate of a counter over a window: Prometheus scrapes the kubelets, its adapter queries the rate.

A scrape reads what a kubelet sampled last, and dates it with its own time: kubelets before 1.18 gave no times, and
kube-prometheus, which brings the adapter, ignores those they give since (`honorTimestamps: false`). `rate` divides the
increase between the first and the last scrape of the window by the whole window, after extending it to the ends of the
window where scrapes come close to them (Prometheus 3, promql/functions.go, extrapolatedRate). A pod younger than the
window has used nothing in the rest of it, so its figure is too low. CPU is milli-CPU, counters are milli-CPU
microseconds.
"""

from collections import deque
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.kubelet_samples import Served, Taken

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_NEAR = 1.1
"""A scrape is close to an end of the window if it is nearer than so many mean distances of scrapes."""


class _Window(NamedTuple):
    """The scrapes of pods within a window: how many, and the first and the last of each pod."""

    samples: Ints
    first_us: Ints
    first_total: Ints
    last_us: Ints
    last_total: Ints


class _Scrape(NamedTuple):
    """Counters of pods as found at a moment."""

    at_us: int
    pods: Ints
    total: Ints


class CounterRates:
    """What was scraped within the window, and the rates over it."""

    def __init__(self, window_us: int) -> None:
        self._window_us = window_us
        self._scrapes: deque[_Scrape] = deque()
        self._size = 0
        """One more than the highest pod row."""

    def scrape(self, now_us: int, newest: Taken) -> None:
        """Read the counters of pods, as of their newest samples."""
        if len(newest.pods):
            self._size = max(self._size, int(newest.pods.max()) + 1)
            self._scrapes.append(_Scrape(now_us, newest.pods, newest.total))

    def query(self, now_us: int) -> Served:
        """The rates over the window that ends now, of pods that were scraped at least twice in it."""
        start_us = now_us - self._window_us
        while self._scrapes and self._scrapes[0].at_us <= start_us:
            self._scrapes.popleft()
        window = self._within()
        pods = np.flatnonzero(window.samples > 1)
        of_pods = _Window(*(column[pods] for column in window))
        usage = _rates(of_pods, start_us, now_us).astype(np.int64)
        return Served(pods, usage, np.full(len(pods), now_us), np.full(len(pods), self._window_us))

    def _within(self) -> _Window:
        found = _Window(*(np.zeros(self._size, np.int64) for _ in _Window._fields))
        for at_us, pods, total in self._scrapes:
            new = found.samples[pods] == 0
            found.first_us[pods[new]], found.first_total[pods[new]] = at_us, total[new]
            found.last_us[pods], found.last_total[pods] = at_us, total
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
    """How far scrapes count towards an end of the window: up to it, or half a mean distance if it is far away."""
    return np.where(gap_us < _NEAR * mean_us, gap_us, mean_us / 2)
