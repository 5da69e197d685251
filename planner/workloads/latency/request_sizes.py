"""How unequal requests are: the distribution of their CPU time, as values with weights.

Each class is gamma distributed with its own mean and variability. Sizes are in units of the mean over all classes.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import gammainc, gammaincinv

from planner.workloads.latency.mmc import Floats

_LEAST_CV = 0.02
"""Below this variability all requests of a class are alike."""
_RARE = [0.925, 0.945, 0.96, 0.975, 0.985, 0.99, 0.994, 0.997, 0.999, 1.0]
_LEVELS = np.concatenate((np.linspace(0.0, 0.9, 19), _RARE))


@dataclass(frozen=True)
class RequestSizes:
    """Classes of requests: share, mean relative to that of all, and variability of each."""

    classes: tuple[tuple[float, float, float], ...]

    @cached_property
    def values(self) -> Floats:
        """Sizes that stand for all, of mean 1."""
        parts = [
            np.array([mean]) if cv < _LEAST_CV else gamma_means(_LEVELS, 1.0 / cv**2, mean * cv**2)
            for _, mean, cv in self.classes
        ]
        return np.concatenate(parts)

    @cached_property
    def weights(self) -> Floats:
        """Their shares of the requests."""
        parts = [share * (np.ones(1) if cv < _LEAST_CV else np.diff(_LEVELS)) for share, _, cv in self.classes]
        return np.concatenate(parts)

    @cached_property
    def second_moment(self) -> float:
        """Mean square: 1 plus the squared variability of all requests together."""
        return float(sum(share * mean * mean * (1.0 + cv * cv) for share, mean, cv in self.classes))

    @cached_property
    def met_share(self) -> Floats:
        """Of a request under way when one of each size arrives: what is left of it up to that size, over the size.

        For small sizes it is 1: the other goes on for longer than they take.
        """
        values, least = self.values, np.minimum(self.values[:, np.newaxis], self.values)
        left = ((values[:, np.newaxis] - 0.5 * least) * least * self.weights[:, np.newaxis]).sum(axis=0)
        return np.asarray(left / values)


def gamma_means(levels: Floats, shape: float, scale: float) -> Floats:
    """Means of a gamma distribution between quantiles at `levels`, which go from 0 to 1."""
    edges = np.concatenate(([0.0], gammainc(shape + 1.0, gammaincinv(shape, levels[1:-1])), [1.0]))
    return np.asarray(np.diff(edges) / np.diff(levels) * shape * scale)


def quantiles(values: Floats, weights: Floats, levels: Floats) -> Floats:
    """Quantiles of weighted values, linear between the middles of their weights."""
    order = np.argsort(values, kind="stable")
    part = weights[order] / weights.sum()
    return np.asarray(np.interp(levels, np.cumsum(part) - 0.5 * part, values[order]))


def gamma_levels(levels: Floats, cv: Floats) -> Floats:
    """Quantiles at `levels` (rows) of gamma distributions of mean 1 and these variabilities."""
    shape = 1.0 / np.square(cv)
    return np.asarray(gammaincinv(shape, levels[:, np.newaxis]) / shape)
