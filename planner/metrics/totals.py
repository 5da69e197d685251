"""Sums over all load steps of a run, so that key figures do not depend on the record interval."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from planner.metrics.sample import LoadView
from planner.plan.calls import serving_rows
from planner.plan.plan import Plan
from planner.plan.traffic import Slo
from planner.units import US_PER_S
from planner.workloads.backlog_waits import BacklogWaits


@dataclass(slots=True)
class WorkloadTotals:
    """Requests, SLO time and worst latencies of one workload since the start of the run."""

    offered: float = 0.0
    served: float = 0.0
    lost: float = 0.0
    loaded_us: int = 0
    """Time in which an SLO of the workload was looked at."""
    met_us: int = 0
    met_offered: float = 0.0
    worst_p95_s: float = 0.0
    worst_p95_us: int = -1
    """When the worst p95 began; -1 while nothing was served."""
    worst_p99_s: float = 0.0
    worst_p99_us: int = -1
    rejected: float = 0.0
    timed_out: float = 0.0
    retried: float = 0.0
    throttled_us: float = 0.0
    """Time in which a ready pod stood still because of its CPU quota, averaged over the ready pods."""
    waits: BacklogWaits = field(default_factory=BacklogWaits)

    def add(self, time_us: int, step_us: int, view: LoadView, slo: Slo | None) -> None:
        """Count one load step that began at `time_us`."""
        seconds = step_us / US_PER_S
        offered = view.offered_rps * seconds
        self.offered += offered
        self.served += view.served_rps * seconds
        self.lost += view.lost_rps * seconds
        self.rejected += view.rejected_rps * seconds
        self.timed_out += view.timed_out_rps * seconds
        self.retried += view.retried_rps * seconds
        self.throttled_us += view.throttled * step_us
        self.waits.add(time_us + step_us, step_us, view.served_rps * seconds, view.in_flight)
        if view.p95_s > self.worst_p95_s:  # false for nan
            self.worst_p95_s, self.worst_p95_us = view.p95_s, time_us
        if view.p99_s > self.worst_p99_s:
            self.worst_p99_s, self.worst_p99_us = view.p99_s, time_us
        if slo is not None:
            self.loaded_us += step_us
            if view.meets(slo):
                self.met_us += step_us
                self.met_offered += offered

    @property
    def amplification(self) -> float:
        """Tries per request."""
        return (self.offered + self.retried) / self.offered if self.offered > 0.0 else 1.0

    @property
    def attainment(self) -> float:
        """Share of time in which the SLO was met; 1 if it was never looked at."""
        return self.met_us / self.loaded_us if self.loaded_us else 1.0

    @property
    def request_attainment(self) -> float:
        """Share of requests that arrived while the SLO was met; 1 without requests."""
        return self.met_offered / self.offered if self.offered > 0.0 else 1.0


class LoadTotals:
    """Totals of all workloads that serve requests, with their SLOs."""

    def __init__(self, slos: Mapping[int, Slo | None]) -> None:
        """`slos`: per row of a workload with traffic its SLO, or None."""
        self.slos = dict(slos)
        self.of: dict[int, WorkloadTotals] = {row: WorkloadTotals() for row in self.slos}


def totals_for(plan: Plan) -> LoadTotals:
    """Empty totals for the workloads of a plan that serve requests; rows are positions in the plan."""
    return LoadTotals({row: plan.workloads[row].slo for row in serving_rows(plan)})
