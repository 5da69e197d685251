"""From histograms to target, lower and upper bound of each container.

Vertical Pod Autoscaler 1.8, recommender/logic/estimator.go and recommender.go, model/types.go. Amounts are whole
milli-CPU and bytes; each step truncates.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
_MOST = 1e14
_MIB = 1024 * 1024
_US_PER_MIN = 60_000_000
_UNKNOWN = np.iinfo(np.int64).min
"""What a product of nothing and infinity becomes; every minimum is above it."""


@dataclass(frozen=True)
class ResourceRules:
    """Flags of the recommender for one resource."""

    target: float = 0.9
    lower: float = 0.5
    upper: float = 0.95
    """Percentiles of use, 0 to 1."""
    confidence_us: int = 24 * 3_600_000_000
    """A history of this length has confidence 1."""
    minimum: float = 0.0
    """Smallest recommendation for a pod, in the unit of the resource, shared by its containers."""


@dataclass(frozen=True)
class EstimatorRules:
    """Flags of the recommender that make estimates."""

    cpu: ResourceRules = ResourceRules(minimum=25)
    memory: ResourceRules = ResourceRules(minimum=250 * _MIB)
    margin: float = 0.15
    """Share of the use that is added."""


@dataclass(frozen=True)
class Estimates:
    """One resource of some containers: rows are target, lower and upper bound."""

    percentile: Ints
    with_margin: Ints
    with_confidence: Ints


def amounts(values: Floats) -> Ints:
    """Whole amounts within the range of the recommender."""
    with np.errstate(invalid="ignore"):
        whole = np.clip(values, 0.0, _MOST).astype(np.int64)
    return np.where(np.isnan(values), _UNKNOWN, whole)


def estimate(used: Floats, confidence: Floats, margin: float) -> Estimates:
    """Percentiles of use (rows: target, lower, upper) with the margin, and bounds widened where little is known."""
    percentile = amounts(used)
    with_margin: Ints = percentile + amounts(np.asarray(percentile * margin, np.float64))
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = amounts(with_margin[1] * np.power(1.0 + 0.001 / confidence, -2.0))
        upper = amounts(with_margin[2] * (1.0 + 1.0 / confidence))
    return Estimates(percentile, with_margin, np.array([with_margin[0], lower, upper]))


def confidences(samples: Ints, first_us: Ints, last_us: Ints, interval_us: int) -> Floats:
    """How much is known: the history against the interval, and its samples against one a minute."""
    return np.minimum((last_us - first_us) / interval_us, samples / (interval_us / _US_PER_MIN))


def share_of_minimum(rules: ResourceRules, containers: Ints) -> Ints:
    """The least that each container gets if its pod has so many."""
    return amounts(float(int(rules.minimum)) * (1.0 / np.maximum(containers, 1)))
