"""Values of key figures with sensible digits and units."""

from planner.plan.values import money
from ui.wording.numbers import NOTHING, Unit, clock_text, value_text

__all__ = ["NOTHING", "clock_text", "count_text", "latency_text", "money_text", "percent_text", "span_text"]

_MIN_S, _H_S = 60, 3600


def latency_text(milliseconds: float | None) -> str:
    """182 ms, 10.2 s."""
    return NOTHING if milliseconds is None else value_text(milliseconds, Unit.MILLISECONDS)


def percent_text(ratio: float | None) -> str:
    """98.7 %, and 99.95 % where it matters; never 100 % for less."""
    if ratio is None:
        return NOTHING
    percent = 100.0 * ratio
    digits = next((d for d in (1, 2, 3) if percent in (0.0, 100.0) or f"{percent:.{d}f}" != f"{100:.{d}f}"), 3)
    text = f"{percent:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def count_text(value: float | None) -> str:
    """1,204."""
    return NOTHING if value is None else f"{value:,.0f}"


def money_text(value: float | None, currency: str) -> str:
    """$5.94, €1,204, as `planner.plan.values.money` writes them."""
    return NOTHING if value is None else money.money_text(value, currency)


def span_text(seconds: float | None) -> str:
    """2.5 s, 41 s, 3m 15s, 2h 10m."""
    if seconds is None:
        return NOTHING
    whole = round(seconds)
    if whole < 10 and seconds != whole:
        return f"{seconds:.1f} s"
    if whole < 2 * _MIN_S:
        return f"{whole} s"
    if whole < 2 * _H_S:
        return f"{whole // _MIN_S}m {whole % _MIN_S:02d}s"
    return f"{whole // _H_S}h {whole // _MIN_S % 60:02d}m"
