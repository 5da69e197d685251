"""The bands of an answer as plots of a report: what the plans go through, and how much chance there is in it."""

from collections.abc import Iterator, Mapping

import numpy as np

from planner.experiments.answers.answer import ExperimentAnswer
from planner.experiments.statistics.quantiles import Band
from planner.language.translation import tr
from planner.reports.content.report import AxisKind, Floats, ReportLine, ReportPlot
from planner.units import US_PER_S

_MOST_PLOTS, _MOST_PLANS = 4, 4


def band_plots(name: str, answer: ExperimentAnswer) -> tuple[ReportPlot, ...]:
    """Latency of services first, then nodes and pods that wait; the median, and dashed the ends of the band.

    Titles begin with the name of the experiment: in some formats the plots are apart from its tables.
    """
    if len(answer.band_time_us) < 2:
        return ()
    seconds = np.array(answer.band_time_us, dtype=np.float64) / US_PER_S
    note = tr("The median of {count} runs; dashed: 5 % and 95 % of them, moment by moment.", count=len(answer.seeds))
    found = [
        ReportPlot(tr("{name}: {title}", name=name, title=title), "", lines, axis, note=note, seconds=seconds)
        for title, axis, bands in _wanted(answer)
        if (lines := tuple(_lines(answer, bands)))
    ]
    return tuple(found[:_MOST_PLOTS])


def _wanted(answer: ExperimentAnswer) -> Iterator[tuple[str, AxisKind, Mapping[str, Band]]]:
    for name, bands in answer.bands.items():
        if name.startswith("latency_p95_ms["):
            workload = name.partition("[")[2].removesuffix("]")
            yield tr("p95 latency of {workload}", workload=workload), AxisKind.MILLISECONDS, bands
    titles = {"nodes_ready_count": tr("Ready nodes"), "pods_pending_count": tr("Pods without a node")}
    for name, title in titles.items():
        if name in answer.bands:
            yield title, AxisKind.COUNT, answer.bands[name]


def _lines(answer: ExperimentAnswer, bands: Mapping[str, Band]) -> Iterator[ReportLine]:
    """Three of each plan, in one colour; none where the runs have nothing to show."""
    for colour, plan in enumerate(answer.variants[:_MOST_PLANS]):
        band = bands.get(plan.name)
        if band is None or not np.isfinite(band.middle).any():
            continue
        yield ReportLine(plan.name, band.middle, colour)
        if not _alike(band):
            yield ReportLine("5 %", band.low, colour, dashed=True)
            yield ReportLine("95 %", band.high, colour, dashed=True)


def _alike(band: Band) -> bool:
    ends: tuple[Floats, ...] = (band.low, band.high)
    return all(np.array_equal(end, band.middle, equal_nan=True) for end in ends)
