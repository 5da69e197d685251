"""Ticks: round times and round values, as many as there is room for."""

import math

import pyqtgraph as pg
from PySide6.QtCore import QRectF

from ui.theme.theme import Theme
from ui.wording.numbers import Unit, tick_text

_TIME_STEPS_S = (
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800,
)  # fmt: skip
_PIXELS_PER_TIME_TICK = 84
_PIXELS_PER_VALUE_TICK = 22
VALUE_AXIS_WIDTH = 72
_BELOW = 7
"""Pixels below a plot for the lower half of its lowest label."""
_NICE_TOPS = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
_NICE_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)

Ticks = list[tuple[float, list[float]]]


def time_ticks(start_s: float, end_s: float, pixels: float) -> list[float]:
    """Times for ticks, on whole multiples of a round step."""
    most = max(pixels / _PIXELS_PER_TIME_TICK, 1.0)
    span_s = end_s - start_s
    step = next((s for s in _TIME_STEPS_S if span_s / s <= most), None)
    if step is None:
        step = _TIME_STEPS_S[-1] * math.ceil(span_s / most / _TIME_STEPS_S[-1])
    return [float(n * step) for n in range(math.ceil(start_s / step), math.floor(end_s / step) + 1)]


def nice_top(value: float) -> float:
    """A round value a little above."""
    wanted = value * 1.04
    if not wanted > 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(wanted))
    return next(top * power for top in _NICE_TOPS if wanted <= top * power * (1 + 1e-9))


def value_ticks(low: float, high: float, pixels: float, unit: Unit) -> list[float]:
    """Values for ticks; counts get whole numbers, bytes powers of two."""
    most = max(int(pixels / _PIXELS_PER_VALUE_TICK), 1)
    rough = (high - low) / most
    if not rough > 0:
        return [low]
    scale = 1024.0 ** max(math.floor(math.log(high, 1024)), 0) if unit is Unit.BYTES and high > 0 else 1.0
    power = 10.0 ** math.floor(math.log10(rough / scale))
    step = next(nice * power * scale for nice in _NICE_STEPS if rough <= nice * power * scale * (1 + 1e-9))
    if unit is Unit.COUNT:
        step = max(math.ceil(step), 1)
    return [n * step for n in range(math.ceil(low / step), math.floor(high / step + 1e-9) + 1)]


def log_ticks(low: float, high: float, pixels: float) -> list[float]:
    """Powers of ten, given as exponents; with room also their two- and fivefold."""
    has_room = pixels / max(high - low, 1e-9) > 3 * _PIXELS_PER_VALUE_TICK
    steps = (0.0, math.log10(2.0), math.log10(5.0)) if has_room else (0.0,)
    found = [decade + step for decade in range(math.floor(low), math.ceil(high) + 1) for step in steps]
    return [value for value in found if low <= value <= high]


class ValueAxis(pg.AxisItem):  # type: ignore[misc]
    """The left axis of a plot: values with units, and the horizontal lines of the grid."""

    def __init__(self) -> None:
        super().__init__("left")
        self.unit, self.logarithmic = Unit.COUNT, False
        self.setWidth(VALUE_AXIS_WIDTH)
        self.setStyle(tickLength=0, tickAlpha=255, autoExpandTextSpace=False, hideOverlappingLabels=False)
        self.setGrid(255)

    def show_unit(self, unit: Unit, logarithmic: bool) -> None:
        """Ticks for values of this unit; `logarithmic` if the plot draws powers of ten."""
        if (unit, logarithmic) != (self.unit, self.logarithmic):
            self.unit, self.logarithmic = unit, logarithmic
            self.picture = None
            self.update()

    def boundingRect(self) -> QRectF:
        """Labels at the ends of the axis need half their height more; without it they would be left out."""
        rect: QRectF = super().boundingRect()
        return rect.adjusted(0, -2, 0, _BELOW + 1)

    def tickValues(self, minVal: float, maxVal: float, size: float) -> Ticks:
        if self.logarithmic:
            return [(1.0, log_ticks(minVal, maxVal, size))]
        return [(1.0, value_ticks(minVal, maxVal, size, self.unit))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [tick_text(10.0**value if self.logarithmic else value, self.unit) for value in values]


class TimeGrid(pg.AxisItem):  # type: ignore[misc]
    """The vertical lines of the grid; the times are in the ruler below all plots."""

    def __init__(self) -> None:
        super().__init__("bottom")
        self.setStyle(showValues=False, tickLength=0, tickAlpha=255)
        self.setHeight(_BELOW)
        self.setGrid(255)

    def tickValues(self, minVal: float, maxVal: float, size: float) -> Ticks:
        return [(1.0, time_ticks(minVal, maxVal, size))]


def color_axes(axes: tuple[ValueAxis, TimeGrid], theme: Theme) -> None:
    """Colours of ticks, grid and frame."""
    for axis in axes:
        axis.setPen(pg.mkPen(theme.border))
        axis.setTickPen(pg.mkPen(theme.grid))
        axis.setTextPen(pg.mkPen(theme.muted))
