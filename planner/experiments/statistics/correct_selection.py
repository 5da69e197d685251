"""How likely plans with few runs would turn out to be good, or lower than another, had all their runs been made.

These are chances of what the runs to come hold, not of true means and shares: a selection is correct if all runs of all
plans would have led to it.
"""

import math

import numpy as np
from numpy.typing import NDArray

from planner.experiments.statistics.estimates import Floats

Counts = NDArray[np.int64]
_MEANS = np.linspace(0.02, 0.98, 25)
_WEIGHTS = 2.0 ** np.arange(-3, 5)
_HITS, _MISSES = np.outer(_MEANS, _WEIGHTS).ravel(), np.outer(1.0 - _MEANS, _WEIGHTS).ravel()
"""Beta distributions of the share that plans may have: about U-shaped for weights below 1, narrow for high ones."""
_UNLIKELY = 1e-4
_POOLED = 4.0
"""Degrees of freedom of the variance that plans have in common."""
_NODES, _OF_NODES = np.polynomial.hermite_e.hermegauss(41)
_CORRELATION = 0.5


def chances_to_keep(kept: Counts, counts: Counts, share: float, total: int) -> Floats:
    """By plan, the probability that `total` runs will have kept a constraint in at least `share` of them.

    A hierarchical beta-binomial model: what shares there are is learnt from the runs of all plans.
    """
    from scipy import special  # late: loading it takes longer than a small run

    pairs, of_pair, plans = np.unique(np.stack([kept, counts]), axis=1, return_inverse=True, return_counts=True)
    hits, misses = pairs[0][:, None], (pairs[1] - pairs[0])[:, None]
    likely = plans @ (special.betaln(hits + _HITS, misses + _MISSES) - special.betaln(_HITS, _MISSES))
    weights = np.exp(likely - likely.max())
    some = weights > _UNLIKELY
    weights, a, b = weights[some] / weights[some].sum(), _HITS[some], _MISSES[some]
    needed = math.ceil(share * total - 1e-9)
    found = [
        float(weights @ _chance_of(needed - hit, total - count, a + hit, b + count - hit)) for hit, count in pairs.T
    ]
    return np.array(found)[of_pair.ravel()]


def _chance_of(needed: int, of: int, a: Floats, b: Floats) -> Floats:
    """That beta-binomial numbers are at least so high."""
    from scipy import stats

    hits = np.arange(max(needed, 0), of + 1)[:, None]
    chances: Floats = stats.betabinom.pmf(hits, of, a, b).sum(axis=0) if needed > 0 else np.ones_like(a)
    return chances


def chances_to_be_lower(differences: list[Floats], total: int, by: float) -> Floats:
    """By plan, the probability that its mean over `total` runs will be lower than another's by more than `by`.

    Plans that were equal in each of their runs may be so in all: how often that is so is learnt from the runs of all
    plans, as what they keep is. The rest follows from paired differences of the first runs, at least one each, by
    Student's t for a mean of which a part is known; the variance is shrunk to that of all plans, as two or three pairs
    say little of their own (Smyth 2004, "Linear models and empirical Bayes methods for assessing differential
    expression in microarray experiments", moderated t).
    """
    from scipy import special

    counts = np.array([len(one) for one in differences])
    means, own = np.array([one.mean() for one in differences]), np.maximum(counts - 1, 0)
    squares = own * np.array([one.var(ddof=1) if len(one) > 1 else 0.0 for one in differences])
    pooled = squares.sum() / max(own.sum(), 1)
    variance = (_POOLED * pooled + squares) / (_POOLED + own)
    spread = np.sqrt(variance * (total - counts) / (total * counts))
    ahead = -by - means
    certain = np.where(ahead > 0.0, 1.0, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        lower = np.where(spread > 0.0, special.stdtr(_POOLED + own, ahead / spread), certain)
    equal = np.array([np.count_nonzero(one == 0.0) for one in differences])
    differ: Floats = 1.0 - chances_to_keep(equal, counts, 1.0, total)
    return np.where(equal == counts, differ * lower, lower)


def chance_of_none(chances: Floats) -> float:
    """That none of several things happens, each of which is about one thing compared with the same other one.

    A normal copula with one common factor and a correlation of one half, as comparisons with a common control have it
    (Dunnett 1955, "A multiple comparison procedure for comparing several treatments with a control").
    """
    from scipy import special

    spared = special.ndtri(1.0 - np.clip(chances, 1e-12, 1.0 - 1e-12))[:, None]
    given = (spared - math.sqrt(_CORRELATION) * _NODES) / math.sqrt(1.0 - _CORRELATION)
    return float(_OF_NODES @ np.exp(special.log_ndtr(given).sum(axis=0)) / _OF_NODES.sum())
