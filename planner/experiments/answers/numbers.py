"""Numbers as people read them."""

import math

from planner.experiments.statistics.estimates import MeanEstimate
from planner.language.phrases import joined, phrase
from planner.plan.values.money import money_text
from planner.record.text.latency_bounds import LatencyBounds, subject_of
from planner.units import GIB

_PLAIN = ("", "ratio", "count")
"""Units that say nothing in a sentence."""
_MEASURES = (*_PLAIN, "pods", "nodes", "requests", "ms", "s", "h", "per_h", "cores", "bytes")
"""Units of key figures that are not money."""


def number(value: float) -> str:
    """Four significant digits, without a power of ten where that is readable."""
    if not math.isfinite(value):
        return phrase("unbounded")
    if value == 0.0:
        return "0"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(digits, 9)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{number(round(100.0 * share, 1))} %"


def with_interval(estimate: MeanEstimate, unit: str = "") -> str:
    """For example "2.56 (2.54 to 2.58)", in `shown_unit(unit)`; a constant, or a single run, without an interval."""
    mean, low, high = (in_shown_unit(value, unit) for value in (estimate.mean, estimate.low, estimate.high))
    if not estimate.has_interval:
        return mean
    return phrase("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def mean_text(name: str, estimate: MeanEstimate, unit: str, latencies: LatencyBounds | None) -> str:
    """The mean of a figure with its interval; "≥ 10 s (time-out)" of a latency that no run has measured."""
    return beyond_bound(name, estimate.mean, unit, latencies) or with_interval(estimate, unit)


def figure_text(name: str, value: float, unit: str, latencies: LatencyBounds | None) -> str:
    """The value of a figure, in `shown_unit(unit)`; a latency within its bound."""
    return beyond_bound(name, value, unit, latencies) or in_shown_unit(value, unit)


def beyond_bound(name: str, value: float, unit: str, latencies: LatencyBounds | None) -> str:
    """What is said in place of a latency at its bound; empty for any other value."""
    return latencies.beyond(subject_of(name), value) if unit == "ms" and latencies is not None else ""


def amount(value: float, unit: str) -> str:
    """A value with its unit, for a sentence; shares and counts alone."""
    return _with_unit(in_shown_unit(value, unit), unit)


def mean_amount(name: str, estimate: MeanEstimate, unit: str, latencies: LatencyBounds | None) -> str:
    """The mean of a figure with its interval and unit, for a sentence."""
    return beyond_bound(name, estimate.mean, unit, latencies) or _with_unit(with_interval(estimate, unit), unit)


def _with_unit(text: str, unit: str) -> str:
    is_said = unit in _PLAIN or is_currency(unit)
    return text if is_said else joined(" ", (text, shown_unit(unit)))


def is_currency(unit: str) -> bool:
    """Whether the values of a figure are money: a unit that is no measure is the currency of the plan."""
    return unit not in _MEASURES


def shown_unit(unit: str) -> str:
    """The unit in which people read values of `unit`."""
    return "GiB" if unit == "bytes" else unit


def in_shown_unit(value: float, unit: str) -> str:
    """A value of `unit`, written in `shown_unit(unit)`; money with the sign of its currency."""
    if is_currency(unit) and math.isfinite(value):
        return money_text(value, unit)
    return number(value / GIB if unit == "bytes" else value)
