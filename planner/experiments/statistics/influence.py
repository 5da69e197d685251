"""Which uncertain input a figure depends on most, by rank correlation over the replications."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from planner.experiments.statistics.estimates import Floats

FEWEST = 8
"""Replications below which a correlation says nothing."""


@dataclass(frozen=True)
class Influence:
    """How much one input moves a figure."""

    path: str
    correlation: float
    """Of the ranks (Spearman): from -1 to 1."""
    share: float
    """Its square: about the share of the figure's variance that the input explains."""


def influences(inputs: Mapping[str, Floats], figure: Floats) -> tuple[Influence, ...]:
    """All inputs, the most important first; none for a figure that does not vary or has too few values."""
    from scipy import stats  # late: loading it takes longer than a small run

    known = np.isfinite(figure)
    if known.sum() < FEWEST or np.ptp(figure[known]) == 0.0:
        return ()
    found = []
    for path, values in inputs.items():
        if np.ptp(values[known]) > 0.0:
            correlation = float(stats.spearmanr(values[known], figure[known]).statistic)
            found.append(Influence(path, correlation, correlation**2))
    return tuple(sorted(found, key=lambda one: (-one.share, one.path)))
