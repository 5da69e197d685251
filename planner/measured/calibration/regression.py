"""Robust estimates with intervals that hold for samples that follow each other closely.

Lines are fitted by iterated weights after Huber (1964), for errors whose variance grows with the value, as that of
the work of a random number of requests does. Their intervals use scores without the correlation of neighbours
(prewhitening, Andrews and Monahan 1992), which a sum over a few lags would miss in a short window. Medians use order
statistics of as many independent samples as the correlation of neighbours leaves.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
CONFIDENCE = 0.95
_HUBER = 1.345
"""95 % as efficient as least squares where errors are normal."""
_ROUNDS = 20
_TO_DEVIATION = 1.4826
_LONGEST_RUN = 0.99
"""Correlation of neighbours beyond which a series says nothing of its median."""
_SMALLEST = 0.1
"""Of the usual effect: below, errors do not become smaller with it."""


class FittedNumber(NamedTuple):
    """A number, the ends of its interval, and what it rests on."""

    value: float
    low: float
    high: float
    samples: int
    residual: float
    """Median distance of the samples from the fit, in relation to their median."""


def line_fit(causes: Floats, effect: Floats) -> tuple[FittedNumber, ...]:
    """Coefficients of `effect = causes @ coefficients`; `causes` has one column per coefficient.

    Samples are in the order of time. The columns must not be multiples of each other.
    """
    scale = np.abs(causes).mean(axis=0)
    scaled = causes / np.where(scale > 0, scale, 1.0)
    least = _SMALLEST * float(np.median(np.abs(effect))) or 1.0
    weights = np.ones(len(effect))
    found: Floats = np.asarray(np.linalg.lstsq(scaled, effect, rcond=None)[0], dtype=np.float64)
    for _ in range(_ROUNDS):
        sizes = np.sqrt(np.maximum(scaled @ found, least))
        design, target = scaled / sizes[:, None], effect / sizes
        weighted = design * weights[:, None]
        before = found
        found = np.asarray(np.linalg.lstsq(weighted.T @ design, weighted.T @ target, rcond=None)[0], dtype=np.float64)
        errors = target - design @ found
        spread = _TO_DEVIATION * float(np.median(np.abs(errors)))
        if spread <= 1e-12 or np.allclose(before, found, rtol=1e-6, atol=0.0):
            break
        weights = np.minimum(1.0, _HUBER * spread / np.maximum(np.abs(errors), 1e-300))
    reach = _reach(design, errors, weights)
    residual = _residual(effect - scaled @ found, effect)
    return tuple(
        FittedNumber(float(v / s), float((v - r) / s), float((v + r) / s), len(effect), residual)
        for v, r, s in zip(found, reach, scale, strict=True)
    )


def median_estimate(samples: Floats, *, independent: bool = False) -> FittedNumber:
    """Median of samples in the order of time; of `independent` ones in any order."""
    from scipy import stats  # late: loading it takes longer than a small run

    ordered = np.sort(samples)
    count = len(samples) if independent else max(1, int(len(samples) * independent_share(samples)))
    rank = max(1.0, float(stats.binom.ppf((1 - CONFIDENCE) / 2, count, 0.5)))  # of the lower end, from 1 on
    low = (rank - 1) / (count - 1) if count > 1 else 0.0
    value = float(np.median(samples))
    ends = np.quantile(ordered, [low, 1 - low])
    return FittedNumber(value, float(ends[0]), float(ends[1]), len(samples), _residual(samples - value, samples))


def mean_estimate(samples: Floats) -> FittedNumber:
    """Mean of independent samples, with the interval of Student's distribution."""
    from scipy import stats

    value, count = float(samples.mean()), len(samples)
    reach = float(stats.t.ppf(0.5 + CONFIDENCE / 2, count - 1)) * float(samples.std(ddof=1)) / np.sqrt(count)
    return FittedNumber(value, value - float(reach), value + float(reach), count, _residual(samples - value, samples))


def deviation_estimate(samples: Floats) -> FittedNumber:
    """Standard deviation of independent samples, with the interval for a normal distribution."""
    from scipy import stats

    value, free = float(samples.std(ddof=1)), len(samples) - 1
    ends = [
        value * float(np.sqrt(free / stats.chi2.ppf(level, free)))
        for level in ((1 + CONFIDENCE) / 2, (1 - CONFIDENCE) / 2)
    ]
    return FittedNumber(value, ends[0], ends[1], len(samples), _residual(samples - samples.mean(), samples))


def slope_estimate(times: Floats, values: Floats) -> FittedNumber:
    """Slope after Theil (1950) and Sen (1968); the interval is that of Sen for as many samples as are independent."""
    from scipy import stats

    found = stats.theilslopes(values, times, CONFIDENCE)
    errors = values - (found.intercept + found.slope * times)
    apart = max(1, round(1 / independent_share(errors)))
    ends = stats.theilslopes(values[::apart], times[::apart], CONFIDENCE) if len(values) > 2 * apart else found
    reach = max(ends.high_slope - ends.slope, ends.slope - ends.low_slope)
    value = float(found.slope)
    return FittedNumber(value, float(value - reach), float(value + reach), len(values), _residual(errors, values))


def _correlation(samples: Floats) -> float:
    """Of neighbours: 0 if they are independent."""
    centred = samples - samples.mean()
    power = float(np.square(centred).sum())  # products of matrices would wake threads for so little
    return float((centred[1:] * centred[:-1]).sum()) / power if power > 0 and len(samples) > 2 else 0.0


def _reach(design: Floats, errors: Floats, weights: Floats) -> Floats:
    """Half of the interval of each coefficient; errors of neighbours may be alike."""
    from scipy import stats

    # Weights stand for the slope of Huber's function, which is 1 for all samples but those far out.
    inverse = np.linalg.pinv((design * (weights >= 1.0)[:, None]).T @ design)
    # Samples that the fit follows have smaller errors than others would: HC3 of MacKinnon and White (1985).
    follows = np.minimum(np.einsum("ij,jk,ik->i", design, inverse, design), 0.5)
    errors = errors * weights / (1.0 - follows)
    scores = design * errors[:, None]
    count, coefficients = design.shape
    alike = _likely_correlation(errors)
    fresh = (scores[1:] - alike * scores[:-1]) / (1.0 - alike)
    free = max(1, count - coefficients)
    widths = [
        np.sqrt(np.diag(inverse @ (part.T @ part) @ inverse) * count / max(1, len(part)) * count / free)
        * float(stats.t.ppf(0.5 + CONFIDENCE / 2, max(1.0, freedom)))
        for part, freedom in ((scores, free), (fresh, free * (1.0 - alike) / (1.0 + alike)))
    ]
    return np.asarray(np.maximum(*widths), dtype=np.float64)


def _likely_correlation(samples: Floats) -> float:
    """Of neighbours, from 0 on, without what a short series takes away from it (Kendall 1954)."""
    found = _correlation(samples)
    return min(max(found + (1 + 3 * found) / len(samples), 0.0), _LONGEST_RUN)


def independent_share(samples: Floats) -> float:
    """How many independent samples each of these is worth, at most 1; neighbours may be alike."""
    alike = _likely_correlation(samples)
    return (1 - alike) / (1 + alike)


def _residual(errors: Floats, values: Floats) -> float:
    middle = float(np.median(np.abs(values)))
    return float(np.median(np.abs(errors))) / middle if middle > 0 else 0.0
