"""Latency along calls: a caller waits for what it calls, one call after the other.

Means add up. Percentiles are those of the gamma distribution with the mean and the variance of the sum, the parts taken
as independent; they are approximate. Source: spec/load-latency-cost.md section 3.
"""

from collections.abc import Iterable
from typing import NamedTuple

from planner.workloads.latency.gamma import DEVIATES, gamma_quantile


class Response(NamedTuple):
    """Mean (seconds) and variance of a response time."""

    mean_s: float
    variance_s2: float

    def percentile_s(self, percent: int) -> float:
        """A percentile of the gamma distribution with these moments, one of 50, 90, 95, 99."""
        return gamma_quantile(self.mean_s, self.variance_s2, DEVIATES[percent])


def with_calls(own: Response, calls: Iterable[tuple[float, Response]]) -> Response:
    """The response of a caller that waits for so many calls of each kind per request."""
    mean_s, variance_s2 = own
    for per_request, callee in calls:
        mean_s += per_request * callee.mean_s
        variance_s2 += per_request * callee.variance_s2
    return Response(mean_s, variance_s2)
