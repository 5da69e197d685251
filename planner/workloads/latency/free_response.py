"""Response times at pods without a quota, for any distribution of request sizes, as tables of quantiles.

Times are in mean service times. `queue`: a wait (with some probability, then exponential) and then service. `sharing`:
service times an independent stretch, gamma distributed as in `sharing.py`, whose mean is that of M/M/m. Tables are
made once for each distribution of sizes; between their points quantiles are interpolated in the share of the load.
"""

from functools import cache

import numpy as np

from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.request_sizes import RequestSizes, gamma_means, quantiles

LEVELS = np.array([
    0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.96, 0.97, 0.98, 0.99, 0.995, 0.999,
])  # fmt: skip
"""Shares of the requests that are faster, at which distributions are kept; the reported percentiles among them."""
_PARTS = np.concatenate((np.linspace(0.0, 0.9, 13), [0.93, 0.955, 0.975, 0.985, 0.992, 0.997, 0.999, 1.0]))
_CHANCES = np.linspace(0.0, 1.0, 21)
_LENGTHS = np.linspace(0.0, 0.99, 34)
_LEAST_VARIANCE = 1e-4


def queue_quantiles(sizes: RequestSizes, waiting: Floats, decay: Floats) -> Floats:
    """Rows of LEVELS, columns as `waiting` and `decay` (of `Laws.wait`)."""
    return _between(_queue_table(sizes), waiting, 1.0 / (1.0 + decay)) * (1.0 + 1.0 / decay)


def sharing_quantiles(sizes: RequestSizes, wait: Floats) -> Floats:
    """Rows of LEVELS, columns as the mean waits of M/M/m."""
    table = _sharing_table(sizes)
    place = wait / (2.0 + wait) * (len(table) - 1)
    cell = np.minimum(place.astype(np.int64), len(table) - 2)
    part = (place - cell)[:, np.newaxis]
    found = table[cell] + part * (table[cell + 1] - table[cell])
    return np.asarray(found.T * (1.0 + wait))


def service_quantiles(sizes: RequestSizes) -> Floats:
    """LEVELS of the service alone."""
    return np.asarray(_sharing_table(sizes)[0])


def _between(table: Floats, chance: Floats, length: Floats) -> Floats:
    """Bilinear interpolation on the grid of _CHANCES and _LENGTHS."""
    (row, across), (column, along) = _cell(chance, _CHANCES), _cell(np.minimum(length, _LENGTHS[-1]), _LENGTHS)
    low = table[row, column] + along * (table[row, column + 1] - table[row, column])
    high = table[row + 1, column] + along * (table[row + 1, column + 1] - table[row + 1, column])
    return np.asarray((low + across * (high - low)).T)


def _cell(values: Floats, grid: Floats) -> tuple[Ints, Floats]:
    place = values / grid[1]
    cell = np.minimum(place.astype(np.int64), len(grid) - 2)
    return cell, (place - cell)[:, np.newaxis]


@cache
def _queue_table(sizes: RequestSizes) -> Floats:
    """Quantiles over 1 + 1 / decay by the chance of waiting (first axis) and 1 / (1 + decay)."""
    parts, length = np.diff(_PARTS), np.maximum(_LENGTHS, 1e-3)
    wait = gamma_means(_PARTS, 1.0, 1.0)
    table = np.empty((len(_CHANCES), len(length), len(LEVELS)))
    for column, one in enumerate(length.tolist()):
        waits = np.concatenate(([0.0], wait * (one / (1.0 - one))))
        values = (sizes.values[:, np.newaxis] + waits).ravel()
        order = np.argsort(values, kind="stable")
        for row, chance in enumerate(_CHANCES.tolist()):
            weights = np.outer(sizes.weights, np.concatenate(([1.0 - chance], parts * chance))).ravel()[order]
            table[row, column] = np.interp(LEVELS, np.cumsum(weights) - 0.5 * weights, values[order]) * (1.0 - one)
    return table


@cache
def _sharing_table(sizes: RequestSizes) -> Floats:
    """Quantiles over the mean response by the variance of the stretch, from 0 to 1."""
    table = np.empty((65, len(LEVELS)))
    for row, variance in enumerate(np.linspace(0.0, 1.0, len(table)).tolist()):
        stretch, parts = np.ones(1), np.ones(1)
        if variance > _LEAST_VARIANCE:
            stretch, parts = gamma_means(_PARTS, 1.0 / variance, variance), np.diff(_PARTS)
        values, weights = np.outer(sizes.values, stretch).ravel(), np.outer(sizes.weights, parts).ravel()
        table[row] = quantiles(values, weights, LEVELS)
    return table
