"""Values of key figures with sensible digits and units; a value that is not known yet is a dash."""

from planner.language import values
from planner.language.translation import tr
from planner.language.values import NOTHING
from planner.plan.values import money
from ui.wording.numbers import clock_text

__all__ = [
    "NOTHING",
    "clock_text",
    "cores_text",
    "count_text",
    "latency_text",
    "money_text",
    "percent_text",
    "span_text",
]


def latency_text(milliseconds: float | None) -> str:
    """182 ms, 10.2 s."""
    return NOTHING if milliseconds is None else values.latency(milliseconds)


def percent_text(ratio: float | None) -> str:
    """98.7 %, and 99.95 % where it matters; never 100 % for less."""
    return NOTHING if ratio is None else values.percent(ratio)


def count_text(value: float | None) -> str:
    """1,204."""
    return NOTHING if value is None else values.count(value)


def cores_text(value: float) -> str:
    """2.5 cores."""
    return tr("{number} cores", number=values.number(value))


def money_text(value: float | None, currency: str) -> str:
    """$5.94, €1,204, as `planner.plan.values.money` writes them."""
    return NOTHING if value is None else money.money_text(value, currency)


def span_text(seconds: float | None) -> str:
    """2.5 s, 41 s, 3m 15s, 2h 10m."""
    return NOTHING if seconds is None else values.span(seconds)
