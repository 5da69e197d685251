"""Rules of ranking and selection: who is out of a race over seeds, and how likely the one that is left is the best."""

import math

import numpy as np

from planner.experiments.statistics.estimates import Floats


def misses_share(kept: int, count: int, share: float, risk: float) -> bool:
    """Whether so few runs kept a constraint that its true share is below `share`, at that risk of being wrong."""
    from scipy import special  # late: loading it takes longer than a small run

    return float(special.bdtr(kept, count, share)) <= risk * (1.0 + 1e-9)


def keeps_share(kept: int, count: int, share: float, confidence: float) -> bool:
    """Whether the true share is at least `share` with that confidence: the lower end of Wilson's one-sided interval."""
    from scipy import stats

    level = 2.0 * confidence - 1.0
    return float(stats.binomtest(kept, count).proportion_ci(level, method="wilson").low) >= share


def drops_out(values: Floats, than: Floats, first: int, plans: int, zone: float, risk: float) -> bool:
    """Whether a plan leaves the sequential comparison of `plans` plans: its sum has run too far ahead of another's.

    Kim and Nelson 2001, "A fully sequential procedure for indifference-zone selection in simulation", ACM TOMACS 11
    (3), with c = 1: the survivor is the best with probability 1 - risk if it is better by `zone`. The variance comes
    from the first `first` pairs.
    """
    if first < 2 or plans < 2 or zone <= 0.0:
        return False
    differences = values - than
    spread = float(differences[:first].var(ddof=1))
    eta = 0.5 * ((2.0 * risk / (plans - 1)) ** (-2.0 / (first - 1)) - 1.0)
    room = max(0.0, 0.5 * zone * (2.0 * eta * (first - 1) * spread / zone**2 - len(differences)))
    return bool(float(differences.sum()) > room)


def chance_keeps(kept: int, count: int, share: float) -> float:
    """The probability that the true share is at least `share`, after Jeffreys' prior."""
    from scipy import special

    return float(special.betaincc(kept + 0.5, count - kept + 0.5, share))


def lowest_together(costs: Floats, shares: Floats) -> list[int]:
    """Rows that no other row beats in both: costs that are low, shares that are high; by rising cost."""
    order = np.lexsort((-shares, costs))
    found, best = [], -math.inf
    for row in order.tolist():
        if shares[row] > best:
            found.append(row)
            best = float(shares[row])
    return found
