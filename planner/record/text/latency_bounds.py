"""Latencies that say something: beyond a bound, a number would be one of the model alone."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from planner.language.phrases import phrase, said
from planner.language.values import NOTHING, latency
from planner.plan.model.plan import Plan
from planner.record.result import Figure
from planner.units import US_PER_MS

_P95 = "latency_p95_worst["


@dataclass(frozen=True)
class LatencyBounds:
    """Of the workloads of a plan in a run: beyond the time-out of a workload no request is answered, and beyond the
    length of the run no latency could be measured.
    """

    timeouts_ms: Mapping[str, float]
    """Of the workloads that have one."""
    until_us: int
    """How long the run was."""

    @classmethod
    def of(cls, plan: Plan, until_us: int) -> Self:
        """The bounds in a run of the plan."""
        demands = {workload.name: workload.demand for workload in plan.workloads}
        return cls({name: one.timeout / US_PER_MS for name, one in demands.items() if one.timeout}, until_us)

    @classmethod
    def widest(cls, several: Iterable[Self]) -> Self:
        """Of several runs, at least one: what no latency of any of them exceeds."""
        every = tuple(several)
        both = frozenset.intersection(*(frozenset(one.timeouts_ms) for one in every))
        names = [name for name in every[0].timeouts_ms if name in both]
        timeouts_ms = {name: max(one.timeouts_ms[name] for one in every) for name in names}
        return cls(timeouts_ms, max(one.until_us for one in every))

    def longest_ms(self, workload: str) -> float:
        """The longest latency of this workload; every latency of a percentile that is lost counts as that."""
        return min(self.timeouts_ms.get(workload, math.inf), self.until_us / US_PER_MS)

    def text(self, workload: str, milliseconds: float) -> str:
        """182 ms, or "≥ 10 s (time-out)"."""
        if math.isnan(milliseconds):
            return NOTHING
        return said(self.beyond(workload, milliseconds)) or latency(milliseconds)

    def beyond(self, workload: str, milliseconds: float) -> str:
        """What is said of a latency at its bound or beyond; empty for any other."""
        bound = self.bound(workload, milliseconds)
        return phrase("{value} ({bound})", value=self.at_least(workload), bound=bound) if bound else ""

    def at_least(self, workload: str) -> str:
        """What is said of such a latency where the bound is named elsewhere: "≥ 10 s"."""
        return phrase("≥ {value}", value=latency(self.longest_ms(workload)))

    def bound(self, workload: str, milliseconds: float) -> str:
        """What a latency has reached or exceeded: "time-out", "whole run"; empty if neither."""
        longest = self.longest_ms(workload)
        if not milliseconds >= longest:
            return ""
        return phrase("time-out") if longest == self.timeouts_ms.get(workload) else phrase("whole run")

    def text_of_worst(self, figures: Mapping[str, float]) -> str:
        """The highest p95 of all workloads, of the figures of a run in milliseconds; a dash if nothing was served."""
        found = [(value, subject_of(name)) for name, value in figures.items() if name.startswith(_P95)]
        known = [one for one in found if not math.isnan(one[0])]
        return self.text(max(known)[1], max(known)[0]) if known else NOTHING

    def bounded(self, name: str, figure: Figure) -> Figure:
        """The figure of this name; a latency beyond its bound is the bound."""
        if figure.unit != "ms" or math.isnan(figure.value):
            return figure
        return Figure(min(figure.value, self.longest_ms(subject_of(name))), figure.unit)


def subject_of(name: str) -> str:
    """shop for latency_p95_worst[shop]; empty for a figure of the whole cluster."""
    return name.removesuffix("]").partition("[")[2]
