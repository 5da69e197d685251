"""Values as people read them: with sensible digits and a unit."""

import math
from enum import Enum

from PySide6.QtCore import QLocale

from planner.language import values
from planner.language.values import NOTHING
from planner.plan.values.money import currency_sign
from ui.wording.translations import marked, translated

__all__ = ["NOTHING", "Unit", "clock_text", "counted", "tick_text", "value_text"]


class Unit(Enum):
    """Unit of a view; the value is shown after the title of its plot."""

    RATE = marked("plots", "req/s")
    CORES = marked("plots", "cores")
    BYTES = ""
    COUNT = marked("plots", "count")
    MILLISECONDS = marked("plots", "ms")
    MONEY = marked("plots", "currency/h")
    AMOUNT = marked("plots", "currency")
    RATIO = "%"

    def title(self, currency: str) -> str:
        """For titles, with the sign of the plan's currency; empty where every value says its own unit."""
        if self in _PRICED:
            return translated(self.value).replace(translated(Unit.AMOUNT.value), currency_sign(currency))
        return translated(self.value) if self in _TITLED else ""


_PRICED = (Unit.MONEY, Unit.AMOUNT)
_TITLED = (Unit.RATE, Unit.CORES)


def value_text(value: float, unit: Unit) -> str:
    """A value for reading at the cursor: "1,204", "18.2", "142 GiB", "182 ms", "1.24 s", "1.2 %"."""
    if math.isnan(value):
        return NOTHING
    if unit is Unit.MILLISECONDS:
        return values.latency(value)
    if math.isinf(value):
        return "∞"
    if unit is Unit.BYTES:
        return values.size(value)
    if unit is Unit.RATIO:
        return values.percent(value)
    if unit in _PRICED:
        return f"{value:,.2f}"
    return values.number(value)


def tick_text(value: float, unit: Unit) -> str:
    """A value beside a tick: as short as it can be."""
    if value == 0:
        return "0"
    if unit in _PRICED:
        return f"{value:,.10g}"
    return value_text(value, unit)


def counted(count: int, one: str, many: str) -> str:
    """A number of things: `one` if it is 1, else `many` with its {count}."""
    return one if count == 1 else many.format(count=QLocale().toString(count))


def clock_text(seconds: float) -> str:
    """Simulated time as hh:mm:ss; hours go on counting after the first day."""
    return values.clock(seconds)
