"""Requests that stand for all: when they arrive and how much work they are, the same ones at every load and limit.

Both are columns of quantiles in random order, so their distributions are exact over all requests, and over the first
ones alone. Times and sizes have a mean of 1.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from planner.engine.draws import PurposeDraws, key_of
from planner.kernels import switch
from planner.workloads.latency.mmc import Floats
from planner.workloads.latency.sizes.request_sizes import RequestSizes, gamma_means

Cells = NDArray[np.uint16]

FEW, MANY = 24_576, 196_608
"""Requests that are enough for a calm pod, and for one near saturation."""
_QUANTILES = 8192
_LEAST_CV = 0.02
"""Evenly spaced requests come as regularly as this: their clock and that of the kernel drift apart."""


@lru_cache(maxsize=4)
def works(sizes: RequestSizes) -> Floats:
    """Of MANY requests."""
    if len(sizes.classes) == 1:
        ((_, mean, cv),) = sizes.classes
        found = mean * _gamma(_cells("work"), cv)
    else:
        found = _of_classes(sizes)
    return np.asarray(found / found.mean())


def _of_classes(sizes: RequestSizes) -> Floats:
    """Works of MANY requests of several classes, before their mean is 1."""
    found = np.empty(MANY)
    order = _order("work")
    edges = np.concatenate(([0.0], np.cumsum([share for share, _, _ in sizes.classes])[:-1], [1.0]))
    for (_, mean, cv), low, high in zip(sizes.classes, edges[:-1], edges[1:], strict=True):
        some = (order >= low) & (order < high)
        found[some] = mean * _gamma(_cell_of((order[some] - low) / (high - low)), cv)
    return found


@lru_cache(maxsize=4)
def gaps(arrival_cv2: float) -> Floats:
    """Times between MANY requests, with that squared variability."""
    found = _gamma(_cells("gap"), max(float(np.sqrt(arrival_cv2)), _LEAST_CV))
    return np.asarray(found / found.mean())


@lru_cache(maxsize=2)
def _cells(purpose: str) -> Cells:
    return _cell_of(_order(purpose))


def _cell_of(level: Floats) -> Cells:
    """Between which quantiles these levels lie."""
    return np.minimum((level * _QUANTILES).astype(np.uint16), _QUANTILES - 1)


def _order(purpose: str) -> Floats:
    """Levels between 0 and 1 in random order: FEW of them, evenly spaced, and then the rest of MANY."""
    draws = PurposeDraws(key_of("requests under a quota", purpose))
    if switch.in_use():
        from planner.kernels.load.request_order import levels_in_order

        return levels_in_order(draws.salt, FEW, MANY)
    uniform = draws.uniform(np.arange(MANY, dtype=np.uint64))
    return np.concatenate([_ranks(uniform[:FEW]), _ranks(uniform[FEW:])])


def _ranks(column: Floats) -> Floats:
    ranks = np.empty(len(column))
    ranks[np.argsort(column)] = (np.arange(len(column)) + 0.5) / len(column)
    return ranks


def _gamma(cell: Cells, cv: float) -> Floats:
    """Gamma distributed values of mean 1 between these quantiles."""
    if cv < _LEAST_CV:
        return np.ones(len(cell))
    return _quantiles(cv)[cell]


@lru_cache(maxsize=16)
def _quantiles(cv: float) -> Floats:
    return gamma_means(np.linspace(0.0, 1.0, _QUANTILES + 1), 1.0 / cv**2, cv**2)
