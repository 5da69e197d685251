"""The table of figures: a part for each topic, a row for each figure and subject, beside those of the baseline."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.language.translation import tr
from planner.record.result import Figure
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from planner.reports.content.known_figures import TOPICS, KnownFigure, known_figure
from ui.figures.card import points_text
from ui.figures.change import Judgement, change_of
from ui.widgets.plain_table import Cell, Cells, Tone
from ui.wording.figures import (
    NOTHING,
    clock_text,
    cores_text,
    count_text,
    latency_text,
    money_text,
    percent_text,
    span_text,
)
from ui.wording.numbers import Unit, value_text

_SHOWN_ELSEWHERE = ("waste_", "cost[", "node_hours[")
"""They have tables of their own."""
_TONES = {Judgement.BETTER: Tone.GOOD, Judgement.WORSE: Tone.BAD, Judgement.SAME: Tone.MUTED}


@dataclass(frozen=True)
class RunFigures:
    """The figures of a run, and what its latencies may be."""

    figures: Mapping[str, Figure]
    bounds: LatencyBounds | None = None

    def get(self, name: str) -> Figure | None:
        """A latency is within its bounds; None for a figure that the run does not have."""
        figure = self.figures.get(name)
        return figure if figure is None or self.bounds is None else self.bounds.bounded(name, figure)

    def text(self, name: str, currency: str) -> str:
        """A figure with its unit; nothing for one that the run does not have."""
        figure = self.get(name)
        if figure is None:
            return ""
        if figure.unit == "ms" and self.bounds is not None:
            return self.bounds.text(subject_of(name), figure.value)
        return figure_text(base_of(name), figure, currency)


def figure_rows(run: RunFigures, baseline: RunFigures, currency: str, wanted: str = "") -> list[Cells]:
    """Cells for title, subject, value, baseline and difference; only rows whose title or subject has all the words of
    `wanted` in it.
    """
    words = wanted.casefold().split()
    parts: dict[str, list[Cells]] = {topic: [] for topic in TOPICS}
    for name in run.figures:
        if not name.startswith(_SHOWN_ELSEWHERE):
            known = known_figure(base_of(name))
            row = _row(name, run, baseline, known, currency)
            searched = f"{row[0].text} {row[1].text} {tr(known.topic)}".casefold()
            if all(word in searched for word in words):
                parts[known.topic].append(row)
    rows: list[Cells] = []
    for topic, found in parts.items():
        if found:
            rows.append((Cell(tr(topic), tone=Tone.HEADING), Cell(), Cell(), Cell(), Cell()))
            rows += found
    return rows


def _row(name: str, run: RunFigures, baseline: RunFigures, known: KnownFigure, currency: str) -> Cells:
    help_text = tr(known.help) if known.help else ""
    return (
        Cell(f"  {known.full_title}", tip=help_text),
        Cell(subject_of(name), tone=Tone.MUTED),
        Cell(run.text(name, currency), tip=help_text),
        Cell(baseline.text(name, currency), tone=Tone.MUTED),
        _difference(base_of(name), run.get(name), baseline.get(name), known, currency),
    )


def base_of(name: str) -> str:
    """latency_p95_worst for latency_p95_worst[shop]."""
    return name.partition("[")[0]


def _difference(base: str, figure: Figure | None, before: Figure | None, known: KnownFigure, currency: str) -> Cell:
    if (
        figure is None
        or before is None
        or base.endswith("_at")
        or not (math.isfinite(figure.value) and math.isfinite(before.value))
    ):
        return Cell()
    if figure.value == before.value:
        return Cell("=", tone=Tone.MUTED)
    if figure_text(base, figure, currency) == figure_text(base, before, currency):
        return Cell("≈", tone=Tone.MUTED)
    size = _size(base, Figure(abs(figure.value - before.value), figure.unit), currency)
    if known.more_is_better is None:
        return Cell(f"{'▲' if figure.value > before.value else '▼'} {size}", tone=Tone.MUTED)
    change = change_of(figure.value, before.value, size, more_is_better=known.more_is_better)
    return Cell(change.text, tone=_TONES[change.verdict])


def _size(base: str, difference: Figure, currency: str) -> str:
    return points_text(difference.value) if difference.unit == "ratio" else figure_text(base, difference, currency)


def figure_text(base: str, figure: Figure, currency: str) -> str:
    """The value with its unit, as people read it."""
    value, unit = figure.value, figure.unit
    if not math.isfinite(value):
        return "∞" if value > 0 else NOTHING
    if base.endswith("_at"):
        return clock_text(value)
    if unit == currency:
        return money_text(value, currency)
    if base == "retry_amplification":
        return f"{value:.3g} ×"
    if unit in _TEXTS:
        return _TEXTS[unit](value)
    return f"{value:,.4g} {unit.replace('_', ' ')}".strip()


_TEXTS: dict[str, Callable[[float], str]] = {
    "ratio": percent_text,
    "ms": latency_text,
    "s": span_text,
    "requests": count_text,
    "count": count_text,
    "pods": count_text,
    "nodes": count_text,
    "bytes": lambda value: value_text(value, Unit.BYTES),
    "cores": cores_text,
    "h": lambda value: f"{value:,.1f} h",
    "per_h": lambda value: f"{value:.3g} /h",
}
