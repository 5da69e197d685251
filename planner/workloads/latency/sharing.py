"""Response times of requests that share the cores of a pod equally (processor sharing).

No request waits for its turn; each is slowed down by the others. The mean is that of M/M/m with the same load. The
distribution is taken as that of exponential service demand times an independent stretch, gamma distributed with
variance w / (2 + w), where w is the mean wait of the same queue in service times. For one server mean and variance of
the response are then exact ((2 + rho) / (2 - rho) times those of an exponential one, Coffman, Muntz, Trotter 1970);
percentiles are within 5 % of exact ones up to rho 0.95 (tests/planner/workloads/latency/test_sharing.py).
The gamma distribution is represented by the three values of its Gaussian quadrature, so that a response is one of
three exponential ones.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.mmc import Amounts, Floats

KINDS = 3
_LEAST_VARIANCE = 1e-6
_THIRDS = 2.0 * np.pi / 3.0 * np.arange(KINDS)
_CELLS = 16384
_MAX_NEWTON = 40
_PRECISION = 1e-12


class Stretched(NamedTuple):
    """Kinds of requests, along a first axis of KINDS before the axes of the waits; shares sum to 1."""

    share: Floats
    mean: Floats
    """Mean of the exponential response, in service times."""


def stretched(wait: Amounts) -> Stretched:
    """Responses under sharing where first come first served would wait `wait` service times on average."""
    kinds = _of_variance(_variance(np.asarray(wait)))
    return Stretched(kinds.share, kinds.mean * (1.0 + np.asarray(wait)))


def variance(wait: Amounts) -> Floats:
    """Variance of the response, in squared service times."""
    wait = np.asarray(wait)
    return np.square(1.0 + wait) * (1.0 + 2.0 * _variance(wait))


def sojourn_at(wait: Amounts, goal: Amounts) -> Floats:
    """Response in service times that a request exceeds with the probability whose logarithm is `goal`.

    A column of goals (a row each) is looked up in a table, to 1e-9 of the value; others are solved for.
    """
    wait, goal = np.asarray(wait), np.asarray(goal)
    spread = _variance(wait)
    if goal.ndim == 2 and goal.shape[1] == 1 and wait.ndim == 1:
        table, place = _table(tuple(goal[:, 0].tolist())), spread * _CELLS
        cell = np.minimum(place.astype(np.int64), _CELLS - 1)
        low = table.take(cell, axis=0)
        found = low + (place - cell)[:, np.newaxis] * (table.take(cell + 1, axis=0) - low)
        return np.asarray(found.T * (1.0 + wait))
    return np.asarray(_solved(spread, goal) * (1.0 + wait))


@cache
def _table(goals: tuple[float, ...]) -> Floats:
    """Responses of mean 1 exceeded with those probabilities (columns), by the variance of the stretch (rows)."""
    spread = np.linspace(0.0, 1.0, _CELLS + 1)
    return np.stack([_solved(spread, np.asarray(goal)) for goal in goals], axis=1)


def _solved(spread: Floats, goal: Floats) -> Floats:
    """Newton's method on the logarithm of the tail: it is convex, so from below it climbs to the root."""
    share, mean = _of_variance(np.broadcast_to(spread, np.broadcast_shapes(spread.shape, goal.shape)))
    u = -goal / (share / mean).sum(axis=0)
    for _ in range(_MAX_NEWTON):
        tails = share * np.exp(-u / mean)
        total = tails.sum(axis=0)
        step = (np.log(total) - goal) * total / (tails / mean).sum(axis=0)
        u = u + step
        if (np.abs(step) <= _PRECISION * u).all():
            break
    return np.asarray(u)


def _variance(wait: Floats) -> Floats:
    """Variance of the stretch; 1 for an endless wait."""
    return np.asarray(1.0 - 2.0 / (2.0 + wait))


def _of_variance(spread: Floats) -> Stretched:
    """Three values of a gamma distribution of mean 1 and this variance, with their weights."""
    spread = np.maximum(spread, _LEAST_VARIANCE)
    middle = 1.0 + 2.0 * spread
    # The roots of g^3 - 3 c g^2 + 3 c (1 + v) g - c (1 + v), c = 1 + 2 v: three cosines (Viete).
    angle = np.arccos(np.sqrt(spread / middle)) / 3.0
    thirds = _THIRDS.reshape((KINDS,) + (1,) * spread.ndim)
    roots = middle + 2.0 * np.sqrt(spread * middle) * np.cos(angle - thirds)
    share = [_share(spread, roots[one], roots[one - 1], roots[one - 2]) for one in range(KINDS)]
    return Stretched(np.array(share), roots)


def _share(spread: Floats, own: Floats, one: Floats, other: Floats) -> Floats:
    """Weight of the value `own`: mean 1 and the variance fix E[(g - one)(g - other)]."""
    return np.asarray((spread + (1.0 - one) * (1.0 - other)) / ((own - one) * (own - other)))
