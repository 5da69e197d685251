"""The curves of one run in one plot: their data and what is drawn of it."""

from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray

from ui.plots.catalogue import Stroke
from ui.plots.curves.curve_data import CurveData
from ui.plots.curves.curves import Curve
from ui.plots.curves.curves_item import CurvesItem, DrawnCurve
from ui.plots.curves.envelope import cells_of
from ui.plots.curves.paints import baseline_pen, paint_of
from ui.runs.run_data import RunData
from ui.theme.theme import Theme

_STACK_Z, _BASELINE_Z, _LINE_Z = -2000.0, -500.0, 0.0

Range = tuple[float, float]
NO_RANGE: Range = (float("inf"), float("-inf"))


class CurveLayer:
    """Draws the run looked at, or as a baseline the run it is compared with."""

    def __init__(self, box: pg.ViewBox, is_baseline: bool = False) -> None:
        self._is_baseline = is_baseline
        self._below = CurvesItem(box, _STACK_Z)
        """Stacks, behind everything else."""
        self._above = CurvesItem(box, _BASELINE_Z if is_baseline else _LINE_Z)
        self.data: list[CurveData] = []
        self.drawn: dict[str, DrawnCurve] = {}
        """By key of the curve; in a baseline only those that are worth a line."""
        self._shown: tuple[float, float, int, bool, int] | None = None
        """What was drawn last: time, pixels, whether logarithmic, and how many values there were."""
        self._range = NO_RANGE

    def show(self, curves: Sequence[Curve], run: RunData | None, theme: Theme) -> None:
        """Restart with these curves."""
        self.data = [CurveData(curve, run) for curve in curves] if run is not None else []
        self.drawn = {
            data.curve.key: DrawnCurve()
            for data in self.data
            if not data.is_empty and (not self._is_baseline or _is_worth_comparing(data.curve, curves))
        }
        self._shown, self._range = None, NO_RANGE
        self.recolor(theme)

    def recolor(self, theme: Theme) -> None:
        """Apply the theme's colours."""
        for data in self.data:
            drawn = self.drawn.get(data.curve.key)
            if drawn is None:
                continue
            if self._is_baseline:
                drawn.paint_with(baseline_pen(theme))
            else:
                drawn.paint_with(*paint_of(data.curve, theme))
        self._stand_on_each_other()
        self._hand_over()

    def catch_up(self) -> bool:
        """Take over what the run has recorded; whether there was anything new."""
        return bool([data for data in self.data if data.catch_up()])

    def draw(self, start_s: float, end_s: float, pixels: int, logarithmic: bool) -> Range:
        """Draw that part of the time; least and greatest value in it."""
        held = [(data, self.drawn[data.curve.key]) for data in self.data if data.curve.key in self.drawn]
        count = len(held[0][0]) if held else 0
        wanted = (start_s, end_s, pixels, logarithmic, count)
        if wanted == self._shown or not count:
            return self._range
        self._shown, (low, high) = wanted, NO_RANGE
        cells = cells_of(held[0][0].run.time_s[:count], start_s, end_s, pixels)
        for data, drawn in held:
            y = data.drawn(cells)
            drawn.x, drawn.y = cells.x, _powers_of_ten(y) if logarithmic else y
            if len(y):
                low = min(low, float(np.fmin.reduce(drawn.y)))
                high = max(high, float(np.fmax.reduce(drawn.y)))
        self._range = low, high
        self._hand_over()
        return self._range

    def _stand_on_each_other(self) -> None:
        """Each part of a stack is filled down to the one below it."""
        above: dict[str, DrawnCurve] = {}
        for data in self.data:  # from the top down
            drawn, column = self.drawn.get(data.curve.key), data.curve.line.column
            if drawn is not None and data.curve.stroke is Stroke.STACK:
                if column in above:
                    above[column].floor = drawn
                above[column] = drawn

    def _hand_over(self) -> None:
        """Stacks first; then areas, so that lines stay in front of them."""
        looks = {data.curve.key: data.curve.stroke for data in self.data}
        stacks = [curve for key, curve in self.drawn.items() if looks[key] is Stroke.STACK and not self._is_baseline]
        areas = [curve for key, curve in self.drawn.items() if looks[key] is Stroke.AREA]
        held = {id(curve) for curve in (*stacks, *areas)}
        self._below.draw(stacks)
        self._above.draw([*areas, *(curve for curve in self.drawn.values() if id(curve) not in held)])


def _is_worth_comparing(curve: Curve, curves: Sequence[Curve]) -> bool:
    """Main lines, areas, and the top of a stack; more lines would hide the run looked at."""
    if curve.stroke is Stroke.STACK:
        return curve is curves[0] and not any(other.line.stroke is Stroke.SOLID for other in curves)
    return curve.stroke in (Stroke.SOLID, Stroke.AREA)


def _powers_of_ten(values: NDArray[np.float64]) -> NDArray[np.float64]:
    result = np.full(len(values), np.nan)
    np.log10(values, where=values > 0, out=result)
    return result
