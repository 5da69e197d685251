"""A plot as SVG: curves with axes, units and a legend, in the palette of the page around it.

Colours stand in attributes, for viewers that know no style sheet, and as classes, with which a page replaces them.
"""

import unicodedata
from collections.abc import Iterator
from html import escape

import numpy as np
from numpy.typing import NDArray

from planner.reports.content import wording
from planner.reports.content.report import Floats, ReportLine, ReportPlot
from planner.reports.formats.axis import Scale, time_text, time_ticks, time_title, value_scale, value_text

WIDTH, HEIGHT = 860, 270
_LEFT, _RIGHT, _BOTTOM, _TITLE = 72, 14, 44, 24
_ROW = 17
_LETTER = 6.4
"""Mean width of a letter at 12 px; wide ones count twice."""
_MOST_POINTS = 600
_LONGEST_NAME = 40
PALETTE = ("#0072b2", "#d55e00", "#00805d", "#b3548a", "#b47a00", "#2f93c9", "#7256b8", "#6b7280")
"""Told apart by colour-blind readers (after Okabe and Ito), dark enough on white."""
DARK_PALETTE = ("#5ab4ee", "#ff8c42", "#3fcf9f", "#e79ac6", "#f2b632", "#9bd5f7", "#b8a1f0", "#a3acba")
_INK, _MUTED, _RULE = "#1d2430", "#5a6475", "#dde1e8"
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "12 4", "1 2", "5 5")
"""Lines differ by these too, as colour is never the only sign."""


def svg(plot: ReportPlot, seconds: Floats, number: int = 0) -> str:
    """The plot as an SVG element; `number` makes its identifiers unique within a page."""
    entries = list(_legend(plot))
    top = _TITLE + _ROW * (1 + max(row for _, _, row in entries)) + 6 if entries else _TITLE + 6
    frame = _Frame(plot, seconds, top)
    title = escape(f"{plot.title}: {', '.join(wording.one_line(line.name) for line in plot.lines)}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'role="img" aria-labelledby="plot-{number}" font-family="system-ui, sans-serif" font-size="12">',
        f'<title id="plot-{number}">{title}</title>',
        f'<text class="ink" x="0" y="15" font-size="14" font-weight="600" fill="{_INK}">{_heading(plot)}</text>',
        *_legend_marks(plot, entries),
        *frame.grid(),
        *frame.curves(),
        *frame.level(),
        "</svg>",
    ]
    return "".join(parts)


def _heading(plot: ReportPlot) -> str:
    unit = f' <tspan class="muted" font-weight="400" font-size="12" fill="{_MUTED}">{escape(plot.unit)}</tspan>'
    return escape(wording.one_line(plot.title)) + (unit if plot.unit else "")


def _name(line: ReportLine) -> str:
    name = wording.one_line(line.name)
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _width(text: str) -> float:
    return sum(_LETTER * (2 if unicodedata.east_asian_width(letter) in "WF" else 1) for letter in text)


def _legend(plot: ReportPlot) -> Iterator[tuple[ReportLine, float, int]]:
    """Lines with their place from the left and row."""
    x, row = 0.0, 0
    for line in plot.lines:
        wide = 30 + _width(_name(line)) + 12
        if x > 0 and x + wide > WIDTH - _RIGHT:
            x, row = 0.0, row + 1
        yield line, x, row
        x += wide


def _legend_marks(plot: ReportPlot, entries: list[tuple[ReportLine, float, int]]) -> Iterator[str]:
    for place, (line, x, row) in enumerate(entries):
        y = _TITLE + _ROW * row + 6
        stacked = plot.stacked and not line.dashed
        if stacked:
            yield f'<rect class="f{line.colour}" x="{x:.1f}" y="{y - 5}" width="22" height="10" {_fill(line.colour)}/>'
        else:
            yield f'<path d="M{x:.1f} {y}h22" {_stroke(plot, line, place)}/>'
        yield _label(f'x="{x + 28:.1f}" y="{y + 4}"', _name(line))


def _label(place: str, text: str) -> str:
    return f'<text class="muted" {place} fill="{_MUTED}">{escape(text)}</text>'


def _fill(colour: int) -> str:
    return f'fill="{PALETTE[colour]}" fill-opacity="0.55" stroke="none"'


def _stroke(plot: ReportPlot, line: ReportLine, place: int) -> str:
    dash = "3 3" if line.dashed else "" if plot.stacked else _DASHES[place % len(_DASHES)]
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    colour = f'class="s{line.colour}" fill="none" stroke="{PALETTE[line.colour]}"'
    return f'{colour} stroke-width="1.8" stroke-linejoin="round"{dashes}'


