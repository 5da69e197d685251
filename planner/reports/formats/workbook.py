"""The report as a workbook for spreadsheets: figures as numbers, and charts that the spreadsheet draws itself."""

import io
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from types import MappingProxyType

from xlsxwriter import Workbook

from planner.language.translation import tr
from planner.metrics.tables import COLUMNS
from planner.record.result import Figure
from planner.record.text.explain import why
from planner.record.text.latency_bounds import LatencyBounds
from planner.reports.content.report import RunReport
from planner.reports.content.titles import title_of
from planner.reports.formats.charts import SECONDS_PER_DAY, Charts
from planner.reports.formats.sheets import Looks, RowWriter
from planner.units import US_PER_S

_CREATED = datetime(2000, 1, 1)
"""Of every workbook: the same plan and seed give the same bytes."""
_MOST_CELLS = 1_000_000
_MOST_COLUMNS = 5_000
_MOST_DECISIONS = 50_000
_WHOLE = frozenset({"requests", "count", "pods", "nodes", "bytes"})
"""Units of which nobody wants a fraction."""
_UNITS = MappingProxyType({"count": "", "per_h": "/h"})
"""As a reader sees them, where they differ from the name."""
_NUMBER = re.compile(r"-?(0|[1-9]\d{0,14})(\.\d+)?")


def workbook(report: RunReport) -> bytes:
    """Sheets: summary with charts, what they show, time series, workloads, node pools, cost, decisions, plan."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with Workbook(out, options) as book:
        book.set_properties({"title": report.title, "author": "Headroom", "created": _CREATED})
        _Sheets(book, report).write()
    return out.getvalue()


class _Sheets:
    """Writes the sheets of one workbook."""

    def __init__(self, book: Workbook, report: RunReport) -> None:
        self._book, self._report, self._looks = book, report, Looks(book)

    def write(self) -> None:
        """All of them, in order."""
        summary, data = self._book.add_worksheet(tr("Summary")), self._book.add_worksheet(tr("Plots"))
        Charts(self._book, self._looks, self._report).write(summary, data)
        series_notes = self._series()
        self._tables()
        notes = [*series_notes, *self._decisions()]
        self._plan()
        for sheet in self._book.worksheets():
            sheet.set_landscape()
            sheet.fit_to_pages(1, 0)
        summary.hide_gridlines(2)
        summary.set_column(0, 0, 44)
        summary.set_column(1, 1, 18)
        summary.set_column(2, 2, 50)
        self._summary(RowWriter(summary, self._looks), notes)

    def _summary(self, rows: RowWriter, notes: Sequence[str]) -> None:
        report, bold = self._report, self._looks.bold
        rows.line(report.title, self._looks.title)
        for line in report.about:
            rows.line(line)
        rows.gap()
        rows.line(report.verdict.headline, bold)
        for line in report.verdict.sentences:
            rows.line(line)
        rows.gap()
        rows.head((tr("Figure"), tr("Value"), tr("Meaning")))
        rows.rows((fact.label, fact.value, fact.note) for fact in report.facts)
        rows.gap()
        rows.head((tr("All figures"), tr("Value"), tr("Unit")))
        bounds = LatencyBounds.of(report.plan, report.result.until_us)
        for name, one in report.result.figures.items():
            self._figure(rows, name, bounds.bounded(name, one))
        rows.gap()
        for line in (*notes, *report.statement):
            rows.line(line)

    def _figure(self, rows: RowWriter, name: str, figure: Figure) -> None:
        looks, base = self._looks, name.partition("[")[0]
        if base.endswith("_at"):
            rows.figure(title_of(name), figure.value / SECONDS_PER_DAY, "", looks.time)
        elif figure.unit == "ratio":
            rows.figure(title_of(name), figure.value, "", looks.share)
        else:
            look = looks.count if figure.unit in _WHOLE else looks.measure
            rows.figure(title_of(name), figure.value, _UNITS.get(figure.unit, figure.unit), look)

    def _series(self) -> list[str]:
        """Every n-th row where all would be too many; what is left out, in words."""
        result = self._report.result
        names = list(result.series)[:_MOST_COLUMNS]
        step = -(-len(result.time_us) * (len(names) + 1) // _MOST_CELLS) or 1
        rows = self._sheet(tr("Time series"), ("time_s", *names))
        columns = [(result.time_us[::step] / US_PER_S).tolist()]
        columns += [result.series[name][::step].tolist() for name in names]
        rows.rows(zip(*columns, strict=True))
        found = [tr("The sheet Time series has one row of {step}.", step=step)] if step > 1 else []
        more = len(result.series) - len(names)
        return (
            [*found, tr("It leaves out {more:,} series; headroom simulate --out has all.", more=more)]
            if more
            else found
        )

    def _tables(self) -> None:
        result = self._report.result
        for name, kind, rows in (
            (tr("Workloads"), "workloads", result.workloads),
            (tr("Node pools"), "node_groups", result.node_groups),
            (tr("Cost"), "costs", result.costs),
        ):
            self._sheet(name, COLUMNS[kind]).rows(_cells(COLUMNS[kind], rows))

    def _decisions(self) -> list[str]:
        decisions = self._report.result.decisions
        rows = self._sheet(tr("Decisions"), ("time", "actor", "subject", "verdict", "why"), last_width=110)
        shown = islice(decisions, _MOST_DECISIONS)
        rows.rows(((one.time_us / US_PER_S / SECONDS_PER_DAY, str(one.actor), one.subject, str(one.verdict), why(one))
                   for one in shown), times=1)  # fmt: skip
        more = len(decisions) - _MOST_DECISIONS
        return [tr("The sheet Decisions leaves out the last {more:,}.", more=more)] if more > 0 else []

    def _plan(self) -> None:
        """The plan, comparisons and answers, as they are in the other formats."""
        sheet = self._book.add_worksheet(tr("Plan and comparison"))
        sheet.set_column(0, 8, 24)
        rows = RowWriter(sheet, self._looks)
        for section in self._report.sections:
            rows.line(section.title, self._looks.title)
            for line in section.sentences:
                rows.line(line)
            rows.gap()
        report = self._report
        of_sections = (one for section in report.sections for one in section.tables)
        for table in (*report.outcome_tables, *of_sections, *report.plan_tables):
            rows.line(table.title, self._looks.bold)
            rows.head(table.header)
            rows.rows(((row[0], *map(_numbered, row[1:])) for row in table.rows), numbers=self._looks.left)
            rows.gap()

    def _sheet(self, name: str, header: Sequence[str], last_width: int = 14) -> RowWriter:
        sheet = self._book.add_worksheet(name)
        sheet.freeze_panes(1, 1)
        sheet.set_column(0, 0, 24)
        sheet.set_column(1, len(header) - 1, 14)
        sheet.set_column(len(header) - 1, len(header) - 1, last_width)
        rows = RowWriter(sheet, self._looks)
        rows.head(header)
        return rows


def _numbered(text: str) -> object:
    """A number where the text is nothing else, so that a spreadsheet can count with it."""
    return float(text) if _NUMBER.fullmatch(text) else text


def _cells(header: Sequence[str], rows: Iterable[Mapping[str, object]]) -> Iterable[list[object]]:
    return ([row[column] for column in header] for row in rows)
