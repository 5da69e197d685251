"""Differences between two plans that share their luck: replication by replication, never two separate intervals."""

import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from planner.experiments.statistics.estimates import Floats, MeanEstimate, mean_interval, without_rounding


class DifferenceVerdict(StrEnum):
    """What can be said of a difference."""

    SAME = "same"
    """Equal in every replication."""
    HIGHER = "higher"
    LOWER = "lower"
    UNDECIDED = "cannot be told apart"


@dataclass(frozen=True)
class PairedDifference:
    """How much more `b` has than `a`, by the same seeds."""

    estimate: MeanEstimate
    verdict: DifferenceVerdict
    correlation: float | None
    """Of both plans over the seeds: how much luck they share; None where one of them is constant."""


def paired_difference(a: Floats, b: Floats, confidence: float = 0.95, comparisons: int = 1) -> PairedDifference:
    """The mean of b - a with its interval; `comparisons` hold together with that confidence (Bonferroni)."""
    estimate = mean_interval(without_rounding(b - a, a, b), 1.0 - (1.0 - confidence) / comparisons)
    return PairedDifference(estimate, verdict_of(estimate), _correlation(a, b))


def verdict_of(estimate: MeanEstimate) -> DifferenceVerdict:
    """Which side of zero the interval is on."""
    if estimate.method == "constant" and estimate.mean == 0.0:
        return DifferenceVerdict.SAME
    if estimate.low > 0.0:
        return DifferenceVerdict.HIGHER
    return DifferenceVerdict.LOWER if estimate.high < 0.0 else DifferenceVerdict.UNDECIDED


def _correlation(a: Floats, b: Floats) -> float | None:
    if len(a) < 3 or (a == a[0]).all() or (b == b[0]).all():
        return None
    spread = float(a.std() * b.std())
    if spread == 0.0 or not math.isfinite(spread):
        return None
    return max(-1.0, min(1.0, float(np.mean((a - a.mean()) * (b - b.mean()))) / spread))
