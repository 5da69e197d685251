"""Rates of load profiles and the noise on top of them (spec/load-latency-cost.md section 1)."""

import math
from bisect import bisect_right
from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.plan.traffic import (
    ClipLoad,
    ConstantLoad,
    DiurnalLoad,
    LoadProfile,
    Noise,
    PointsLoad,
    RampLoad,
    ScaleLoad,
    SineLoad,
    SpikeLoad,
    StepLoad,
    SumLoad,
    TraceLoad,
)
from planner.units import US_PER_DAY, US_PER_S

_AT = attrgetter("at")


def rate_at(profile: LoadProfile, t_us: int) -> float:
    """Requests per second of the profile at simulated time `t_us`, before noise."""
    return _RATE_OF[profile.type](profile, t_us)


def rates(profile: LoadProfile, t_us: NDArray[np.int64]) -> NDArray[np.float64]:
    """`rate_at` for many times, bit for bit the same."""
    return np.fromiter((rate_at(profile, t) for t in t_us.tolist()), np.float64, len(t_us))


def _constant(profile: ConstantLoad, t_us: int) -> float:
    return profile.rate


def _step(profile: StepLoad, t_us: int) -> float:
    return profile.to_rate if t_us >= profile.at else profile.from_rate


def _between(before: float, after: float, passed_us: int, duration_us: int) -> float:
    """On the straight line from `before` to `after`, `passed_us` after its start, held outside."""
    if passed_us < 0:
        return before
    if passed_us >= duration_us:
        return after
    return before + (after - before) * (passed_us / US_PER_S) / (duration_us / US_PER_S)


def _ramp(profile: RampLoad, t_us: int) -> float:
    return _between(profile.from_rate, profile.to_rate, t_us - profile.start, profile.duration)


def _diurnal(profile: DiurnalLoad, t_us: int) -> float:
    turn = ((t_us - profile.phase) % profile.period) / profile.period
    rate = max(0.0, profile.mean + profile.amplitude * math.cos(2 * math.pi * turn))
    day = t_us // US_PER_DAY % 7
    if profile.weekday_factors:
        return rate * profile.weekday_factors[day]
    return rate * profile.weekend_factor if day >= 5 else rate


def _sine(profile: SineLoad, t_us: int) -> float:
    turn = ((t_us - profile.phase) % profile.period) / profile.period
    return max(0.0, profile.mean + profile.amplitude * math.sin(2 * math.pi * turn))


def _spike(profile: SpikeLoad, t_us: int) -> float:
    fall_us = profile.start + profile.rise + profile.hold
    if t_us < fall_us:
        return _between(profile.base, profile.peak, t_us - profile.start, profile.rise)
    return _between(profile.peak, profile.base, t_us - fall_us, profile.decay)


def _points(profile: PointsLoad | TraceLoad, t_us: int) -> float:
    points = profile.points
    after = bisect_right(points, t_us, key=_AT)
    if after == 0:
        return points[0].rate
    left = points[after - 1]
    if after == len(points) or profile.interpolation == "step":
        return left.rate
    right = points[after]
    return _between(left.rate, right.rate, t_us - left.at, right.at - left.at)


def _trace(profile: TraceLoad, t_us: int) -> float:
    first = profile.points[0].at
    passed_us = t_us - profile.shift + profile.skip
    if profile.at_end == "repeat" and passed_us > 0:
        passed_us %= profile.length_us
    return profile.scale * _points(profile, first + passed_us)


def _sum(profile: SumLoad, t_us: int) -> float:
    return math.fsum(rate_at(part, t_us) for part in profile.profiles)


def _scale(profile: ScaleLoad, t_us: int) -> float:
    return profile.factor * rate_at(profile.profile, t_us)


def _clip(profile: ClipLoad, t_us: int) -> float:
    return min(profile.max, max(profile.min, rate_at(profile.profile, t_us)))


_RATE_OF: dict[str, Callable[[Any, int], float]] = {
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


class NoiseProcess:
    """Factors of mean 1 whose logarithm is a stationary AR(1) process in time."""

    def __init__(self, noise: Noise, generator: np.random.Generator) -> None:
        self._sigma = math.sqrt(math.log1p(noise.cv**2))
        self._correlation_us = noise.correlation_time
        self._generator = generator
        self._deviate = float(generator.standard_normal()) if self._sigma else 0.0

    def next(self, dt_us: int) -> float:
        """The factor `dt_us` after the previous one. Draws nothing from the generator when cv is 0."""
        if not self._sigma:
            return 1.0
        kept = math.exp(-dt_us / self._correlation_us) if self._correlation_us else 0.0
        fresh = float(self._generator.standard_normal())
        self._deviate = kept * self._deviate + math.sqrt(1.0 - kept * kept) * fresh
        return math.exp(self._sigma * self._deviate - 0.5 * self._sigma**2)