class _Frame:
    """Where values and times are in the picture."""

    def __init__(self, plot: ReportPlot, seconds: Floats, top: int) -> None:
        self._plot, self._top = plot, top
        self._first, self._last = float(seconds[0]), float(max(seconds[-1], seconds[0] + 1.0))
        self._seconds = seconds
        areas = [line.values for line in plot.lines if plot.stacked and not line.dashed]
        highest = [np.sum(areas, axis=0)] if areas else []
        level = [np.array([plot.level[1]])] if plot.level is not None else []
        every = [*highest, *(line.values for line in plot.lines), *level]
        self._scale: Scale = value_scale(np.concatenate(every), plot.axis)

    def grid(self) -> Iterator[str]:
        """Rules, ticks and their values."""
        right, bottom = WIDTH - _RIGHT, HEIGHT - _BOTTOM
        for tick in self._scale.ticks:
            y = self._y(np.array([tick]))[0]
            yield f'<path class="rule" d="M{_LEFT} {y:.1f}H{right}" stroke="{_RULE}" stroke-width="1"/>'
            text = value_text(tick, self._plot.axis, self._plot.unit)
            yield _label(f'x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end"', text)
        span = self._last - self._first
        for tick in time_ticks(self._first, self._last):
            x = self._x(np.array([tick]))[0]
            yield f'<path class="rule" d="M{x:.1f} {bottom}v4" stroke="{_MUTED}" stroke-width="1"/>'
            text = time_text(tick, span)
            yield _label(f'x="{x:.1f}" y="{bottom + 18}" text-anchor="middle"', text)
        yield _label(f'x="{right}" y="{HEIGHT - 6}" text-anchor="end" font-size="11"', time_title(span))

    def curves(self) -> Iterator[str]:
        """Areas first, then lines."""
        base = np.zeros(len(self._seconds))
        for line in self._plot.lines:
            if self._plot.stacked and not line.dashed:
                top = base + np.nan_to_num(line.values, posinf=0.0)
                yield f'<path class="f{line.colour}" d="{self._area(base, top)}" {_fill(line.colour)}/>'
                base = top
        for place, line in enumerate(self._plot.lines):
            if not self._plot.stacked or line.dashed:
                yield f'<path d="{self._path(line.values)}" {_stroke(self._plot, line, place)}/>'

    def level(self) -> Iterator[str]:
        """The target as a rule with its name."""
        if self._plot.level is None:
            return
        name, value = self._plot.level
        y = self._y(np.array([value]))[0]
        text = f"{name} {value_text(value, self._plot.axis, self._plot.unit)}"
        right = WIDTH - _RIGHT
        rule = f'd="M{_LEFT} {y:.1f}H{right}" stroke="{_INK}" stroke-dasharray="2 4"'
        yield f'<path class="ink-line" fill="none" {rule}/>'
        yield _label(f'x="{right}" y="{y - 4:.1f}" text-anchor="end" font-size="11"', text)

    def _path(self, values: Floats) -> str:
        at, seen = thinned(self._seconds, values)
        x, y = self._x(at), self._y(seen)
        pieces, pen_up = list[str](), True
        for place in range(len(at)):
            if np.isnan(y[place]):
                pen_up = True
                continue
            pieces.append(f"{'M' if pen_up else 'L'}{x[place]:.1f} {y[place]:.1f}")
            pen_up = False
        return "".join(pieces) or f"M{_LEFT} {HEIGHT - _BOTTOM}"

    def _area(self, base: Floats, top: Floats) -> str:
        at, high = thinned(self._seconds, top)
        low = base[np.searchsorted(self._seconds, at)]
        x, y, below = self._x(at), self._y(high), self._y(low)
        there = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x, y, strict=True))
        back = "L".join(f"{a:.1f} {b:.1f}" for a, b in zip(x[::-1], below[::-1], strict=True))
        return f"M{there}L{back}Z"

    def _x(self, seconds: Floats) -> Floats:
        wide = WIDTH - _LEFT - _RIGHT
        return _LEFT + (seconds - self._first) / (self._last - self._first) * wide

    def _y(self, values: Floats) -> Floats:
        bottom = HEIGHT - _BOTTOM
        return bottom - self._scale.shares(values) * (bottom - self._top)


def thinned(seconds: Floats, values: Floats) -> tuple[Floats, Floats]:
    """At most about 600 points, with the lowest and highest of each stretch, so that no peak is lost."""
    places = thinned_places(values)
    return seconds[places], values[places]


def thinned_places(values: Floats) -> NDArray[np.int64]:
    """The places of those points, rising."""
    if len(values) <= _MOST_POINTS:
        return np.arange(len(values))
    edges = np.linspace(0, len(values), _MOST_POINTS // 2 + 1).astype(np.int64)
    chosen = [0, len(values) - 1]
    for first, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = values[first:end]
        if np.isnan(part).all():
            chosen.append(first)
        else:
            chosen += (first + int(np.nanargmin(part)), first + int(np.nanargmax(part)))
    return np.unique(np.array(chosen, np.int64))
