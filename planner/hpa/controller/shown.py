"""What the latest sync shows of each autoscaler, in columns: lines are made of them when somebody reads them."""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.rules.conditions import Condition
from planner.hpa.rules.reconcile import EvaluationOutcome, MetricStatus
from planner.hpa.rules.replica_calculator import INT64_MIN, Proposal, known_value

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class HpaSync(NamedTuple):
    """One evaluation as the report shows it."""

    namespace: str
    name: str
    before: int
    after: int
    observed: int | None
    """Utilization in percent, or average in milli-units, of the first metric; None if it failed, was not read, or
    is an average over no pods."""
    conditions: tuple[Condition, ...] = ()
    failed: bool = False
    """The evaluation ended with an error."""


class ShownSyncs:
    """Columns by position of the autoscaler, and the values of all of their metrics."""

    def __init__(self, widths: Sequence[int]) -> None:
        """`widths`: how many metrics each autoscaler has."""
        ends = list(accumulate(widths))
        self.first: Ints = np.array([end - width for end, width in zip(ends, widths, strict=True)], np.int64)
        """Where the values of each begin."""
        self.values: Floats = np.full(sum(widths), math.nan)
        """Current value of every metric, percent or units of the metric; nan: failed or not read."""
        self._before, self._after = np.zeros((2, len(widths)), np.int64)
        self.observed: Ints = np.full(len(widths), INT64_MIN, np.int64)
        """As in HpaSync; INT64_MIN for None."""
        self._failed = np.zeros(len(widths), np.bool_)

    def show(self, at: int, outcome: EvaluationOutcome, before: int, after: int, width: int) -> None:
        """An evaluation was made in full; `width`: how many metrics there are."""
        first, known = self.first.item(at), outcome.status.metrics
        self.values[first : first + width] = list(map(_value, known)) if known else math.nan
        self._before[at], self._after[at], self._failed[at] = before, after, outcome.has_error
        proposal = outcome.metrics.outcomes[0].proposal if outcome.metrics and outcome.metrics.outcomes else None
        self.observed[at] = INT64_MIN if proposal is None else _observed(proposal)

    def show_proposal(self, at: int, proposal: Proposal) -> None:
        """An evaluation repeated the last one but for what its only metric measured."""
        self.observed[at] = _observed(proposal)
        self.values[self.first[at]] = _value(MetricStatus(None, proposal.value_milli, proposal.utilization_pct))

    def clear(self, at: int, width: int) -> None:
        """An autoscaler is no longer there."""
        first = self.first.item(at)
        self.values[first : first + width] = math.nan
        self._before[at] = self._after[at] = self._failed[at] = 0
        self.observed[at] = INT64_MIN

    def lines(self, autoscalers: Sequence[TrackedAutoscaler]) -> list[HpaSync]:
        """A line for each of the autoscalers."""
        columns = (self._before, self._after, self.observed, self._failed)
        rows = zip(autoscalers, *(column.tolist() for column in columns), strict=True)
        return [
            HpaSync(hpa.namespace, hpa.name, before, after, known_value(seen), hpa.status.conditions, failed)
            for hpa, before, after, seen, failed in rows
        ]


def _observed(proposal: Proposal) -> int:
    return proposal.value_milli if proposal.utilization_pct is None else proposal.utilization_pct


def _value(metric: MetricStatus) -> float:
    """Percent, or units of the metric."""
    value_milli = known_value(metric.value_milli)
    if value_milli is None:
        return math.nan
    return value_milli / 1000 if metric.utilization_pct is None else float(metric.utilization_pct)
