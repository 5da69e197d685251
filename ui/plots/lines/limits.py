"""Broken lines with a name at values that curves should stay under."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyqtgraph as pg

from ui.plots.curves.paints import line_pen
from ui.plots.targets import Limit
from ui.theme.theme import Theme
from ui.wording.numbers import Unit, value_text

_Z = 200.0
_NAME_HEIGHT = 18.0
_NAMED = 3
_MOST_ABOVE = 3.0
"""How often a limit that does not stretch the plot may be above the curves to be in view all the same."""


class _Drawn(NamedTuple):
    level: float
    color_index: int
    line: pg.InfiniteLine
    text: pg.TextItem
    stretches: bool


class LimitLines:
    """The limits of one plot. Equal ones share a line; several have the colours of their subjects."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._plot = plot
        self._drawn: list[_Drawn] = []
        self._placed: tuple[float, ...] = ()

    def show(
        self, limits: Sequence[Limit], colors: Mapping[str, int], unit: Unit, logarithmic: bool, theme: Theme
    ) -> None:
        """Restart. `colors`: position of each subject in the plan."""
        for drawn in self._drawn:
            self._plot.removeItem(drawn.line)
            self._plot.removeItem(drawn.text)
        self._drawn = [self._new(same, colors, unit, logarithmic) for same in _grouped(limits)]
        self._placed = ()
        self.recolor(theme)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        for drawn in self._drawn:
            is_own = len(self._drawn) > 1 and drawn.color_index >= 0
            color = theme.series_color(drawn.color_index) if is_own else theme.bad
            drawn.line.setPen(line_pen(color, [6.0, 4.0]))
            drawn.text.setColor(color)
            drawn.text.fill = pg.mkBrush(theme.panel)

    def value_range(self, height: float, logarithmic: bool, highest: float) -> tuple[float, float]:
        """Values that must be in view for the limits and their names to be seen in a plot of that height.

        `highest`: greatest value of the curves.
        """
        near = _MOST_ABOVE * highest
        levels = [drawn.level for drawn in self._drawn if drawn.stretches or drawn.level <= near]
        if not levels:
            return math.inf, -math.inf
        share = min(_NAME_HEIGHT / max(height, 1.0), 0.4)
        top = max(levels)
        return min(levels), top + share * 2.0 if logarithmic else top / (1.0 - share)

    def place(self, box: pg.ViewBox) -> None:
        """Names are drawn at the right end of their lines, side by side where lines are near to each other."""
        (start_s, end_s), (low, high) = box.viewRange()
        where = (start_s, end_s, low, high, box.width(), box.height())
        if where == self._placed:
            return
        self._placed = where
        per_value = box.height() / max(high - low, 1e-300)
        seconds = (end_s - start_s) / max(box.width(), 1.0)
        taken: list[tuple[float, float]] = []
        for drawn in sorted(self._drawn, key=lambda one: -one.level):
            y = drawn.level * per_value
            shift = max((x for other, x in taken if abs(other - y) < _NAME_HEIGHT), default=0.0)
            is_above = drawn.level > high
            drawn.text.setAnchor((1, 0) if is_above else (1, 1))
            drawn.text.setPos(end_s - shift * seconds, min(drawn.level, high))
            taken.append((y, shift + drawn.text.boundingRect().width()))

    def labels(self) -> list[str]:
        """The names, for tool tips and tests."""
        return [drawn.text.toPlainText() for drawn in self._drawn]

    def _new(self, same: Sequence[Limit], colors: Mapping[str, int], unit: Unit, logarithmic: bool) -> _Drawn:
        value = same[0].value
        level = math.log10(value) if logarithmic and value > 0 else value
        line = pg.InfiniteLine(pos=level, angle=0, movable=False)
        text = pg.TextItem(_label(same, unit), anchor=(1, 1))
        for item in (line, text):
            item.setZValue(_Z)
            self._plot.addItem(item, ignoreBounds=True)
        index = colors.get(same[0].subject or "", -1) if len(same) == 1 else -1
        return _Drawn(level, index, line, text, same[0].stretches)


def _grouped(limits: Sequence[Limit]) -> list[list[Limit]]:
    groups: dict[tuple[str, float], list[Limit]] = {}
    for limit in limits:
        groups.setdefault((limit.text, limit.value), []).append(limit)
    return list(groups.values())


def _label(same: Sequence[Limit], unit: Unit) -> str:
    subjects = ", ".join(limit.subject or "" for limit in same[:_NAMED]) + (", …" if len(same) > _NAMED else "")
    return same[0].text.format(value=value_text(same[0].value, unit), subjects=subjects)
