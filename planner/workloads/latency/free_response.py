"""Response times at pods without a quota, for any distribution of request sizes, as tables of quantiles.

Times are in mean service times. Tables are made once for each kind of pod, at some loads; between them quantiles are
interpolated in the mean wait. So a balancer that spreads requests better than chance makes a pod like a calmer one.
"""

from functools import cache

import numpy as np

from planner.workloads.latency.free_wait import POINTS, FreeWait, free_wait
from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.sizes.request_sizes import RequestSizes, gamma_means, quantiles

LEVELS = np.array([
    0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999,
])  # fmt: skip
"""Shares of the requests that are faster, at which distributions are kept; the reported percentiles among them."""
PERCENTILES = (50, 90, 95, 99)
"""Those that are reported,"""
REPORTED = np.searchsorted(LEVELS, np.array(PERCENTILES) / 100.0)
"""and where they are."""
_LOADS = np.concatenate((
    [0.0, 0.02, 0.05], np.linspace(0.1, 0.6, 6), np.linspace(0.65, 0.8, 4), [0.83, 0.86, 0.88, 0.9, 0.92, 0.935],
    np.linspace(0.95, 0.98, 4), [0.985, 0.99],
)).tolist()  # fmt: skip
_LEAST_LOAD = 1e-3
_PARTS = np.concatenate((np.linspace(0.0, 0.9, 13), [0.93, 0.955, 0.975, 0.985, 0.992, 0.997, 0.999, 1.0]))
_LEAST_RELATIVE = 1e-4
_LEAST = 1e-300
_RARE = 1e-9


class FreeTables:
    """The tables of some kinds of pods: sizes, servers, and whether requests queue."""

    def __init__(self, kinds: list[tuple[RequestSizes, int, bool]]) -> None:
        self._rows = np.stack([_table(*kind) for kind in kinds])

    def responses(self, of: Ints, wait: Floats) -> tuple[Floats, Floats]:
        """Variance and LEVELS (rows) at pods of these kinds, by their mean wait."""
        waits = self._rows[of, :, 0]
        cell = np.minimum(np.count_nonzero(waits <= wait[:, np.newaxis], axis=1), waits.shape[1] - 1) - 1
        low, high = self._rows[of, cell], self._rows[of, cell + 1]
        part = (wait - low[:, 0]) / np.maximum(high[:, 0] - low[:, 0], _LEAST)
        found = (low + part[:, np.newaxis] * (high - low)).T
        return np.square(found[1]), found[2:]


@cache
def _table(sizes: RequestSizes, servers: int, queueing: bool) -> Floats:
    """A row for each of _LOADS: mean wait, standard deviation, LEVELS."""
    response = _queueing if queueing else _sharing
    rows = []
    for rho in _LOADS:
        wait = free_wait(sizes, servers, max(rho, _LEAST_LOAD))
        values, weights = response(sizes, wait, servers, max(rho, _LEAST_LOAD))
        mean = float((values * weights).sum())
        deviation = np.sqrt(float((np.square(values) * weights).sum()) - mean * mean)
        longer = wait.mean if queueing else wait.chance / (servers * (1.0 - rho))
        rows.append(np.concatenate(([longer, deviation], quantiles(values, weights, LEVELS))))
    rows[0][0] = 0.0
    return np.maximum.accumulate(np.array(rows))


def _queueing(sizes: RequestSizes, wait: FreeWait, _servers: int, _rho: float) -> tuple[Floats, Floats]:
    """A wait and then service."""
    lengths = np.arange(POINTS, dtype=np.float64) * wait.step
    service = np.diff(sizes.below(lengths + 0.5 * wait.step), prepend=0.0)
    both = np.fft.irfft(np.fft.rfft(wait.mass, 2 * POINTS) * np.fft.rfft(service, 2 * POINTS), 2 * POINTS)[:POINTS]
    return lengths, np.maximum((1.0 - wait.chance) * service + wait.chance * both, 0.0)


def _sharing(sizes: RequestSizes, wait: FreeWait, servers: int, rho: float) -> tuple[Floats, Floats]:
    """Service and what others delay it: nothing, or gamma distributed with the mean and variance of that size.

    The mean delay of a size is its part of the mean wait of M/M/m, exact. For one server its variance (Ott 1984) and
    the chance of none are exact, too. For several, the number beyond the servers is geometric as for one; it forgets
    itself as the wait of a queue ends, or if those under way that made it stay.
    """
    size, chance, single = sizes.values, wait.chance, 1.0 / (servers * (1.0 - rho))
    if chance < _RARE:
        return size, sizes.weights
    points = len(wait.mass)
    moments = (np.arange(points, dtype=np.float64) + 0.5) * wait.step
    tail = 1.0 - np.cumsum(wait.mass)
    tail = tail + (1.0 - tail) * (1.0 - 1.0 / servers) * rho * (1.0 - sizes.under_way(moments))
    once = np.cumsum(tail)
    twice = np.cumsum(once - 0.5 * tail) * wait.step**2
    root = np.interp(size, np.arange(points + 1) * wait.step, np.sqrt(np.concatenate(([0.0], twice))))
    variance = 2.0 * chance * (1.0 + rho - chance) * np.square(single * root)
    some = 1.0 - (1.0 - chance) * np.exp(-size * chance / (single * (1.0 - chance)))
    delay = size * chance * single
    mean = delay / some
    spread = np.maximum((variance + np.square(delay)) / some - np.square(mean), _LEAST_RELATIVE * mean**2)
    delays = gamma_means(_PARTS[:, np.newaxis], np.square(mean) / spread, spread / mean)
    values = np.concatenate((size[np.newaxis], size + delays))
    weights = np.concatenate((1.0 - some[np.newaxis], np.diff(_PARTS)[:, np.newaxis] * some))
    return values.ravel(), (weights * sizes.weights).ravel()


@cache
def service_quantiles(sizes: RequestSizes) -> Floats:
    """LEVELS of the service alone."""
    return quantiles(sizes.values, sizes.weights, LEVELS)
