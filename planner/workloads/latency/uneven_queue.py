"""Response times of queues whose requests do not arrive at random, without a quota, for any distribution of sizes.

The wait is taken as exponential where there is one. Times are in mean service times. Tables are made once for each
distribution of sizes; between their points quantiles are interpolated in chance and length of the wait.
"""

from functools import cache

import numpy as np

from planner.workloads.latency.free_response import LEVELS
from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.sizes.request_sizes import RequestSizes, gamma_means

_PARTS = np.concatenate((np.linspace(0.0, 0.9, 13), [0.93, 0.955, 0.975, 0.985, 0.992, 0.997, 0.999, 1.0]))
_CHANCES = np.linspace(0.0, 1.0, 21)
_LENGTHS = np.linspace(0.0, 0.99, 34)


def queue_quantiles(sizes: RequestSizes, waiting: Floats, decay: Floats) -> Floats:
    """Rows of LEVELS, columns as `waiting` and `decay` (of `Laws.wait`)."""
    return _between(_queue_table(sizes), waiting, 1.0 / (1.0 + decay)) * (1.0 + 1.0 / decay)


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
