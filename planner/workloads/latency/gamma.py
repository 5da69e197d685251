"""Percentiles of a sum of times from its first two moments, taken as a gamma distribution.

The quantile is Wilson and Hilferty's cube of a normal one: within 1 % of the gamma quantile for p90 and above while
the variation is at most 1. Source: spec/load-latency-cost.md section 3.
"""

import math

DEVIATES = {50: 0.0, 90: 1.2815516, 95: 1.6448536, 99: 2.3263479}
"""Normal deviates of the percentiles that are reported."""


def gamma_quantile(mean: float, variance: float, deviate: float) -> float:
    """Quantile of the gamma distribution of that mean and variance at a normal deviate."""
    if not (0.0 < mean < math.inf) or variance <= 0.0:
        return mean
    spread = variance / (9.0 * mean * mean)
    root = max(0.0, 1.0 - spread + deviate * math.sqrt(spread))
    return mean * root * root * root
