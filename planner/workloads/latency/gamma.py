"""Percentiles of a sum of times from its first two moments, taken as a gamma distribution.

The quantile is Wilson and Hilferty's cube of a normal one: within 1 % of the gamma quantile for p90 and above while
the variation is at most 1. Source: spec/load-latency-cost.md section 3.
"""

import numpy as np

from planner.workloads.latency.columns import Amounts, Floats

DEVIATES = {50: 0.0, 90: 1.2815516, 95: 1.6448536, 99: 2.3263479}
"""Normal deviates of the percentiles that are reported."""


def gamma_quantile(mean: Amounts, variance: Amounts, deviate: Amounts) -> Floats:
    """Quantile of the gamma distribution of that mean and variance at a normal deviate."""
    mean, variance = np.asarray(mean), np.asarray(variance)
    scattered = (mean > 0.0) & np.isfinite(mean) & (variance > 0.0)
    middle = np.where(scattered, mean, 1.0)
    spread = np.where(scattered, variance, 0.0) / (9.0 * middle * middle)
    root = np.maximum(0.0, 1.0 - spread + deviate * np.sqrt(spread))
    return np.where(scattered, middle * root * root * root, mean)
