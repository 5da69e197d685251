"""The best of several plans that share their luck: multiple comparisons by Nelson and Matejcik.

Nelson and Matejcik 1995, "Using common random numbers for indifference-zone selection and multiple comparisons in
simulation", Management Science 41 (12): under common random numbers with equal covariances (sphericity), the
intervals of Hsu's comparison with the best hold for all plans at once.
"""

import math
from functools import cache

import numpy as np

from planner.experiments.statistics.estimates import Floats, MeanEstimate

_NODES = 60


def compared_with_best(values: Floats, *, lowest: bool, confidence: float = 0.95) -> tuple[MeanEstimate, ...]:
    """For each plan its mean minus that of the best other one, with intervals that hold together.

    `values` has a row per plan and a column per seed. The intervals are constrained (Hsu 1984): one that begins or
    ends at 0 says that the plan is not the best, or is it; a plan whose interval has 0 inside cannot be told from it.
    """
    plans, seeds = values.shape
    signed = -values if lowest else values
    means = signed.mean(axis=1)
    residual = signed - means[:, None] - signed.mean(axis=0)[None, :] + signed.mean()
    variance = 2.0 * float((residual**2).sum()) / ((plans - 1) * (seeds - 1))
    half = equicoordinate_point(confidence, plans - 1, (plans - 1) * (seeds - 1)) * math.sqrt(variance / seeds)
    found = []
    for row in range(plans):
        ahead = float(means[row] - np.delete(means, row).max())
        low, high = min(0.0, ahead - half), max(0.0, ahead + half)
        found.append(
            MeanEstimate(-ahead, 0.0 - high, 0.0 - low, seeds, "best")
            if lowest
            else MeanEstimate(ahead, low, high, seeds, "best")
        )
    return tuple(found)


@cache
def equicoordinate_point(confidence: float, others: int, degrees: int) -> float:
    """The one-sided critical point of the largest of `others` t variables with correlation 1/2 (Bechhofer's constant).

    Found by quadrature over the shared normal and the chi variable.
    """
    from scipy import optimize, special, stats  # late: loading it takes longer than a small run

    shared, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    weights = weights / weights.sum()
    levels, level_weights = np.polynomial.legendre.leggauss(_NODES)
    scale = np.sqrt(stats.chi2.ppf(0.5 * (levels + 1.0), degrees) / degrees)
    level_weights = 0.5 * level_weights

    def missing(point: float) -> float:
        below = special.ndtr(shared[:, None] + math.sqrt(2.0) * point * scale[None, :]) ** others
        return float(weights @ below @ level_weights) - confidence

    return float(optimize.brentq(missing, 0.0, 200.0, xtol=1e-9))
