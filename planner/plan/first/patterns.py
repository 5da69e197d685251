"""Patterns of a day as load profiles."""

import math

from planner.plan.first.answers import Pattern
from planner.plan.model.traffic import ConstantLoad, DiurnalLoad, LoadPoint, LoadProfile, PointsLoad, SpikeLoad
from planner.units import US_PER_H, US_PER_MIN

_NIGHT = 0.2
"""Load at the quietest hour, over that at the peak."""
_OFFICE = ((7.0, 0.1), (9.0, 0.9), (10.0, 1.0), (12.0, 0.9), (13.0, 0.75), (14.0, 0.95), (16.0, 0.95), (19.0, 0.1))
"""Hours and shares of the peak: two hours to fill the offices, a lunch break, and home."""
_PEAK_HOUR = {Pattern.DAY: 14, Pattern.EVENING: 20}
_LEAST_SHARE = {Pattern.STEADY: 0.8, Pattern.FLASH: 1.0}
"""Nothing follows a flash crowd in time."""
_USUAL_LEAST_SHARE = 0.25


def profile_of(pattern: Pattern, peak: float) -> LoadProfile:
    """Requests per second over a day that begins at midnight."""
    if pattern is Pattern.STEADY:
        return ConstantLoad(type="constant", rate=peak)
    if pattern is Pattern.OFFICE:
        points = tuple(LoadPoint(at=round(hour * US_PER_H), rate=peak * share) for hour, share in _OFFICE)
        return PointsLoad(type="points", points=points)
    if pattern is Pattern.FLASH:
        rise, hold, decay = 2 * US_PER_MIN, 30 * US_PER_MIN, 30 * US_PER_MIN
        times = {"start": 12 * US_PER_H, "rise": rise, "hold": hold, "decay": decay}
        return SpikeLoad(type="spike", base=peak * _NIGHT, peak=peak, **times)
    mean = peak * (1 + _NIGHT) / 2
    return DiurnalLoad(type="diurnal", mean=mean, amplitude=peak - mean, phase=_PEAK_HOUR[pattern] * US_PER_H)


def least_share(pattern: Pattern) -> float:
    """Pods that always run, over those that the peak needs."""
    return _LEAST_SHARE.get(pattern, _USUAL_LEAST_SHARE)


def share_at_start(pattern: Pattern) -> float:
    """Load at midnight, over that at the peak."""
    if pattern in _PEAK_HOUR:
        return (1 + _NIGHT) / 2 + (1 - _NIGHT) / 2 * math.cos(2 * math.pi * _PEAK_HOUR[pattern] / 24)
    return {Pattern.OFFICE: _OFFICE[0][1], Pattern.FLASH: _NIGHT}.get(pattern, 1.0)
