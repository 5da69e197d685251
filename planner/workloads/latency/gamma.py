"""The gamma distribution of a given mean and variance, for columns: how sums of times are taken to be distributed.

Wilson and Hilferty's cube of a normal variable (1931): quantiles are within 1 % for p90 and above while the variation
is at most 1.
"""

import numpy as np

from planner.workloads.latency.mmc import Amounts, Floats

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
