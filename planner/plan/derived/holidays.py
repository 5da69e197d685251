"""Holidays of a plan as days of its run, and loads that know them."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import ClipLoad, DiurnalLoad, LoadProfile, ScaleLoad, SumLoad
from planner.units import US_PER_S


class DatedWave(DiurnalLoad):
    """A daily wave of a run that has dates."""

    holiday_days: tuple[int, ...] = ()
    """Days of the run, the first of which is 0, on which the holiday factor applies."""


def holiday_days(simulation: SimulationSettings) -> tuple[int, ...]:
    """The holidays as days of the run, that of its start (UTC) being 0; those before the run are negative."""
    first = datetime.fromtimestamp(simulation.starts_at // US_PER_S, UTC).date()
    return tuple((date.fromisoformat(text) - first).days for text in simulation.holidays)


def waves_of(profile: LoadProfile) -> Iterator[DiurnalLoad]:
    """The daily waves of a profile."""
    if isinstance(profile, DiurnalLoad):
        yield profile
    elif isinstance(profile, SumLoad):
        for part in profile.profiles:
            yield from waves_of(part)
    elif isinstance(profile, ScaleLoad | ClipLoad):
        yield from waves_of(profile.profile)


def dated(profile: LoadProfile, simulation: SimulationSettings) -> LoadProfile:
    """The profile with the holidays of the run, where it heeds them."""
    heeds = simulation.holidays and any(wave.holiday_factor is not None for wave in waves_of(profile))
    return _dated(profile, holiday_days(simulation)) if heeds else profile


def _dated(profile: LoadProfile, days: tuple[int, ...]) -> LoadProfile:
    update: dict[str, Any] = {}
    if isinstance(profile, DiurnalLoad):
        return DatedWave.model_construct(**dict(profile), holiday_days=days)
    if isinstance(profile, SumLoad):
        update = {"profiles": tuple(_dated(part, days) for part in profile.profiles)}
    elif isinstance(profile, ScaleLoad | ClipLoad):
        update = {"profile": _dated(profile.profile, days)}
    return profile.model_copy(update=update)
