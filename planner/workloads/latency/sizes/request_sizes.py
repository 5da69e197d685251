"""How unequal requests are: the distribution of their CPU time, as values with weights.

Each class is gamma distributed with its own mean and variability. Sizes are in units of the mean over all classes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from planner.workloads.latency.mmc import Amounts, Floats
from planner.workloads.latency.sizes.incomplete_gamma import incomplete_gamma

_LEAST_CV = 0.02
"""Below this variability all requests of a class are alike."""
_RARE = [0.925, 0.945, 0.96, 0.975, 0.985, 0.99, 0.994, 0.997, 0.999, 1.0]
_COMMON = ((0.3, 19), (1.0, 37), (np.inf, 91))
"""Up to a variability so many levels up to 0.9: scattered sizes differ more from one to the next."""


@dataclass(frozen=True)
class RequestSizes:
    """Classes of requests: share, mean relative to that of all, and variability of each."""

    classes: tuple[tuple[float, float, float], ...]

    @cached_property
    def values(self) -> Floats:
        """Sizes that stand for all, of mean 1."""
        parts = [
            np.array([mean]) if cv < _LEAST_CV else gamma_means(_levels(cv), 1.0 / cv**2, mean * cv**2)
            for _, mean, cv in self.classes
        ]
        return np.concatenate(parts)

    @cached_property
    def weights(self) -> Floats:
        """Their shares of the requests."""
        parts = [share * (np.ones(1) if cv < _LEAST_CV else np.diff(_levels(cv))) for share, _, cv in self.classes]
        return np.concatenate(parts)

    @cached_property
    def second_moment(self) -> float:
        """Mean square: 1 plus the squared variability of all requests together."""
        return float(sum(share * mean * mean * (1.0 + cv * cv) for share, mean, cv in self.classes))

    def below(self, size: Floats) -> Floats:
        """Share of the requests that are not larger."""
        gamma = incomplete_gamma()
        parts = [
            share * (size >= mean if cv < _LEAST_CV else gamma.gammainc(1.0 / cv**2, size / (mean * cv**2)))
            for share, mean, cv in self.classes
        ]
        return np.asarray(sum(parts), np.float64)

    def under_way(self, left: Floats) -> Floats:
        """Share of the requests under way, seen at any moment, of which no more than that is left."""
        parts = [share * _mean_of_smaller(left, mean, cv) for share, mean, cv in self.classes]
        return np.asarray(sum(parts))


def _levels(cv: float) -> Floats:
    """Between which levels sizes of that variability are taken as one."""
    return np.concatenate((np.linspace(0.0, 0.9, next(count for most, count in _COMMON if cv <= most)), _RARE))


def _mean_of_smaller(bound: Floats, mean: float, cv: float) -> Floats:
    """Mean of sizes that are cut at a bound."""
    if cv < _LEAST_CV:
        return np.minimum(bound, mean)
    gamma, shape, scale = incomplete_gamma(), 1.0 / cv**2, mean * cv**2
    return np.asarray(bound * gamma.gammaincc(shape, bound / scale) + mean * gamma.gammainc(shape + 1.0, bound / scale))


def gamma_means(levels: Floats, shape: Amounts, scale: Amounts) -> Floats:
    """Means of gamma distributions between quantiles at `levels` (rows), which go from 0 to 1."""
    gamma = incomplete_gamma()
    inner = gamma.gammainc(shape + 1.0, gamma.gammaincinv(shape, levels[1:-1]))
    edges = np.concatenate((np.zeros_like(inner[:1]), inner, np.ones_like(inner[:1])))
    return np.asarray(np.diff(edges, axis=0) / np.diff(levels, axis=0) * shape * scale)


def quantiles(values: Floats, weights: Floats, levels: Floats) -> Floats:
    """Quantiles of weighted values, linear between the middles of their weights."""
    order = np.argsort(values, kind="stable")
    part = weights[order] / weights.sum()
    return np.asarray(np.interp(levels, np.cumsum(part) - 0.5 * part, values[order]))


def gamma_levels(levels: Floats, cv: Floats) -> Floats:
    """Quantiles at `levels` (rows) of gamma distributions of mean 1 and these variabilities."""
    shape = 1.0 / np.square(cv)
    return np.asarray(incomplete_gamma().gammaincinv(shape, levels[:, np.newaxis]) / shape)
