"""Sums over all load steps of a run, so that key figures do not depend on the record interval."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.metrics.attainment import Attainment
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Slo
from planner.units import US_PER_S
from planner.workloads.latency.free_response import PERCENTILES
from planner.workloads.load.backlog_waits import BacklogWaits
from planner.workloads.load.step.load_step import WorkloadSteps

if TYPE_CHECKING:
    from planner.kernels.load.load_totals import LoadSums

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class WorstWait(NamedTuple):
    """Longest wait of a request that met a backlog, and when it arrived (-1: there was none)."""

    worst_s: float = 0.0
    worst_us: int = -1


@dataclass(frozen=True, slots=True)
class WorkloadTotals(Attainment):
    """Requests, SLO time and worst latencies of one workload since the start of the run."""

    served: float = 0.0
    lost: float = 0.0
    rejected: float = 0.0
    timed_out: float = 0.0
    retried: float = 0.0
    throttled_us: float = 0.0
    """Time in which a ready pod was throttled by its CPU quota, averaged over the ready pods."""
    waits: WorstWait = WorstWait()

    @property
    def amplification(self) -> float:
        """Tries per request."""
        return (self.offered + self.retried) / self.offered if self.offered > 0.0 else 1.0


class SloColumns:
    """Objectives of many workloads."""

    def __init__(self, slos: Mapping[int, Slo | None]) -> None:
        """`slos` by workload row, in the order of the columns; None: no objective."""
        found = list(slos.values())
        self.given: Bools = np.array([slo is not None for slo in found], np.bool_)
        self._percentile = np.array(
            [0 if slo is None else PERCENTILES.index(slo.percentile) for slo in found], np.int64
        )
        self._target_us = np.array([0 if slo is None else slo.target for slo in found], np.int64)
        self._most_errors = np.array([0.0 if slo is None else slo.max_error_ratio for slo in found])

        asked = self._percentile[self.given]
        self._only = int(asked[0]) if len(asked) and (asked == asked[0]).all() else -1
        """The percentile that all objectives are about; -1: not all about the same."""
        self.are_given = bool(self.given.any())

    @property
    def columns(self) -> tuple[NDArray[np.uint8], Ints, Ints, Floats]:
        """Which workloads have one; position of its percentile, target in microseconds and most errors."""
        return self.given.view(np.uint8), self._percentile, self._target_us, self._most_errors

    def met(self, positions: Ints, steps: WorkloadSteps) -> Bools:
        """Whether latency target and error ratio are both kept; without load there is nothing to miss."""
        percentiles = (steps.p50_s, steps.p90_s, steps.p95_s, steps.p99_s)
        if self._only >= 0:
            seconds = percentiles[self._only]
        else:
            seconds = np.stack(percentiles)[self._percentile[positions], np.arange(len(positions))]
        kept = (seconds * US_PER_S <= self._target_us[positions]) & (steps.error_ratio <= self._most_errors[positions])
        return np.asarray(kept | ((steps.offered == 0.0) & (steps.in_flight == 0.0)))


class Flows:
    """What adds up over time, an entry a workload: requests, and microseconds in which a ready pod was throttled.

    `lost` are those that are not tried again.
    """

    FIELDS = ("offered", "served", "lost", "rejected", "timed_out", "retried", "throttled_us")

    def __init__(self, count: int) -> None:
        """Of so many workloads at which nothing has flowed yet."""
        self.table: Floats = np.zeros((len(self.FIELDS), count))
        """A row for each of FIELDS."""
        self.offered, self.served, self.lost, self.rejected, *others = self.table
        self.timed_out, self.retried, self.throttled_us = others


class LoadTotals:
    """Totals of all workloads that serve requests, with their SLOs, in columns."""

    def __init__(self, slos: Mapping[int, Slo | None]) -> None:
        """`slos`: per row of a workload with traffic its SLO, or None."""
        self.slos = dict(slos)
        count = len(self.slos)
        self._rows = np.array(list(self.slos), np.int64)
        self._position = np.zeros(max(self.slos, default=-1) + 1, np.int64)
        self._position[self._rows] = np.arange(count)
        self._objectives = SloColumns(self.slos)
        self._before, self._since = np.zeros((len(Flows.FIELDS), count)), Flows(count)
        """What had flowed at the latest `take_flows`, and what has since then."""
        self._met_offered, self._worst_p95_s, self._worst_p99_s = np.zeros((3, count))
        self._looked_us, self._met_us = np.zeros((2, count), np.int64)
        self._worst_p95_us, self._worst_p99_us = np.full((2, count), -1, np.int64)
        self._waits = BacklogWaits(count)
        self.slo_missed = np.full(count, np.nan)
        """Of the latest step of each workload: 1 if its SLO was missed, 0 if it was kept; nan where there is none."""
        self._kernel = self._made_kernel()

    def __getstate__(self) -> dict[str, Any]:
        """Copies look at their own columns."""
        return vars(self) | {"_kernel": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._kernel = self._made_kernel()

    def _made_kernel(self) -> "LoadSums | None":
        """The compiled twin of `add`."""
        if not switch.in_use():
            return None
        from planner.kernels.load.load_totals import LoadSums

        met = self._looked_us, self._met_us, self._met_offered, self.slo_missed
        worst = self._worst_p95_s, self._worst_p95_us, self._worst_p99_s, self._worst_p99_us
        return LoadSums(self._since.table, self._objectives.columns, met, worst, self._waits.ever_served)

    def add(self, rows: Ints, start_us: Ints, step_us: Ints, steps: WorkloadSteps) -> None:
        """Count one load step of the workloads of these rows; the steps end at the same time."""
        of = self._position[rows]
        if self._kernel is not None:
            if self._kernel.add(of, start_us, step_us, steps) or self._waits.are_waiting:
                self._waits.follow(of, int(start_us[0] + step_us[0]), step_us, steps.served, steps.in_flight)
            return
        at = slice(None) if len(of) == len(self._rows) else of  # spares the copies of the usual case
        since = self._since
        since.offered[at] += steps.offered
        since.served[at] += steps.served
        since.lost[at] += steps.gave_up
        since.rejected[at] += steps.rejected
        since.timed_out[at] += steps.timed_out
        since.retried[at] += steps.retried
        since.throttled_us[at] += steps.throttled * step_us
        self._waits.add(of, int(start_us[0] + step_us[0]), step_us, steps.served, steps.in_flight)
        _keep_worst(self._worst_p95_s, self._worst_p95_us, at, steps.p95_s, start_us)
        _keep_worst(self._worst_p99_s, self._worst_p99_us, at, steps.p99_s, start_us)
        if self._objectives.are_given:
            given = self._objectives.given[of]
            met = given & self._objectives.met(of, steps)
            self._looked_us[at] += np.where(given, step_us, 0)
            self._met_us[at] += np.where(met, step_us, 0)
            self._met_offered[at] += np.where(met, steps.offered, 0.0)
            self.slo_missed[at] = np.where(given, ~met, np.nan)

    @property
    def rows(self) -> tuple[int, ...]:
        """Workload rows that serve requests."""
        return tuple(self.slos)

    def take_flows(self) -> Flows:
        """What has flowed since this was called last, in the order of `rows`."""
        taken = Flows(len(self._rows))
        taken.table[:] = self._since.table
        self._since.table[:] = 0.0
        self._before += taken.table
        return taken

    @property
    def of(self) -> dict[int, WorkloadTotals]:
        """Totals until now by workload row."""
        offered, *others = self._before + self._since.table
        columns = (
            offered, self._looked_us, self._met_us, self._met_offered,
            self._worst_p95_s, self._worst_p95_us, self._worst_p99_s, self._worst_p99_us, *others,
        )  # fmt: skip
        waits = [
            WorstWait(*each) for each in zip(self._waits.worst_s.tolist(), self._waits.worst_us.tolist(), strict=True)
        ]
        values = zip(*(column.tolist() for column in columns), waits, strict=True)
        return {row: WorkloadTotals(*each) for row, each in zip(self.slos, values, strict=True)}


def _keep_worst(worst_s: Floats, worst_us: Ints, at: Ints | slice, found_s: Floats, start_us: Ints) -> None:
    """The first of equally bad steps counts; nan is never bad."""
    before_s = worst_s[at]
    worse = found_s > before_s
    if np.count_nonzero(worse):
        worst_s[at] = np.where(worse, found_s, before_s)
        worst_us[at] = np.where(worse, start_us, worst_us[at])


def totals_for(plan: Plan) -> LoadTotals:
    """Empty totals for the workloads of a plan that serve requests; rows are positions in the plan."""
    return LoadTotals({row: plan.workloads[row].slo for row in plan.serving_rows()})
