"""Rules of the kinds of load profiles: each gets the settings of its profiles in columns, a row a profile, and moments
along the other axis.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.derived.holidays import DatedWave
from planner.plan.model.traffic import PointsLoad, TraceLoad
from planner.units import US_PER_DAY, US_PER_S

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
FIRST_US, LAST_US = -(1 << 62), 1 << 62
"""Before and after all moments."""

Kind = Callable[[Ints, Floats], Floats]
"""Rates of the profiles of one kind at moments, from the rates of their parts."""


class Node(NamedTuple):
    """A profile, or a part of one, at its place in the table, and the places of its parts."""

    place: int
    profile: Any
    parts: list[int]


def _column(nodes: Sequence[Node], name: str, of: type = float) -> NDArray[Any]:
    return np.array([[getattr(node.profile, name)] for node in nodes], of)


def _constant(nodes: Sequence[Node]) -> Kind:
    rate = _column(nodes, "rate")
    return lambda t_us, _: rate


def _step(nodes: Sequence[Node]) -> Kind:
    before, after, at = _column(nodes, "from_rate"), _column(nodes, "to_rate"), _column(nodes, "at", int)
    return lambda t_us, _: np.where(t_us >= at, after, before)


def _between(before: Floats, after: Floats, passed_us: Ints, duration_us: Ints) -> Floats:
    """On the straight line from `before` to `after`, `passed_us` after its start, held outside."""
    share = np.minimum(np.maximum(passed_us, 0), duration_us) / US_PER_S / (np.maximum(duration_us, 1) / US_PER_S)
    on_line = before + (after - before) * share
    return np.where(passed_us < 0, before, np.where(passed_us >= duration_us, after, on_line))


def _ramp(nodes: Sequence[Node]) -> Kind:
    before, after = _column(nodes, "from_rate"), _column(nodes, "to_rate")
    start, duration = _column(nodes, "start", int), _column(nodes, "duration", int)
    return lambda t_us, _: _between(before, after, t_us - start, duration)


def _wave(nodes: Sequence[Node], wave: Callable[[Floats], Floats]) -> Callable[[Ints], Floats]:
    mean, amplitude = _column(nodes, "mean"), _column(nodes, "amplitude")
    phase, period = _column(nodes, "phase", int), _column(nodes, "period", int)
    return lambda t_us: np.maximum(0.0, mean + amplitude * wave(2 * np.pi * ((t_us - phase) % period / period)))


def _diurnal(nodes: Sequence[Node]) -> Kind:
    wave = _wave(nodes, np.cos)
    factors = np.array([_week(node.profile) for node in nodes])
    holidays = [(row, *known) for row, node in enumerate(nodes) if (known := _holidays(node.profile))]
    if (factors == 1.0).all() and not holidays:
        return lambda t_us, _: wave(t_us)

    def rate(t_us: Ints, _: Floats) -> Floats:
        day = t_us // US_PER_DAY
        factor = factors[:, day % 7]
        for row, days, its in holidays:
            factor[row, np.isin(day, days)] = its
        return np.asarray(wave(t_us) * factor)

    return rate


def _holidays(profile: Any) -> tuple[Ints, float] | None:
    """Days of the run that are holidays, and the factor on them; None where they are days like any other."""
    is_dated = isinstance(profile, DatedWave) and profile.holiday_factor is not None
    return (np.array(profile.holiday_days), profile.holiday_factor) if is_dated else None


def _week(profile: Any) -> tuple[float, ...]:
    return profile.weekday_factors or (1.0,) * 5 + (profile.weekend_factor,) * 2


def _sine(nodes: Sequence[Node]) -> Kind:
    wave = _wave(nodes, np.sin)
    return lambda t_us, _: wave(t_us)


def _spike(nodes: Sequence[Node]) -> Kind:
    base, peak, start = _column(nodes, "base"), _column(nodes, "peak"), _column(nodes, "start", int)
    rise, decay = _column(nodes, "rise", int), _column(nodes, "decay", int)
    fall = start + rise + _column(nodes, "hold", int)

    def rate(t_us: Ints, _: Floats) -> Floats:
        rising, falling = _between(base, peak, t_us - start, rise), _between(peak, base, t_us - fall, decay)
        return np.where(t_us < fall, rising, falling)

    return rate


class _Line(NamedTuple):
    """The stretch in which a moment of each profile lies: where it starts, and how its rate rises over `length_s`."""

    start_us: Ints
    rate: Floats
    rise: Floats
    length_s: Floats

    def at(self, t_us: Ints) -> Floats:
        """Rates at moments of the stretch, as `_between` has them."""
        return self.rate + self.rise * ((t_us - self.start_us) / US_PER_S / self.length_s)


class _Points:
    """Points of many profiles, one after the other, found for all at once."""

    def __init__(self, profiles: Iterable[PointsLoad | TraceLoad]) -> None:
        lists = [(one.points, one.interpolation == "step") for one in profiles]
        self._at = np.array([point.at for points, _ in lists for point in points], np.int64)
        self._rate = np.array([point.rate for points, _ in lists for point in points])
        length = np.array([[len(points)] for points, _ in lists])
        self._end = np.cumsum(length)[:, np.newaxis]
        self._first = self._end - length
        earliest, latest = int(self._at.min()), int(self._at.max())
        self._bounds = earliest - 1, latest
        self._apart = np.arange(len(lists))[:, np.newaxis] * (latest - earliest + 2)
        """By which the points of each profile are moved so that all of them are in order."""
        self._in_order = self._at + np.repeat(self._apart, length[:, 0])
        self._stairs = np.array([[stairs] for _, stairs in lists])

        self._from, self._until = np.zeros((2, len(length), 1), np.int64)
        self._line: _Line | None = None

    def rate(self, t_us: Ints) -> Floats:
        """Rates at moments since the start of the points: a row a profile.

        A single moment mostly lies where the one before it did.
        """
        is_single = t_us.shape == self._from.shape
        if is_single and self._line is not None and ((self._from <= t_us) & (t_us < self._until)).all():
            return self._line.at(t_us)
        low = self._count_passed(t_us)
        left, right, is_before = np.maximum(low - 1, self._first), np.minimum(low, self._end - 1), low == self._first
        before, after, start_us = self._rate[left], self._rate[right], self._at[left]
        length_us = self._at[right] - start_us
        is_flat = self._stairs | is_before
        if is_single:
            self._from = np.where(is_before, FIRST_US, start_us)
            self._until = np.where(low == self._end, LAST_US, self._at[right])
            rise = np.where(is_flat | (length_us == 0), 0.0, after - before)
            self._line = _Line(start_us, before, rise, np.maximum(length_us, 1) / US_PER_S)
        return np.where(is_flat, before, _between(before, after, t_us - start_us, length_us))

    def _count_passed(self, t_us: Ints) -> Ints:
        """Place of the first point after each moment."""
        return np.searchsorted(self._in_order, np.clip(t_us, *self._bounds) + self._apart, side="right")


def _points(nodes: Sequence[Node]) -> Kind:
    points = _Points(node.profile for node in nodes)
    return lambda t_us, _: points.rate(np.broadcast_to(t_us, (len(nodes), len(t_us))))


def _trace(nodes: Sequence[Node]) -> Kind:
    points, scale = _Points(node.profile for node in nodes), _column(nodes, "scale")
    first = np.array([[node.profile.points[0].at] for node in nodes], np.int64)
    moved = _column(nodes, "skip", int) - _column(nodes, "shift", int)
    repeats = np.array([[node.profile.at_end == "repeat"] for node in nodes])
    length = np.array([[node.profile.length_us if node.profile.at_end == "repeat" else 1] for node in nodes], np.int64)

    some_repeat = bool(repeats.any())

    def rate(t_us: Ints, _: Floats) -> Floats:
        passed_us = t_us + moved
        if some_repeat:
            passed_us = np.where(repeats & (passed_us > 0), passed_us % length, passed_us)
        return scale * points.rate(first + passed_us)

    return rate


def _sum(nodes: Sequence[Node]) -> Kind:
    parts = np.array([part for node in nodes for part in node.parts])
    starts = np.cumsum([0, *(len(node.parts) for node in nodes[:-1])])
    return lambda _, found: np.add.reduceat(found[parts], starts, axis=0)


def _scale(nodes: Sequence[Node]) -> Kind:
    part, factor = np.array([node.parts[0] for node in nodes]), _column(nodes, "factor")
    return lambda _, found: factor * found[part]


def _clip(nodes: Sequence[Node]) -> Kind:
    part, least, most = np.array([node.parts[0] for node in nodes]), _column(nodes, "min"), _column(nodes, "max")
    return lambda _, found: np.clip(found[part], least, most)


KIND_OF: dict[str, Callable[[Sequence[Node]], Kind]] = {
    "constant": _constant,
    "step": _step,
    "ramp": _ramp,
    "sine": _sine,
    "diurnal": _diurnal,
    "spike": _spike,
    "points": _points,
    "trace": _trace,
    "sum": _sum,
    "scale": _scale,
    "clip": _clip,
}
