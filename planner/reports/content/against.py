"""A run beside that of another plan: what differs in the plans, and in the figures."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from planner.language.translation import tr
from planner.plan.edits.differences import differences
from planner.plan.model.plan import Plan
from planner.record.result import Figure, RunResult
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from planner.reports.content import wording
from planner.reports.content.report import ReportSection, ReportTable
from planner.reports.content.titles import LESS_IS_BETTER, MORE_IS_BETTER, title_of
from planner.units import format_duration

_MOST_CHANGES = 60
_MOST_PART = 10.0
"""Larger changes are not said in percent."""
_TITLES = (("name",), ("notes",))
_SHOWN = (
    "slo_attainment[", "slo_attainment_by_requests[", "latency_p95_worst[", "latency_p99_worst[", "requests_offered[",
    "requests_lost", "pending_pod_time", "pods_pending_peak", "pod_start_p50", "pod_start_p95",
    "scale_up_to_pod_running_p50", "preemptions", "evictions", "oom_kills", "rescales", "nodes_peak", "nodes_added",
    "nodes_removed", "node_hours", "cpu_requested_mean", "cpu_used_mean", "cost", "cost_idle", "cost_per_1000_requests",
)  # fmt: skip


def against_section(plan: Plan, result: RunResult, other_plan: Plan, other: RunResult) -> ReportSection:
    """`other` is what one had; the report is about `result`."""
    changes = [wording.one_line(str(one)) for one in differences(other_plan, plan)
               if one.steps not in _TITLES]  # fmt: skip
    figures = _figures(_Side.of(plan, result), _Side.of(other_plan, other))
    tables = tuple(table for table in (_changes(changes), figures) if table.rows)
    title = tr("Compared with {plan_name}", plan_name=other.plan_name)
    return ReportSection(title, tuple(_sentences(result, other, len(changes))), tables)


def _sentences(result: RunResult, other: RunResult, changes: int) -> Iterator[str]:
    if not changes:
        yield tr("The two plans are the same.")
    if other.until_us != result.until_us:
        spans = format_duration(other.until_us), format_duration(result.until_us)
        yield tr(
            "The other run simulates {spans} and this one {spans_2}: sums are of different length.",
            spans=spans[0],
            spans_2=spans[1],
        )
    if other.seed != result.seed:
        yield tr(
            "The other run has seed {seed} and this one {seed_2}: part of the difference is chance.",
            seed=other.seed,
            seed_2=result.seed,
        )
    if result.digest() == other.digest():
        yield tr("Both runs are the same, event by event.")


def _changes(changes: list[str]) -> ReportTable:
    more = len(changes) - _MOST_CHANGES
    note = tr("And {more} more changes.", more=more) if more > 0 else ""
    rows = tuple((change,) for change in changes[:_MOST_CHANGES])
    return ReportTable(tr("What changed in the plan"), (tr("Other → this"),), "l", rows, note)


@dataclass(frozen=True)
class _Side:
    """The figures of one of the two runs."""

    figures: Mapping[str, Figure]
    bounds: LatencyBounds

    @classmethod
    def of(cls, plan: Plan, result: RunResult) -> "_Side":
        return cls(result.figures, LatencyBounds.of(plan, result.until_us))

    def get(self, name: str) -> Figure | None:
        figure = self.figures.get(name)
        return None if figure is None else self.bounds.bounded(name, figure)

    def text(self, name: str) -> str:
        figure = self.get(name)
        if figure is None:
            return wording.NOTHING
        is_latency = figure.unit == "ms"
        return self.bounds.text(subject_of(name), figure.value) if is_latency else wording.figure_value(figure)


def _figures(this: _Side, other: _Side) -> ReportTable:
    names = dict.fromkeys((*this.figures, *other.figures))
    shown = [name for name in names if name in _SHOWN or name.startswith(tuple(s for s in _SHOWN if s[-1] == "["))]
    header = tr("Figure"), tr("Other"), tr("This"), tr("Difference"), ""
    return ReportTable(tr("Figures side by side"), header, "lrrrl", tuple(_row(name, this, other) for name in shown))


def _row(name: str, this: _Side, other: _Side) -> tuple[str, ...]:
    return title_of(name), other.text(name), this.text(name), *_difference(name, other.get(name), this.get(name))


def _difference(name: str, before: Figure | None, now: Figure | None) -> tuple[str, str]:
    if before is None or now is None or before.unit != now.unit:
        return wording.NOTHING, ""
    change = now.value - before.value
    if before.value == now.value:
        return "same", ""
    if not math.isfinite(change):
        return wording.NOTHING, ""
    if now.unit == "ratio":
        text = f"{100.0 * abs(change):.2f}".rstrip("0").rstrip(".") + tr(" points")
    else:
        text = wording.figure_value(Figure(abs(change), now.unit))
    sign = "+" if change > 0 else "−"
    part = abs(change) / before.value if before.value > 0 and now.unit != "ratio" else 0.0
    share = f" ({sign}{wording.percent(round(part, 2))})" if 0.005 <= part < _MOST_PART else ""
    return f"{sign}{text}{share}", _sense(name, change)


def _sense(name: str, change: float) -> str:
    kind = name.partition("[")[0]
    if kind in LESS_IS_BETTER:
        return "better" if change < 0 else "worse"
    if kind in MORE_IS_BETTER:
        return "better" if change > 0 else "worse"
    return ""
