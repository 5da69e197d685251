"""Quantiles of replications by order statistics, and bands of series."""

import math
from dataclasses import dataclass

import numpy as np

from planner.experiments.statistics.estimates import Floats


@dataclass(frozen=True)
class QuantileEstimate:
    """A quantile, and the order statistics between which the true one lies with the confidence asked for."""

    value: float
    low: float
    """Minus infinity where there are too few replications to bound it."""
    high: float
    n: int


@dataclass(frozen=True)
class Band:
    """A series over replications: at every moment the middle, and where most replications are.

    Pointwise: a whole series leaves the band now and then more often than any single moment does.
    """

    low: Floats
    middle: Floats
    high: Floats


def quantile_interval(values: Floats, share: float, confidence: float = 0.95) -> QuantileEstimate:
    """The quantile by order statistics with its binomial interval."""
    from scipy import stats  # late: loading it takes longer than a small run

    ordered = np.sort(values)
    value = float(ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))])
    found = stats.quantile_test(values, q=value, p=share).confidence_interval(confidence_level=confidence)
    low, high = float(found.low), float(found.high)
    return QuantileEstimate(
        value, low if math.isfinite(low) else -math.inf, high if math.isfinite(high) else math.inf, len(values)
    )


def band_of(series: Floats, low: float = 0.05, high: float = 0.95) -> Band:
    """The band of series, one row per replication; moments that a replication does not have are left out of it."""
    with np.errstate(all="ignore"):
        empty = np.isnan(series).all(axis=0)
        filled = np.where(empty, 0.0, series)
        lower, middle, upper = np.nanquantile(filled, (low, 0.5, high), axis=0, method="inverted_cdf")
    for part in (lower, middle, upper):
        part[empty] = np.nan
    return Band(lower, middle, upper)
