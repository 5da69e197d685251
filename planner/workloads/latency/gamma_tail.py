"""Tail of the gamma distribution of a given mean and variance, for arrays (Wilson and Hilferty's cube of a normal)."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_NORMAL = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
"""Abramowitz and Stegun 26.2.17: the normal tail to 7.5e-8."""


def normal_tail(deviate: Floats) -> Floats:
    """P(standard normal > deviate)."""
    size = np.abs(deviate)
    t = 1.0 / (1.0 + 0.2316419 * size)
    series = np.zeros_like(t)
    for factor in reversed(_NORMAL):
        series = (series + factor) * t
    upper = np.exp(-0.5 * size * size) / np.sqrt(2.0 * np.pi) * series
    return np.asarray(np.where(deviate >= 0.0, upper, 1.0 - upper))


def gamma_tail(value: Floats, mean: Floats, variance: Floats) -> Floats:
    """P(X > value) for X of positive mean and variance."""
    spread = variance / (9.0 * mean * mean)
    return normal_tail((np.cbrt(value / mean) - 1.0 + spread) / np.sqrt(spread))
