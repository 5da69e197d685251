"""Moments of schedules in time zones, whose clocks change.

As robfig/cron 3 finds them (spec.go), which Kubernetes and KEDA use: a time that a change of clocks skips does not
happen that day; one that happens twice is due twice.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from planner.language.translation import tr
from planner.plan.values.cron import CronSchedule

_SEARCHED_DAYS = 5 * 366
"""A schedule that is not due for so long never is."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def zone_named(name: str) -> ZoneInfo:
    """A time zone such as "Europe/Berlin". Raises ValueError, written "problem; remedy"."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            tr("there is no time zone {name!r}; write for example Europe/Berlin or UTC", name=name)
        ) from None


def next_due_us(schedule: CronSchedule, zone: ZoneInfo, after_us: int) -> int | None:
    """The first moment after another one at which a schedule is due, microseconds since 1970; None if it never is."""
    after = _EPOCH + timedelta(microseconds=after_us)
    first = after.astimezone(zone).date() - timedelta(days=1)
    for offset in range(_SEARCHED_DAYS):
        day = first + timedelta(days=offset)
        due = min((moment for moment in _moments(schedule, zone, day) if moment > after), default=None)
        if due is not None:
            return (due - _EPOCH) // _MICROSECOND
    return None


def _moments(schedule: CronSchedule, zone: ZoneInfo, day: date) -> Iterator[datetime]:
    """When it is due on a day of the zone."""
    if not schedule.falls_on(day):
        return
    for hour in sorted(schedule.hours):
        for minute in sorted(schedule.minutes):
            for fold in (0, 1):
                local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone, fold=fold)
                moment = local.astimezone(UTC)
                if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
                    yield moment
