"""Samples of any spacing as values of equal steps: counters become rates, gauges means, numbers of things hold."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.measured.raw_series import Floats

_GAP = 2.5
"""Samples that are further apart than this many usual spacings leave a gap."""
_LOOK_BACK_S = 300.0
"""Prometheus counts a sample as current for so long at most; 2.42, promql/engine.go, LookbackDelta."""


class Cleaned(NamedTuple):
    """Samples in order of time, each time once, and how many were dropped or moved for that."""

    times_s: Floats
    values: Floats
    duplicates: int
    disordered: bool


class Bins(NamedTuple):
    """Values of steps in a row: the first is number `first` since 1970."""

    first: int
    values: NDArray[np.float64]
    """nan in gaps."""
    resets: int = 0
    """How often a counter began anew."""


def cleaned(times_s: Floats, values: Floats) -> Cleaned:
    """Finite samples in order; of several at one time the last one counts."""
    finite = np.isfinite(times_s) & np.isfinite(values)
    times_s, values = times_s[finite], values[finite]
    steps = np.diff(times_s)
    if (steps > 0).all():
        return Cleaned(times_s, values, 0, False)
    order = np.argsort(times_s, kind="stable")
    times_s, values = times_s[order], values[order]
    last = np.append(np.diff(times_s) > 0, True)
    return Cleaned(times_s[last], values[last], int((~last).sum()), bool((steps < 0).any()))


def rates(times_s: Floats, totals: Floats, step_s: int) -> Bins:
    """Rates per second of a counter. What was counted between two samples is spread evenly over that time; steps at the
    ends, of which the samples cover a part only, have what was counted in that part.

    A value below the one before is a counter that began anew at 0, as Prometheus counts it (2.42, promql/functions.go,
    extrapolatedRate).
    """
    if len(times_s) < 2:
        return Bins(0, np.empty(0))
    grown = np.diff(totals)
    resets = grown < 0
    grown = np.where(resets, totals[1:], grown)
    first, end = int(np.floor(times_s[0] / step_s)), int(np.ceil(times_s[-1] / step_s))
    edges = np.arange(first, end + 1, dtype=np.float64) * step_s
    summed = np.concatenate(([0.0], np.cumsum(grown)))
    values = np.diff(np.interp(edges, times_s, summed)) / step_s
    values[_in_gaps(times_s, edges)] = np.nan
    return Bins(first, values, int(resets.sum()))


def means(times_s: Floats, values: Floats, step_s: int, *, holds: bool) -> Bins:
    """Mean of the samples of each step; a step without one has the value before it, not beyond a gap.

    A sample belongs to the step that ends with it. `holds`: the last sample of a step counts instead of their mean.
    """
    if not len(times_s):
        return Bins(0, np.empty(0))
    numbers = np.ceil(times_s / step_s).astype(np.int64) - 1
    first = int(numbers[0])
    numbers -= first
    count = int(numbers[-1]) + 1
    samples = np.bincount(numbers, minlength=count)
    if holds:
        found = np.full(count, np.nan)
        found[numbers] = values
    else:
        with np.errstate(invalid="ignore", divide="ignore"):
            found = np.bincount(numbers, weights=values, minlength=count) / samples
    return Bins(first, _held(found, samples > 0, times_s, step_s))


def usual_step(times_s: Floats) -> float:
    """Median distance of the samples in seconds; 0 if there are not two."""
    return float(np.median(np.diff(times_s))) if len(times_s) > 1 else 0.0


def _longest_hold(times_s: Floats) -> float:
    return max(_GAP * usual_step(times_s), _LOOK_BACK_S)


def _in_gaps(times_s: Floats, edges: Floats) -> NDArray[np.bool_]:
    """Steps that share more than half of their time with a gap."""
    steps = np.diff(times_s)
    inside = np.zeros(len(edges) - 1, dtype=bool)
    middles = (edges[:-1] + edges[1:]) / 2
    for gap in np.flatnonzero(steps > _longest_hold(times_s)):
        inside |= (middles > times_s[gap]) & (middles < times_s[gap + 1])
    return inside


def _held(found: Floats, is_known: NDArray[np.bool_], times_s: Floats, step_s: int) -> Floats:
    """Steps without a sample take the value before them, as long as that is not too old."""
    if is_known.all():
        return found
    steps = np.arange(len(found))
    latest = np.maximum.accumulate(np.where(is_known, steps, -1))
    is_fresh = (steps - latest) * step_s <= _longest_hold(times_s)
    return np.where(is_fresh, found[latest], np.nan)
