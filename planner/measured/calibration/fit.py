"""A fitted number of a plan, or why there is none."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from planner.measured.calibration.regression import FittedNumber, Floats
from planner.units import format_bytes, format_cpu, format_duration

LEAST_STEPS = 30
"""Fewer steps or pods than this say too little."""
LEAST_PARTS = 6
"""Of pods or nodes: with fewer, no two of them enclose the median with 95 %."""
_MOST_POINTS = 2_000


class NumberText(NamedTuple):
    """How a number of a plan is written, and what it is inside."""

    to_value: Callable[[float], float | int]
    """From cores, bytes, seconds or a plain number."""
    to_text: Callable[[float], str]
    unit: str


def _plain(number: float) -> float:
    return float(f"{number:.4g}")


def _microseconds(seconds: float) -> int:
    """In tenths of seconds, below a second in thousandths, from a minute on in whole ones."""
    unit_us = 1_000_000 if seconds >= 60 else 100_000 if seconds > 1 else 1000
    return round(max(seconds, 0.0) * 1_000_000 / unit_us) * unit_us


SECONDS_PER_REQUEST = NumberText(lambda n: max(_plain(n), 1e-6), lambda n: f"{n:.4g}", "core s")
CORES = NumberText(lambda n: round(max(n, 0.0) * 1000), lambda n: format_cpu(round(max(n, 0.0) * 1000)), "cores")
BYTES = NumberText(
    lambda n: round(max(n, 0.0) / 2**20) * 2**20, lambda n: format_bytes(round(max(n, 0.0) / 2**20) * 2**20), "bytes"
)
RATIO = NumberText(lambda n: max(_plain(n), 0.0), lambda n: f"{n:.3g}", "")
ATTEMPTS = NumberText(lambda n: round(max(n, 0.0)), lambda n: str(round(max(n, 0.0))), "attempts")
DURATION = NumberText(_microseconds, lambda n: format_duration(_microseconds(n)), "s")


class PointsOf(StrEnum):
    """What lies on the axes of the points of a fit."""

    USE_OVER_LOAD = "use over load"
    """Cores of a pod over its requests per second."""
    MEMORY_OVER_TIME = "memory over time"
    """Bytes of a pod over hours since the beginning."""
    ORDERED_TIMES = "ordered times"
    """Seconds, from the shortest to the longest, over their share of all in per cent."""
    ORDERED_CORES = "ordered cores"
    """Cores, from the fewest to the most, over their share of all in per cent."""
    LATENCY_OVER_TIME = "latency over time"
    """Seconds over hours since the beginning."""
    MEMORY_OVER_REQUESTS = "memory over requests"
    """Bytes of a pod over its requests in flight."""
    CALLS_OVER_REQUESTS = "calls over requests"
    """Requests per second of the called workload over those of its callers, at the fitted ratios."""
    GIVEN_UP_OVER_FAILED = "given up over failed"
    """Requests per second that were given up over attempts per second that failed."""
    NOISE_OVER_TIME = "noise over time"
    """Load over its moving mean, minus 1, over hours since the beginning."""


class FitPoints(NamedTuple):
    """What a value was fitted to, and what the fit says for each of them."""

    of: PointsOf
    causes: Floats
    effects: Floats
    fitted: Floats


def fit_points(of: PointsOf, causes: Floats, effects: Floats, fitted: Floats) -> FitPoints:
    """Points of a fit; of very many every n-th, as a plot needs no more."""
    chosen = slice(None, None, len(causes) // _MOST_POINTS + 1)
    return FitPoints(of, causes[chosen].copy(), effects[chosen].copy(), fitted[chosen].copy())


class Fit(NamedTuple):
    """A value of the plan with what was found for it."""

    name: str
    """Of the workload or pool."""
    field: tuple[str | int, ...]
    """From there on, as Python spells it."""
    estimate: FittedNumber
    spelling: NumberText
    points: FitPoints
    remark: str = ""
    """What else is worth knowing."""
    section: str = "workloads"
    """The list of the plan with that name, as Python spells it."""


class NoFit(NamedTuple):
    """What could not be fitted, and why."""

    name: str
    """Of the workload or pool."""
    what: str
    why: str
