"""Latency along calls held against its own target, over all load steps of a run.

The whole is a workload's own latency and that of the calls it waits for; its percentiles are those of a gamma
distribution with the mean and variance of the sum (spec/load-latency-cost.md section 3).
"""

from collections.abc import Callable
from dataclasses import dataclass

from planner.metrics.sample import LoadView
from planner.plan.plan import Plan
from planner.plan.traffic import Slo
from planner.units import US_PER_S
from planner.workloads.latency.call_chain import Response, with_calls

LatestView = Callable[[int], LoadView]
"""The latest load step of a workload row."""


@dataclass(slots=True)
class EndToEndTotals:
    """SLO time and worst latencies of one workload with its calls since the start of the run."""

    offered: float = 0.0
    looked_us: int = 0
    """Time in which a target was looked at."""
    met_us: int = 0
    met_offered: float = 0.0
    worst_p95_s: float = 0.0
    worst_p95_us: int = -1
    """When the worst p95 began; -1 while nothing was served."""
    worst_p99_s: float = 0.0
    worst_p99_us: int = -1

    def add(self, start_us: int, length_us: int, whole: Response, view: LoadView, slo: Slo | None) -> None:
        """Count one load step of the workload."""
        p95_s, p99_s = whole.percentile_s(95), whole.percentile_s(99)
        if p95_s > self.worst_p95_s:  # false for nan
            self.worst_p95_s, self.worst_p95_us = p95_s, start_us
        if p99_s > self.worst_p99_s:
            self.worst_p99_s, self.worst_p99_us = p99_s, start_us
        if slo is None or slo.end_to_end_target is None:
            return
        offered = view.offered_rps * length_us / US_PER_S
        self.offered += offered
        self.looked_us += length_us
        is_idle = view.offered_rps == 0.0 and view.in_flight == 0.0
        in_time = whole.percentile_s(slo.percentile) * US_PER_S <= slo.end_to_end_target
        if is_idle or (in_time and view.error_ratio <= slo.max_error_ratio):
            self.met_us += length_us
            self.met_offered += offered

    @property
    def attainment(self) -> float:
        """Share of time in which the target was met; 1 if it was never looked at."""
        return self.met_us / self.looked_us if self.looked_us else 1.0

    @property
    def request_attainment(self) -> float:
        """Share of requests that arrived while the target was met; 1 without requests."""
        return self.met_offered / self.offered if self.offered > 0.0 else 1.0


class EndToEnd:
    """The workloads that wait for others, by row."""

    def __init__(self, plan: Plan) -> None:
        rows = {item.name: row for row, item in enumerate(plan.workloads)}
        found = {
            row: tuple((rows[call.workload], call.per_request) for call in item.calls if not call.is_async)
            for row, item in enumerate(plan.workloads)
        }
        self._waits_for = {row: calls for row, calls in found.items() if calls}
        self._slos = {row: plan.workloads[row].slo for row in self._waits_for}
        self._new: dict[int, tuple[int, int]] = {}
        self.of: dict[int, EndToEndTotals] = {row: EndToEndTotals() for row in self._waits_for}

    def note_step(self, row: int, start_us: int, length_us: int) -> None:
        """A workload's load step has ended; those it calls may follow in the same instant."""
        if row in self.of:
            self._new[row] = start_us, length_us

    def close(self, latest: LatestView) -> None:
        """All steps that end at this instant have been told: count them."""
        for row, (start_us, length_us) in self._new.items():
            self.of[row].add(start_us, length_us, self.response(row, latest), latest(row), self._slos[row])
        self._new.clear()

    def response(self, row: int, latest: LatestView) -> Response:
        """Response of a workload in its latest step, with the calls that it waits for; calls never go in circles."""
        view = latest(row)
        own = Response(view.mean_s, view.variance_s2)
        return with_calls(own, ((each, self.response(callee, latest)) for callee, each in self._waits_for.get(row, ())))
