"""One run of a search for headroom: its load, whether every SLO was met, and which one was missed first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from planner.plan.model.plan import Plan
from planner.plan.model.traffic import Slo
from planner.record.result import Figure, RunResult
from planner.units import US_PER_MS

_ATTAINMENTS = ("slo_attainment[", "slo_attainment_end_to_end[")


@dataclass(frozen=True)
class SloBreak:
    """The first recorded moment at which an SLO was missed."""

    workload: str
    at_us: int | None
    """To the record interval; None if it was missed only between two recorded moments."""


@dataclass(frozen=True)
class TriedLoad:
    """The outcome of one run."""

    factor: float
    """All traffic was multiplied by this."""
    missed: tuple[str, ...]
    """Workloads whose SLO was not met all the time."""
    first_break: SloBreak | None
    """None if every SLO was met."""
    figures: Mapping[str, Figure]
    """Key figures of the run."""

    @property
    def kept(self) -> bool:
        """Whether every SLO was met all the time."""
        return not self.missed

    @property
    def attainment(self) -> float:
        """The lowest share of time in which a workload met its SLO."""
        shares = [figure.value for name, figure in self.figures.items() if name.startswith(_ATTAINMENTS)]
        return min(shares, default=1.0)

    @property
    def worst_p95_ms(self) -> float | None:
        """The highest p95 of all workloads; None if nothing was served."""
        values = [figure.value for name, figure in self.figures.items() if name.startswith("latency_p95_worst[")]
        return max(values, default=None)

    @property
    def room(self) -> Mapping[str, float]:
        """How many more pods of each workload would have fitted at the worst moment, and when that was."""
        return {name: figure.value for name, figure in self.figures.items() if name.startswith("room_")}


def tried_load(plan: Plan, factor: float, result: RunResult) -> TriedLoad:
    """What is kept of the run of `plan` with its load multiplied by `factor`."""
    return TriedLoad(factor, result.slo_missed, first_break(plan, result), result.figures)


def first_break(plan: Plan, result: RunResult) -> SloBreak | None:
    """The SLO that was missed first; of several at one moment, the first in the plan."""
    if not result.slo_missed:
        return None
    seen = list(_seen(plan, result))
    if not seen:
        return SloBreak(result.slo_missed[0], None)
    at_us = min(at for at, _ in seen)
    return SloBreak(next(name for at, name in seen if at == at_us), at_us)


def _seen(plan: Plan, result: RunResult) -> Iterator[tuple[int, str]]:
    """First recorded moment of a miss and its workload, in the order of the plan."""
    for workload in plan.workloads:
        if workload.slo is not None and workload.name in result.slo_missed:
            at_us = _first_us(result, workload.name, workload.slo)
            if at_us is not None:
                yield at_us, workload.name


def _first_us(result: RunResult, name: str, slo: Slo) -> int | None:
    is_broken = np.zeros(len(result.time_us), dtype=bool)
    own, whole_ms = f"slo_missed_ratio[{name}]", f"latency_end_to_end_p{slo.percentile}_ms[{name}]"
    if own in result.series:
        is_broken |= result.series[own] > 0.5  # nan before the first load step
    if slo.end_to_end_target is not None and whole_ms in result.series:
        is_broken |= result.series[whole_ms] > slo.end_to_end_target / US_PER_MS  # nan where it waits for no call
    rows = np.flatnonzero(is_broken)
    return int(result.time_us[rows[0]]) if len(rows) else None
