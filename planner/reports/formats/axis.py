"""Ticks of the axes of a plot, and how their values are written."""

import math
from dataclasses import dataclass

import numpy as np

from planner.language.translation import tr
from planner.plan.values.money import money_text
from planner.reports.content.report import AxisKind, Floats

_TIME_STEPS_S = (
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800,
    1_209_600, 2_592_000, 7_776_000,
)  # fmt: skip
_MOST_TIME_TICKS = 9
_VALUE_TICKS = 5
_NOTHING = 1e-9
_ROOM_ABOVE = 1.25
_LOG_SPAN = 100.0
"""Latencies that span more than this are shown on a logarithmic axis."""


@dataclass(frozen=True)
class Scale:
    """Values to shares of the height, 0 at the bottom."""

    low: float
    high: float
    is_log: bool
    ticks: tuple[float, ...]

    def shares(self, values: Floats) -> Floats:
        """Within 0 and 1; not a number stays, infinity is the upper edge."""
        if self.is_log:
            with np.errstate(divide="ignore", invalid="ignore"):
                parts = (np.log(values) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        else:
            parts = (values - self.low) / (self.high - self.low)
        return np.clip(parts, 0.0, 1.0)


def value_scale(values: Floats, axis: AxisKind) -> Scale:
    """For all finite values; begins at 0 unless it is logarithmic."""
    finite = values[np.isfinite(values)]
    beyond = _ROOM_ABOVE if np.isposinf(values).any() else 1.0  # the upper edge is no value then
    most = float(finite.max(initial=0.0)) * beyond
    positive = finite[finite > _NOTHING]
    if axis is AxisKind.MILLISECONDS and len(positive) and most / float(positive.min()) > _LOG_SPAN:
        return _log_scale(float(positive.min()), most)
    if most <= _NOTHING:
        return Scale(0.0, 1.0, False, (0.0, 1.0))
    step = _nice(most / _VALUE_TICKS)
    if axis is AxisKind.COUNT:
        step = max(1.0, math.ceil(step))
    count = math.ceil(most / step - 1e-9)
    return Scale(0.0, count * step, False, tuple(step * tick for tick in range(count + 1)))


def _nice(least: float) -> float:
    """The smallest of 1, 2, 2.5 and 5 times a power of ten that is not below."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= least * (1 - 1e-9))


def _log_scale(least: float, most: float) -> Scale:
    low, high = 10.0 ** math.floor(math.log10(least)), _nice(most)
    powers = range(round(math.log10(low)), math.floor(math.log10(high) + 1e-9) + 1)
    return Scale(low, high, True, tuple(10.0**power for power in powers))


def time_step(span_s: float) -> int:
    """Seconds from one round time to the next."""
    span = max(span_s, 1.0)
    return next((one for one in _TIME_STEPS_S if span / one <= _MOST_TIME_TICKS), _TIME_STEPS_S[-1])


def time_ticks(first_s: float, last_s: float) -> tuple[float, ...]:
    """Round times within the plot."""
    step = time_step(last_s - first_s)
    begin = math.ceil(first_s / step)
    return tuple(float(step * tick) for tick in range(begin, math.floor(last_s / step) + 1))


def time_text(seconds: float, span_s: float) -> str:
    """As short as the length of the run allows: 0:30, 12:00, day 3."""
    whole = round(seconds)
    if span_s > 2 * 86400:
        return tr("day {whole}", whole=whole // 86400) if whole % 86400 == 0 else f"{whole // 3600}h"
    if span_s >= 600:
        return f"{whole // 3600}:{whole // 60 % 60:02d}"
    return f"{whole // 60}:{whole % 60:02d}"


def time_title(span_s: float) -> str:
    """What the ticks count."""
    if span_s > 2 * 86400:
        return tr("simulated time")
    return tr("simulated time (h:mm)") if span_s >= 600 else tr("simulated time (m:ss)")


def value_text(value: float, axis: AxisKind, unit: str) -> str:
    """A value beside its tick."""
    if axis is AxisKind.MILLISECONDS:
        return f"{value / 1000:,.10g} s" if value >= 1000 else tr("{value:.10g} ms", value=value) if value else "0"
    if axis is AxisKind.MONEY:
        return money_text(value, unit)
    if value >= 1_000_000:
        return f"{value / 1_000_000:,.10g}M"
    return f"{value:,.10g}"
