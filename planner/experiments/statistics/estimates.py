"""Means with confidence intervals, by Student's t or, for skewed samples, by the bootstrap."""

import math
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_SKEWED = 1.0
_FEWEST_RESAMPLED, _FEW = 8, 20
_RESAMPLES = 5_000
_ROUNDING = 1e-12
"""Relative; values that differ by less came from sums in another order."""
_RESAMPLING_SEED = 0
"""The same resamples for the same numbers: an answer does not change when it is asked for again."""


@dataclass(frozen=True)
class MeanEstimate:
    """A mean, and the interval that holds the true mean with the confidence asked for."""

    mean: float
    low: float
    high: float
    n: int
    """How many replications it rests on; with one, the interval is unbounded and has infinite ends."""
    method: str = "t"
    """How the interval was found: "t", "bootstrap", or "constant" where all values are equal."""

    @property
    def has_interval(self) -> bool:
        """Whether there is one to show: a single replication gives none, and a constant needs none."""
        return self.method != "constant" and (math.isfinite(self.low) or math.isfinite(self.high))

    def within(self, least: float, most: float) -> "MeanEstimate":
        """The interval without what lies beyond the values that are possible at all: the true mean is never there, so
        that it holds the true mean as often as before."""
        if not self.has_interval:
            return self
        return replace(self, low=min(max(self.low, least), self.mean), high=max(min(self.high, most), self.mean))

    @property
    def half_width(self) -> float:
        """How far the interval reaches from the mean, on its longer side."""
        return max(self.high - self.mean, self.mean - self.low)


def mean_interval(values: Floats, confidence: float = 0.95) -> MeanEstimate:
    """The mean of independent replications with its interval.

    Student's t; the BCa bootstrap (Efron 1987) where the sample is small or skewed, at the level widened for its size
    (Hesterberg 2015, "What teachers should know about the bootstrap", expanded percentiles). Raises ValueError for an
    empty sample.
    """
    count = len(values)
    if count == 0:
        raise ValueError("there are no values")
    if (values == values[0]).all():  # exactly: sums of equal numbers may round
        value = float(values[0])
        return MeanEstimate(value, value, value, count, "constant") if count > 1 else _unbounded(value)
    mean = float(values.mean())
    if count >= _FEWEST_RESAMPLED and (count < _FEW or abs(skewness(values)) > _SKEWED):
        resampled = _bootstrap(values, confidence)
        if resampled is not None:
            return MeanEstimate(mean, *resampled, count, "bootstrap")
    half = t_quantile(confidence, count - 1) * float(values.std(ddof=1)) / math.sqrt(count)
    return MeanEstimate(mean, mean - half, mean + half, count)


def _unbounded(value: float) -> MeanEstimate:
    return MeanEstimate(value, -math.inf, math.inf, 1)


def skewness(values: Floats) -> float:
    """Of a sample, corrected for its size; values that differ by rounding alone have none."""
    from scipy import stats  # late: loading it takes longer than a small run

    if len(values) < 3 or np.ptp(values) <= _ROUNDING * np.abs(values).max():
        return 0.0
    return float(stats.skew(values, bias=False))


def without_rounding(differences: Floats, a: Floats, b: Floats) -> Floats:
    """Differences of `a` and `b`, exactly 0 where they are no more than rounding."""
    return np.where(np.abs(differences) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b)), 0.0, differences)


def t_quantile(confidence: float, degrees: float) -> float:
    """The two-sided critical point of Student's t."""
    from scipy import stats

    return float(stats.t.ppf(0.5 + confidence / 2.0, degrees))


def _bootstrap(values: Floats, confidence: float) -> tuple[float, float] | None:
    """The ends of the BCa interval; None where it is degenerate."""
    from scipy import stats

    count = len(values)
    widened = math.sqrt(count / (count - 1)) * t_quantile(confidence, count - 1)
    level = 2.0 * float(stats.norm.cdf(widened)) - 1.0
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of degenerate samples, whose ends are checked below
        found: Any = stats.bootstrap(
            (values,), np.mean, n_resamples=_RESAMPLES, confidence_level=level, method="BCa", rng=_RESAMPLING_SEED
        ).confidence_interval
    low, high = float(found.low), float(found.high)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None
