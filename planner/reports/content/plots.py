"""The plots of a report, from the series of the run."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from planner.language.translation import tr
from planner.plan.model.plan import Plan
from planner.plan.values.money import currency_sign
from planner.record.result import RunResult
from planner.record.series import SeriesStore
from planner.reports.content.key_figures import worst_first
from planner.reports.content.report import AxisKind, Floats, ReportLine, ReportPlot
from planner.units import US_PER_MS, US_PER_S

COLOURS = 8
_MOST_LINES = 7
_MOST_SERVICES = 3
_REST = COLOURS - 1
"""Colour of all that have no line of their own."""
_LOST, _OFFERED, _SERVED = 1, 0, 2


def plots_of(plan: Plan, result: RunResult) -> tuple[ReportPlot, ...]:
    """Load, replicas, nodes, pods, latency, CPU and cost; only those of which the run knows something."""
    if not len(result.time_us):
        return ()
    makers: tuple[Callable[[Plan, RunResult], Iterator[ReportPlot]], ...] = (
        _load, _replicas, _nodes, _pending, _latency, _cpu, _cost,
    )  # fmt: skip
    return tuple(plot for make in makers for plot in make(plan, result))


def seconds_of(result: RunResult) -> Floats:
    """The times of all plots."""
    return result.time_us / US_PER_S


def _load(_plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    sums = [(name, colour, _sum(result.series, f"{what}_rps[")) for name, what, colour in (
        (tr("offered"), "offered", _OFFERED), (tr("served"), "served", _SERVED), (tr("lost"), "lost", _LOST),
    )]  # fmt: skip
    lines = tuple(ReportLine(name, values, colour) for name, colour, values in sums if values is not None)
    if lines:
        yield ReportPlot(tr("Load of all services"), tr("requests per second"), lines)


def _sum(series: SeriesStore, beginning: str) -> Floats | None:
    """Of all series whose names begin so; None without any."""
    found = [name for name in series if name.startswith(beginning)]
    if not found:
        return None
    total = np.zeros(series.rows)
    for name in found:
        total += np.nan_to_num(series[name])
    return total


def _replicas(plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    ready, rest = _largest(result.series, "replicas_ready_count", [item.name for item in plan.workloads])
    note = (
        tr("The {count} largest workloads; {rest} more are in the tables.", count=len(ready), rest=rest) if rest else ""
    )
    if ready:
        yield ReportPlot(tr("Ready pods by workload"), tr("pods"), tuple(ready), AxisKind.COUNT, note=note)


def _largest(series: SeriesStore, column: str, names: Sequence[str]) -> tuple[list[ReportLine], int]:
    """The lines with the highest peaks in the order of the plan, and how many are left out."""
    known = [(place, name) for place, name in enumerate(names) if f"{column}[{name}]" in series]
    peaks = {name: float(np.nan_to_num(series[f"{column}[{name}]"]).max(initial=0.0)) for _, name in known}
    shown = frozenset(sorted(peaks, key=lambda name: -peaks[name])[:_MOST_LINES])
    lines = [
        ReportLine(name, series[f"{column}[{name}]"], place % _REST if len(known) > _MOST_LINES else place % COLOURS)
        for place, name in known
        if name in shown
    ]
    return lines, len(known) - len(lines)


def _nodes(_plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    series = result.series
    names = [row["node_group"] for row in result.node_groups]
    lines, rest = _largest(series, "group_nodes_ready_count", names)
    if not lines:
        return
    shown = frozenset(line.name for line in lines)
    if rest:
        other = sum((series[f"group_nodes_ready_count[{name}]"] for name in names if name not in shown), np.zeros(1))
        lines.append(ReportLine(tr("{rest} more pools", rest=rest), np.asarray(other), _REST))
    coming = series.get("nodes_booting_count")
    if coming is not None and coming.any():
        lines.append(ReportLine(tr("with requested nodes"), series["nodes_ready_count"] + coming, _REST, dashed=True))
    yield ReportPlot(tr("Nodes by pool"), tr("ready nodes"), tuple(lines), AxisKind.COUNT, stacked=True)


def _pending(_plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    columns = ((tr("waiting for a node"), "pods_pending_count", 1), (tr("starting"), "pods_starting_count", 5))
    lines = [
        ReportLine(name, result.series[column], colour) for name, column, colour in columns if column in result.series
    ]
    if lines:
        yield ReportPlot(tr("Pods that do not run yet"), tr("pods"), tuple(lines), AxisKind.COUNT)


def _latency(plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    serving = [plan.workloads[row].name for row in plan.serving_rows()]
    named = [*worst_first(result), *(name for name in serving if name not in result.slo_missed)]
    targets = {item.name: item.slo for item in plan.workloads if item.slo is not None}
    for name in list(dict.fromkeys(named))[:_MOST_SERVICES]:
        curves = [(p, result.series.get(f"latency_p{p}_ms[{name}]")) for p in (50, 95, 99)]
        lines = [ReportLine(f"p{p}", values, colour) for colour, (p, values) in zip((2, 0, 1), curves, strict=True)
                 if values is not None and np.isfinite(values).any()]  # fmt: skip
        if lines:
            slo = targets.get(name)
            level = (
                None if slo is None else (tr("SLO p{percentile}", percentile=slo.percentile), slo.target / US_PER_MS)
            )
            unanswered = any(np.isinf(line.values).any() for line in lines)
            note = (
                tr("Where a curve is at the upper edge, so many requests are lost that it has no value.") * unanswered
            )
            yield ReportPlot(
                tr("Latency of {name}", name=name), "", tuple(lines), AxisKind.MILLISECONDS, note=note, level=level
            )


def _cpu(_plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    columns = ((tr("allocatable"), "allocatable", 5), (tr("requested"), "requested", 0), (tr("used"), "used", 1))
    lines = [ReportLine(name, result.series[f"cpu_{what}_cores"], colour)
             for name, what, colour in columns if f"cpu_{what}_cores" in result.series]  # fmt: skip
    if lines:
        yield ReportPlot(tr("CPU of the cluster"), tr("cores"), tuple(lines))


def _cost(plan: Plan, result: RunResult) -> Iterator[ReportPlot]:
    rate = result.series.get("cost_rate_currency_per_h")
    if rate is None or not rate.any():
        return
    hours = np.diff(seconds_of(result), prepend=0.0) / 3600.0
    before = np.concatenate((rate[:1], rate[:-1]))
    spent = np.cumsum(before * hours)
    note = tr("Price of the nodes while they are there; minimum times and reservations are part of the total only.")
    yield ReportPlot(
        tr("Cost so far"),
        currency_sign(plan.costs.currency),
        (ReportLine(tr("cost"), spent, 0),),
        AxisKind.MONEY,
        note=note,
    )
