"""Shares of replications, such as the probability that an SLO is broken."""

from planner.experiments.statistics.estimates import MeanEstimate


def wilson_interval(hits: int, count: int, confidence: float = 0.95) -> MeanEstimate:
    """A share with the interval of Wilson (1927), which holds for shares near 0 and 1 as well."""
    from scipy import stats  # late: loading it takes longer than a small run

    found = stats.binomtest(hits, count).proportion_ci(confidence, method="wilson")
    return MeanEstimate(hits / count, float(found.low), float(found.high), count, "wilson")
