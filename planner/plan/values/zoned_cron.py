"""Moments of schedules in time zones, whose clocks change.

As robfig/cron 3 finds them (spec.go), which Kubernetes and KEDA use: a time that a change of clocks skips does not
happen that day; one that happens twice is due twice.
"""

from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
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
    first = day_of(after_us, zone) - timedelta(days=1)
    for offset in range(_SEARCHED_DAYS):
        moments = _moments(schedule, zone, first + timedelta(days=offset))
        at = bisect_right(moments, after_us)
        if at < len(moments):
            return moments[at]
    return None


def due_between(schedule: CronSchedule, zone: ZoneInfo, after_us: int, until_us: int) -> Iterator[int]:
    """All moments after the first one, up to and with the second one."""
    due_us = next_due_us(schedule, zone, after_us)
    while due_us is not None and due_us <= until_us:
        yield due_us
        due_us = next_due_us(schedule, zone, due_us)


def clock_changes(schedule: CronSchedule, zone: ZoneInfo, after_us: int, until_us: int) -> Iterator[tuple[date, bool]]:
    """Days on which a change of clocks skips a time of the schedule (False) or doubles it (True)."""
    day, last = day_of(after_us, zone), day_of(until_us, zone)
    usual = len(schedule.hours) * len(schedule.minutes)
    while day <= last:
        count = len(_moments(schedule, zone, day))
        if schedule.falls_on(day) and count != usual:
            yield day, count > usual
        day += timedelta(days=1)


def day_of(moment_us: int, zone: ZoneInfo) -> date:
    """The date at a moment, microseconds since 1970, in a zone."""
    return (_EPOCH + timedelta(microseconds=moment_us)).astimezone(zone).date()


@lru_cache(maxsize=4096)
def _moments(schedule: CronSchedule, zone: ZoneInfo, day: date) -> tuple[int, ...]:
    """When it is due on a day of the zone, ascending."""
    if not schedule.falls_on(day):
        return ()
    found: dict[int, None] = {}
    for hour in schedule.hours:
        for minute in schedule.minutes:
            for fold in (0, 1):
                local = datetime(day.year, day.month, day.day, hour, minute, tzinfo=zone, fold=fold)
                moment = local.astimezone(UTC)
                if moment.astimezone(zone).replace(tzinfo=None) == local.replace(tzinfo=None):
                    found[(moment - _EPOCH) // _MICROSECOND] = None
    return tuple(sorted(found))
