"""Numbers as people read them."""

import math

from planner.experiments.statistics.estimates import MeanEstimate


def number(value: float) -> str:
    """Four significant digits, without a power of ten where that is readable."""
    if not math.isfinite(value):
        return "unbounded"
    if value == 0.0:
        return "0"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    text = f"{value:.{min(digits, 9)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(share: float) -> str:
    """A share as a percentage."""
    return f"{number(round(100.0 * share, 1))} %"


def with_interval(estimate: MeanEstimate) -> str:
    """For example "2.56 (2.54 to 2.58)"; a constant without its interval."""
    if estimate.method == "constant":
        return number(estimate.mean)
    return f"{number(estimate.mean)} ({number(estimate.low)} to {number(estimate.high)})"
