"""The gamma distribution of a given mean and variance, for columns: how sums of times are taken to be distributed.

Wilson and Hilferty's cube of a normal variable (1931): quantiles are within 1 % for p90 and above while the variation
is at most 1.
"""

import numpy as np

from planner.workloads.latency.mmc import Amounts, Floats

DEVIATES = {50: 0.0, 90: 1.2815516, 95: 1.6448536, 99: 2.3263479}
"""Normal deviates of the percentiles that are reported."""
_NORMAL = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
"""Abramowitz and Stegun 26.2.17: the normal tail to 7.5e-8."""


def gamma_quantile(mean: Amounts, variance: Amounts, deviate: Amounts) -> Floats:
    """Quantile of the gamma distribution of that mean and variance at a normal deviate."""
    mean, variance = np.asarray(mean), np.asarray(variance)
    scattered = (mean > 0.0) & np.isfinite(mean) & (variance > 0.0)
    middle = np.where(scattered, mean, 1.0)
    spread = np.where(scattered, variance, 0.0) / (9.0 * middle * middle)
    root = np.maximum(0.0, 1.0 - spread + deviate * np.sqrt(spread))
    return np.where(scattered, middle * root * root * root, mean)


def _normal_tail(deviate: Floats) -> Floats:
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
    return _normal_tail((np.cbrt(value / mean) - 1.0 + spread) / np.sqrt(spread))
