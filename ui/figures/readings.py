"""Readings of a run at one moment: from its series while it is running, from its figures once it has ended."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.language.phrases import said
from planner.language.values import NOTHING
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.model.traffic import Slo
from ui.figures.so_far import SoFar
from ui.runs.run_data import RunData, RunState
from ui.wording.figures import latency_text

Floats = NDArray[np.float64]
_S_PER_H = 3600.0


@dataclass(frozen=True)
class Peak:
    """The largest value, and when it was reached."""

    value: float
    time_s: float


class Readings:
    """A run up to `time_s` (simulated seconds); None reads the whole run. Unknown values are None.

    `so_far`: sums of this run that were needed before.
    """

    def __init__(self, run: RunData, time_s: float | None, so_far: SoFar | None = None) -> None:
        self._run = run
        self._so_far = so_far if so_far is not None and so_far.is_of(run) else SoFar(run)
        self._time_s = run.time_s
        count = len(self._time_s)
        self._end = count if time_s is None else int(np.searchsorted(self._time_s, time_s, side="right"))
        self._is_whole = time_s is None and run.state in (RunState.FINISHED, RunState.STOPPED)

    @property
    def is_live(self) -> bool:
        """More may come."""
        return self._run.state.is_live

    @cached_property
    def serving(self) -> tuple[str, ...]:
        """Names of the workloads that serve requests."""
        return tuple(item.name for item in self._run.plan.workloads if item.traffic is not None)

    @cached_property
    def slos(self) -> dict[str, Slo]:
        """The objectives of the workloads that serve requests."""
        return {w.name: w.slo for w in self._run.plan.workloads if w.traffic is not None and w.slo is not None}

    @property
    def currency(self) -> str:
        """Code or sign of the plan's."""
        return self._run.plan.costs.currency

    # -- service ----------------------------------------------------------------------------------

    @cached_property
    def attainment(self) -> tuple[float, str] | None:
        """The lowest share of time in which a workload met its SLO, and that workload."""
        found = [(share, name) for name in self.slos if (share := self._attainment_figure(name)) is not None]
        if len(found) < len(self.slos):
            sums, counts = (column.tolist() for column in self._so_far.missed(self._end))
            figures = {name for _share, name in found}
            rows = zip(self._so_far.objectives.names, sums, counts, strict=True)
            found += [(1.0 - total / count, name) for name, total, count in rows if count and name not in figures]
        return min(found) if found else None

    def _attainment_figure(self, name: str) -> float | None:
        recorded = (self.figure(f"slo_attainment[{name}]"), self.figure(f"slo_attainment_end_to_end[{name}]"))
        return min((figure for figure in recorded if figure is not None), default=None)

    def latency_words(self, milliseconds: float | None) -> tuple[str, str]:
        """The latency of the slowest workload as text, and what bounds it there: ("≥ 10 s", "time-out")."""
        if milliseconds is None:
            return NOTHING, ""
        at_bound = np.flatnonzero(self._so_far.longest_ms == milliseconds).tolist()
        if at_bound:
            name, bounds = self._so_far.latency.names[at_bound[0]], self._run.latency_bounds
            return said(bounds.at_least(name)), said(bounds.bound(name, milliseconds))
        return latency_text(milliseconds), ""

    @cached_property
    def latency_ms(self) -> float | None:
        """The highest p95 of all workloads at the moment, within its bounds."""
        slowest = self._slowest(self._so_far.newest_latency(self._end)) if self._end else None
        return slowest[0] if slowest is not None else None

    @cached_property
    def latency_peak(self) -> Peak | None:
        """The highest p95 of all workloads so far, within its bounds."""
        slowest = self._slowest(self._highest())
        if slowest is None:
            return None
        value, name = slowest
        time_s = self.figure(f"latency_p95_worst_at[{name}]")
        peak = self._peak(self.values(f"latency_p95_ms[{name}]"))
        time_s = time_s if time_s is not None or peak is None else peak.time_s
        return Peak(value, time_s) if time_s is not None else None

    def _slowest(self, latencies: Floats) -> tuple[float, str] | None:
        """The longest latency of workloads that have one, within its bounds, and the workload."""
        served = latencies >= 0.0
        if not served.any():
            return None
        bounded = np.where(served, np.minimum(latencies, self._so_far.longest_ms), -1.0)
        longest = bounded.max()
        return float(longest), max(self._so_far.latency.names[row] for row in np.flatnonzero(bounded == longest))

    def _highest(self) -> Floats:
        """The highest p95 of each workload; below 0 if nothing was served."""
        highest = self._so_far.highest_latency(self._end)
        recorded = [self.figure(f"latency_p95_worst[{name}]") for name in self._so_far.latency.names]
        return np.array([seen if figure is None else figure for seen, figure in zip(highest, recorded, strict=True)])

    # -- pods and nodes ---------------------------------------------------------------------------

    def pending(self) -> float | None:
        """Pods that wait for a node at the moment."""
        return self._latest("pods_pending_count")

    @cached_property
    def pending_peak(self) -> Peak | None:
        """The most pods that waited at once."""
        return self._peak(self.values("pods_pending_count"))

    @cached_property
    def pending_s(self) -> float:
        """Time in which pods waited."""
        values, time_s = self.values("pods_pending_count"), self._time_s[: self._end]
        return float(np.diff(time_s)[values[:-1] > 0.0].sum()) if len(values) > 1 else 0.0

    def nodes(self) -> float | None:
        """Ready nodes at the moment."""
        return self._latest("nodes_ready_count")

    @cached_property
    def nodes_before(self) -> tuple[float, float] | None:
        """Ready nodes at the start, and at most."""
        values = self.values("nodes_ready_count")
        return (float(values[0]), float(values.max())) if len(values) else None

    def cpu_share(self, what: str) -> float | None:
        """Requested or used CPU as a share of the allocatable one at the moment."""
        part, whole = self._latest(f"cpu_{what}_cores"), self._latest("cpu_allocatable_cores")
        return part / whole if part is not None and whole is not None and whole > 0.0 else None

    def mean_cpu_share(self, what: str) -> float | None:
        """The same on average."""
        part, whole = self.values(f"cpu_{what}_cores").sum(), self.values("cpu_allocatable_cores").sum()
        return float(part / whole) if whole > 0.0 else None

    # -- cost -------------------------------------------------------------------------------------

    def cost_rate(self) -> float | None:
        """Currency per hour at the moment."""
        return self._latest("cost_rate_currency_per_h")

    @cached_property
    def cost(self) -> float | None:
        """Currency so far."""
        figure = self.figure("cost")
        rate, time_s = self.values("cost_rate_currency_per_h"), self._time_s[: self._end]
        if figure is not None or len(rate) < 2:
            return figure
        return float((np.diff(time_s) * rate[:-1]).sum()) / _S_PER_H

    def cost_per_month(self) -> float | None:
        """Currency in 730 hours like those so far."""
        cost, passed_s = self.cost, float(self._time_s[self._end - 1]) if self._end else 0.0
        return cost / passed_s * _S_PER_H * HOURS_PER_MONTH if cost is not None and passed_s > 0.0 else None

    def budget_used(self) -> float | None:
        """The cost of a month as a share of the plan's budget; None if it has none."""
        budget, per_month = self._run.plan.costs.budget_per_month, self.cost_per_month()
        figure = self.figure("budget_used")
        if figure is not None or budget <= 0.0 or per_month is None:
            return figure
        return per_month / budget

    # -- parts ------------------------------------------------------------------------------------

    def figure(self, name: str) -> float | None:
        """A figure of the finished run; None while it is running or read only up to a moment."""
        if not self._is_whole or self._run.result is None or name not in self._run.result.figures:
            return None
        return self._run.result.figures[name].value

    def values(self, name: str) -> Floats:
        """A series up to the moment; empty if the run has none of that name (yet)."""
        return self._run.series(name)[: self._end] if name in self._run.rows else np.empty(0)

    def _latest(self, name: str) -> float | None:
        return self._run.value(name, self._end - 1) if self._end and name in self._run.rows else None

    def _peak(self, values: Floats) -> Peak | None:
        if not len(values) or np.isnan(values).all():
            return None
        at = int(np.nanargmax(values))
        return Peak(float(values[at]), float(self._time_s[at]))
