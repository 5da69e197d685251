"""How many replications to make: until the intervals are as narrow as asked for, or the budget is spent."""

import math
from collections.abc import Iterable

from planner.experiments.statistics.estimates import MeanEstimate

FEWEST = 10
"""Replications before the spread is believed."""
_GROWTH = 2.0
"""Most by which one round multiplies the number: the spread of few replications is a guess."""


def is_narrow(estimate: MeanEstimate, of: float, ratio: float) -> bool:
    """Whether the interval reaches at most `ratio` times |of| to either side; a constant is narrow."""
    return estimate.method == "constant" or estimate.half_width <= ratio * abs(of)


def next_count(estimates: Iterable[tuple[MeanEstimate, float]], ratio: float, budget: int) -> int:
    """How many replications are needed by what is known: the number so far if that is enough.

    `estimates` come with the value that `ratio` is a share of. Half-widths shrink with the root of the number. The
    answer depends on the estimates alone, so that it is the same on any number of processors.
    """
    done = needed = 0
    for estimate, of in estimates:
        done = max(done, estimate.n)
        needed = max(needed, estimate.n)
        if is_narrow(estimate, of, ratio):
            continue
        goal = ratio * abs(of)
        times = (estimate.half_width / goal) ** 2 if goal > 0.0 else _GROWTH
        needed = max(needed, math.ceil(estimate.n * min(_GROWTH, times)), estimate.n + 1)
    return min(needed, budget)
