"""Values as people read them: with sensible digits and a unit."""

import math
from enum import Enum

from planner.plan.values.money import currency_sign
from ui.wording.translations import marked, translated


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
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
NOTHING = "–"


def value_text(value: float, unit: Unit) -> str:
    """A value for reading at the cursor: "1,204", "18.2", "142 GiB", "182 ms", "1.24 s", "1.2 %"."""
    if math.isinf(value):
        return "∞"
    if math.isnan(value):
        return NOTHING
    if unit is Unit.BYTES:
        return _bytes(value)
    if unit is Unit.MILLISECONDS:
        return _milliseconds(value)
    if unit is Unit.RATIO:
        return f"{_digits(100.0 * value)} %"
    if unit in _PRICED:
        return f"{value:,.2f}"
    if unit is Unit.COUNT and value == round(value):
        return f"{value:,.0f}"
    return _digits(value)


def tick_text(value: float, unit: Unit) -> str:
    """A value beside a tick: as short as it can be."""
    if value == 0:
        return "0"
    if unit in _PRICED:
        return f"{value:,.10g}"
    return value_text(value, unit)


def clock_text(seconds: float) -> str:
    """Simulated time as hh:mm:ss; hours go on counting after the first day."""
    whole = math.floor(seconds + 0.5)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def _digits(value: float) -> str:
    size = abs(value)
    if size >= 100 or value == 0:
        return f"{value:,.0f}"
    text = f"{value:.1f}" if size >= 10 else f"{value:.2f}"
    return text.rstrip("0").rstrip(".")


def _bytes(value: float) -> str:
    power = min(int(math.log2(value)) // 10, len(_BINARY) - 1) if value >= 1 else 0
    return f"{_digits(value / 1024**power)} {_BINARY[power]}"


def _milliseconds(value: float) -> str:
    if value >= 60_000:
        return f"{_digits(value / 60_000)} min"
    return f"{_digits(value / 1000)} s" if value >= 1000 else f"{_digits(value)} ms"
