"""A report as values: every format writes the same one."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.plan import Plan
from planner.record.result import RunResult

Floats = NDArray[np.float64]


class News(StrEnum):
    """Whether a fact is good news; always said in words too."""

    GOOD = "good"
    BAD = "bad"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class KeyFact:
    """One figure of the first page."""

    label: str
    value: str
    note: str = ""
    tone: News = News.NEUTRAL


@dataclass(frozen=True)
class ReportTable:
    """Cells as text; `aligns` has a letter per column: l (left) or r (right)."""

    title: str
    header: tuple[str, ...]
    aligns: str
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


class AxisKind(StrEnum):
    """What the values of a plot are."""

    PLAIN = "plain"
    COUNT = "count"
    """Whole things: no ticks between them."""
    MILLISECONDS = "milliseconds"
    """On a logarithmic axis where they span more than two decades."""
    MONEY = "money"


@dataclass(frozen=True)
class ReportLine:
    """One curve; `colour` is a place in the palette and belongs to the thing."""

    name: str
    values: Floats
    colour: int
    dashed: bool = False


@dataclass(frozen=True)
class ReportPlot:
    """Curves over the time of the run; stacked ones are areas upon each other, dashed ones stay lines."""

    title: str
    unit: str
    lines: tuple[ReportLine, ...]
    axis: AxisKind = AxisKind.PLAIN
    stacked: bool = False
    note: str = ""
    level: tuple[str, float] | None = None
    """A target as name and value."""
    seconds: Floats | None = None
    """Times of its values; None for those of the report."""


@dataclass(frozen=True)
class RunVerdict:
    """The answer that the first page begins with."""

    headline: str
    tone: News
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ReportSection:
    """Sentences and tables under a heading; of an experiment or a comparison."""

    title: str
    sentences: tuple[str, ...]
    tables: tuple[ReportTable, ...] = ()
    plots: tuple[ReportPlot, ...] = ()


@dataclass(frozen=True)
class RunReport:
    """Everything that a report shows. The same plan, seed and version make an equal one."""

    title: str
    about: tuple[str, ...]
    """What the plan is, in sentences."""
    notes: str
    """Of the plan, as its author wrote them."""
    verdict: RunVerdict
    facts: tuple[KeyFact, ...]
    seconds: Floats
    """Times of all plots."""
    plots: tuple[ReportPlot, ...]
    outcome_tables: tuple[ReportTable, ...]
    """What happened, beside the plots."""
    plan_tables: tuple[ReportTable, ...]
    decisions: ReportTable
    statement: tuple[str, ...]
    plan: Plan
    result: RunResult
    sections: tuple[ReportSection, ...] = field(default=())

    def every_plot(self) -> tuple[tuple[ReportPlot, Floats], ...]:
        """Those of the run, then those of the sections; with their times."""
        plots = (*self.plots, *(plot for section in self.sections for plot in section.plots))
        return tuple((plot, self.seconds if plot.seconds is None else plot.seconds) for plot in plots)
