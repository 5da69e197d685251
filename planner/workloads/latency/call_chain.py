"""Latency along calls: a caller waits for what it calls, one call after the other.

Means add up. Percentiles are those of the gamma distribution with the mean and the variance of the sum, the parts taken
as independent; docs/model.md has the errors.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.gamma import DEVIATES, gamma_quantile
from planner.workloads.latency.mmc import Floats, Ints


class Response(NamedTuple):
    """Mean (seconds) and variance of response times."""

    mean_s: Floats
    variance_s2: Floats

    def percentile_s(self, percent: int) -> Floats:
        """A percentile of the gamma distributions with these moments, one of 50, 90, 95, 99."""
        return gamma_quantile(self.mean_s, self.variance_s2, DEVIATES[percent])


class _Level(NamedTuple):
    """Calls of workloads whose callees are all done."""

    caller: Ints
    callee: Ints
    per_request: Floats


class CallChains:
    """Which workloads wait for which; calls never form cycles."""

    def __init__(self, waits_for: Mapping[int, Sequence[tuple[int, float]]]) -> None:
        """`waits_for`: by workload row the rows that it calls and waits for, and calls per request."""
        self.callers: Ints = np.array(sorted(row for row, calls in waits_for.items() if calls), np.int64)
        """Rows that wait for others, ascending."""
        self._levels: list[_Level] = []
        left = {row: calls for row, calls in waits_for.items() if calls}
        while left:
            ready = [row for row, calls in left.items() if not any(callee in left for callee, _ in calls)]
            calls = [(row, callee, each) for row in ready for callee, each in left.pop(row)]
            caller, callee, each = zip(*calls, strict=True)
            self._levels.append(_Level(np.array(caller), np.array(callee), np.array(each, np.float64)))

    def responses(self, own: Response) -> Response:
        """Responses of all workloads with the calls that they wait for, from their own by row."""
        mean_s, variance_s2 = own.mean_s.copy(), own.variance_s2.copy()
        for caller, callee, each in self._levels:
            np.add.at(mean_s, caller, each * mean_s[callee])
            np.add.at(variance_s2, caller, each * variance_s2[callee])
        return Response(mean_s, variance_s2)
