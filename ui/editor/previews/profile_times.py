"""At which times a profile has to be looked at so that its picture misses no corner and no short spike."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.traffic import (
    ClipLoad,
    DiurnalLoad,
    LoadProfile,
    PointsLoad,
    RampLoad,
    ScaleLoad,
    SineLoad,
    SpikeLoad,
    StepLoad,
    SumLoad,
    TraceLoad,
)
from planner.units import US_PER_DAY

_EVEN = 400
_MOST_CORNERS = 1_000
_WEEK_US = 7 * US_PER_DAY
_LONGEST_US = 2 * _WEEK_US


def sample_times(profile: LoadProfile, span_us: int) -> NDArray[np.int64]:
    """Even steps over the span, and both sides of every corner in it."""
    corners = [at for at in corners_of(profile) if 0 < at < span_us][:_MOST_CORNERS]
    even = np.linspace(0, span_us, _EVEN).astype(np.int64)
    return np.unique(np.concatenate([even, [at - 1 for at in corners], corners]).astype(np.int64))


def shown_span_us(profile: LoadProfile, duration_us: int) -> int:
    """The run, or a whole wave where the run is shorter; a week where days differ."""
    waves = [length for length in _waves(profile) if length <= _LONGEST_US]
    return max([duration_us, *waves])


def parts_of(profile: LoadProfile) -> Iterator[LoadProfile]:
    """The profile and all that it is made of."""
    yield profile
    inner = profile.profiles if isinstance(profile, SumLoad) else ()
    if isinstance(profile, ScaleLoad | ClipLoad):
        inner = (profile.profile,)
    for part in inner:
        yield from parts_of(part)


def _waves(profile: LoadProfile) -> Iterator[int]:
    for part in parts_of(profile):
        if isinstance(part, DiurnalLoad):
            yield _WEEK_US if part.weekday_factors or part.weekend_factor != 1.0 else part.period
        elif isinstance(part, SineLoad):
            yield part.period


def corners_of(profile: LoadProfile) -> Iterator[int]:
    """Times at which a profile bends or jumps."""
    for part in parts_of(profile):
        if isinstance(part, StepLoad):
            yield part.at
        elif isinstance(part, RampLoad):
            yield from (part.start, part.start + part.duration)
        elif isinstance(part, SpikeLoad):
            ends = np.cumsum([part.start, part.rise, part.hold, part.decay])
            yield from ends.tolist()
        elif isinstance(part, PointsLoad):
            yield from (point.at for point in part.points)
        elif isinstance(part, TraceLoad):
            yield from (point.at + part.shift - part.skip for point in part.points)
