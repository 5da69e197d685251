"""When workloads missed their SLO."""

import numpy as np

from planner.language.translation import tr
from planner.record.result import RunResult
from planner.reports.content import wording
from planner.reports.content.key_figures import worst_first
from planner.reports.content.report import ReportTable
from planner.units import US_PER_S

_MOST = 20


def misses(result: RunResult) -> ReportTable:
    """A row per stretch of rows of the time series in which an SLO was missed, the longest ones."""
    found = list[tuple[float, float, str]]()
    for name in worst_first(result):
        series = result.series.get(f"slo_missed_ratio[{name}]")
        if series is None or not len(series):
            continue
        missed = np.concatenate(([0], (series > 0.0).astype(np.int8), [0]))
        starts, ends = np.flatnonzero(np.diff(missed) == 1), np.flatnonzero(np.diff(missed) == -1) - 1
        at = result.time_us / US_PER_S
        # A row covers the time since the one before it.
        begins = np.maximum(starts - 1, 0)
        found += [(begin, end, name) for begin, end in zip(at[begins].tolist(), at[ends].tolist(), strict=True)]
    longest = sorted(found, key=lambda one: (one[0] - one[1], one[0]))[:_MOST]
    rows = tuple(
        (name, wording.clock(begin), wording.clock(end), wording.span(end - begin))
        for begin, end, name in sorted(longest)
    )
    more = len(found) - len(rows)
    note = tr("{more} shorter ones are left out.", more=more) if more else ""
    return ReportTable(
        tr("When an SLO was missed"), (tr("Workload"), tr("Start"), tr("End"), tr("Length")), "lrrr", rows, note
    )
