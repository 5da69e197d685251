"""Numbers as people read them."""

import math

from planner.experiments.statistics.estimates import MeanEstimate
from planner.language.phrases import phrase
from planner.units import GIB


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
    """For example "2.56 (2.54 to 2.58)", in `shown_unit(unit)`; a constant without its interval."""
    mean, low, high = (in_shown_unit(value, unit) for value in (estimate.mean, estimate.low, estimate.high))
    if estimate.method == "constant":
        return mean
    return phrase("{mean} ({low} to {high})", mean=mean, low=low, high=high)


def shown_unit(unit: str) -> str:
    """The unit in which people read values of `unit`."""
    return "GiB" if unit == "bytes" else unit


def in_shown_unit(value: float, unit: str) -> str:
    """A value of `unit`, written in `shown_unit(unit)`."""
    return number(value / GIB if unit == "bytes" else value)
