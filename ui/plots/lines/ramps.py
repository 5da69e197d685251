"""Slanted lines of a plot of sums: the budget so far, and where the sum will be at the end if it goes on like this."""

from collections.abc import Sequence

import pyqtgraph as pg

from ui.plots.curves.paints import line_pen
from ui.plots.targets import Ramp
from ui.theme.theme import Theme

_Z = 200.0
_NAME_PX, _NEAR_TOP = 18.0, 0.8
_MOST_ABOVE = 3.0
"""A budget that is more often above the curves than this is left out of view rather than flattening them."""


class Ramps:
    """The ramps of one plot."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._plot = plot
        self._ramps: tuple[Ramp, ...] = ()
        self._budget, self._rest = _Slanted(plot), _Slanted(plot)

    def show(self, ramps: Sequence[Ramp], theme: Theme) -> None:
        """Restart."""
        self._ramps = tuple(ramps)
        self._rest.draw(None, "")
        for ramp in self._ramps[:1]:
            end = ramp.per_s * ramp.until_s
            self._budget.draw(((0.0, 0.0), (ramp.until_s, end)), ramp.text)
        if not self._ramps:
            self._budget.draw(None, "")
        self.recolor(theme)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        self._budget.paint(theme.bad, [6.0, 4.0], theme)
        self._rest.paint(theme.muted, [2.0, 3.0], theme)

    def project(self, begin: tuple[float, float] | None, end: tuple[float, float], text: str) -> None:
        """A line from the newest value to where it goes; None takes it away."""
        self._rest.draw((begin, end) if begin is not None else None, text)

    def top(self, end_s: float, highest: float) -> float:
        """The greatest value that has to be in view up to that time; 0 for none. `highest`: of the curves."""
        values = [self._rest.end[1]] if self._rest.is_shown else []
        highest = max([highest, *values])
        budgets = [ramp.per_s * min(end_s, ramp.until_s) for ramp in self._ramps]
        values += [value for value in budgets if value <= _MOST_ABOVE * highest]
        return max(values, default=0.0)

    def place(self, box: pg.ViewBox) -> None:
        """Names are drawn at the right end of what is in view, side by side where the lines are near to each other."""
        (start_s, end_s), (low, high) = box.viewRange()
        per_value, seconds = box.height() / max(high - low, 1e-300), (end_s - start_s) / max(box.width(), 1.0)
        shift, apart = 0.0, abs(self._rest.level_at(end_s) - self._budget.level_at(end_s))
        if self._rest.is_shown and apart * per_value < _NAME_PX:
            shift = float(self._rest.text.boundingRect().width()) * seconds
        self._rest.place(end_s, high, 0.0)
        self._budget.place(end_s, high, shift)

    def labels(self) -> list[str]:
        """The names that are shown, for tests."""
        return [line.text.toPlainText() for line in (self._budget, self._rest) if line.is_shown]


class _Slanted:
    """A line between two points, and its name."""

    def __init__(self, plot: pg.PlotItem) -> None:
        self._curve, self.text = pg.PlotCurveItem(), pg.TextItem("", anchor=(1, 1))
        self._begin, self.end = (0.0, 0.0), (0.0, 0.0)
        for item in (self._curve, self.text):
            item.setZValue(_Z)
            plot.addItem(item, ignoreBounds=True)
            item.hide()

    @property
    def is_shown(self) -> bool:
        return bool(self._curve.isVisible())

    def draw(self, points: tuple[tuple[float, float], tuple[float, float]] | None, text: str) -> None:
        self._curve.setVisible(points is not None)
        self.text.setVisible(points is not None)
        if points is not None:
            self._begin, self.end = points
            self._curve.setData([self._begin[0], self.end[0]], [self._begin[1], self.end[1]])
            self.text.setText(text)

    def paint(self, color: str, dashes: list[float], theme: Theme) -> None:
        self._curve.setPen(line_pen(color, dashes))
        self.text.setColor(color)
        self.text.fill = pg.mkBrush(theme.panel)

    def level_at(self, time_s: float) -> float:
        """Height of the line at a time."""
        (x0, y0), (x1, y1) = self._begin, self.end
        return y0 + (y1 - y0) * (min(max(time_s, x0), x1) - x0) / max(x1 - x0, 1e-9)

    def place(self, end_s: float, high: float, shift_s: float) -> None:
        if not self.is_shown:
            return
        level = self.level_at(end_s)
        self.text.setAnchor((1, 0) if level > _NEAR_TOP * high else (1, 1))
        self.text.setPos(min(end_s, self.end[0]) - shift_s, min(level, high))
