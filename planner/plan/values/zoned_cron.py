"""Moments of schedules in time zones, whose clocks change.

As robfig/cron 3 finds them (spec.go, Next), which Kubernetes and KEDA use: a time that a change of clocks skips does
not happen that day; one that happens twice is due twice.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from planner.language.translation import tr
from planner.plan.values.cron import CronSchedule, is_named_schedule, parse_cron
from planner.units import US_PER_S

_ZONE_PREFIXES = ("TZ=", "CRON_TZ=")
_ZONE_OF_THE_CALLER = "Local"
_SEARCHED_YEARS = 5
"""A schedule that is not due until the year so many years later is over never is."""
_HOUR_S, _MINUTE_S = 3600, 60
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND, _SECOND = timedelta(microseconds=1), timedelta(seconds=1)


def zone_named(name: str) -> ZoneInfo:
    """A time zone such as "Europe/Berlin". Raises ValueError, written "problem; remedy"."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        raise ValueError(
            tr("there is no time zone {name!r}; write for example Europe/Berlin or UTC", name=name)
        ) from None


@dataclass(frozen=True)
class ZonedCron:
    """A schedule and the zone that its times are in."""

    schedule: CronSchedule
    zone: ZoneInfo

    def next_due_us(self, after_us: int) -> int | None:
        """The first moment after another one at which it is due, microseconds since 1970; None if it never is."""
        return next_due_us(self.schedule, self.zone, after_us)


def parse_zoned_fields(text: str, zone_name: str) -> ZonedCron:
    """The line of a cron trigger: five fields, no names such as @daily. Raises ValueError, "problem; remedy".

    A zone before the fields, `TZ=Asia/Seoul 0 8 * * *` or CRON_TZ, counts instead of that of the trigger: KEDA 2.18,
    pkg/scalers/cron_scaler.go, robfig/cron 3 (parser.go, Parse; spec.go, Next).
    """
    line = text
    if text.startswith(_ZONE_PREFIXES):
        prefix, blank, rest = text.partition(" ")
        own = prefix.partition("=")[2] or "UTC"
        if not blank:
            raise ValueError(tr("'{text}' names a zone alone; write the five fields after it", text=text[:60]))
        line, zone_name = rest.strip(), zone_name if own == _ZONE_OF_THE_CALLER else own
    if is_named_schedule(line):
        raise ValueError(tr("'{text}' is not a schedule; write minute hour day month weekday", text=line.strip()))
    return ZonedCron(parse_cron(line), zone_named(zone_name))


def next_due_us(schedule: CronSchedule, zone: ZoneInfo, after_us: int) -> int | None:
    """The first moment after another one at which a schedule is due, microseconds since 1970; None if it never is."""
    found_s = _Search(schedule, zone, after_us // US_PER_S + 1).found_s()
    return None if found_s is None else found_s * US_PER_S


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


class _Search:
    """Seconds since 1970 that grow until month, day, hour, minute and second fit, in this order.

    Where a change of clocks skips midnight, the steps land beside the day: it is missed unless the day before it fits,
    too, and then its first hour is taken for one of the day before.
    """

    def __init__(self, schedule: CronSchedule, zone: ZoneInfo, from_s: int) -> None:
        self._schedule = schedule
        self._zone = zone
        self._go_to(from_s)
        self._has_moved = False

    def found_s(self) -> int | None:
        """The first fitting second. A step says whether its field began anew: those before it are looked at again."""
        last_year = self._local.year + _SEARCHED_YEARS
        steps = (self._to_month, self._to_day, self._to_hour, self._to_minute, self._to_second)
        while self._local.year <= last_year:
            if not any(step() for step in steps):
                return self._at_s
        return None

    def _to_month(self) -> bool:
        while self._local.month not in self._schedule.months:
            self._move_first(self._local.replace(day=1, hour=0, minute=0, second=0))
            year, month = divmod(self._local.year * 12 + self._local.month, 12)
            begin = self._local.replace(year=year, month=month + 1, day=1)
            self._go_to_local(begin + timedelta(days=self._local.day - 1))
            if self._local.month == 1:
                return True
        return False

    def _to_day(self) -> bool:
        while not self._schedule.falls_on(self._local):
            self._move_first(self._local.replace(hour=0, minute=0, second=0))
            self._go_to_local(self._local + timedelta(days=1))
            hour = self._local.hour
            if hour != 0:
                self._go_to(self._at_s + (24 - hour if hour > 12 else -hour) * _HOUR_S)
            if self._local.day == 1:
                return True
        return False

    def _to_hour(self) -> bool:
        while self._local.hour not in self._schedule.hours:
            self._move_first(self._local.replace(minute=0, second=0))
            self._go_to(self._at_s + _HOUR_S)
            if self._local.hour == 0:
                return True
        return False

    def _to_minute(self) -> bool:
        while self._local.minute not in self._schedule.minutes:
            self._has_moved = True
            self._go_to(self._at_s - self._local.second + _MINUTE_S)
            if self._local.minute == 0:
                return True
        return False

    def _to_second(self) -> bool:
        if self._local.second == 0:
            return False
        self._has_moved = True
        self._go_to(self._at_s + _MINUTE_S - self._local.second)
        return True

    def _move_first(self, begin: datetime) -> None:
        """Smaller fields begin anew, once."""
        if not self._has_moved:
            self._has_moved = True
            self._go_to_local(begin)

    def _go_to(self, at_s: int) -> None:
        self._at_s = at_s
        self._local = datetime.fromtimestamp(at_s, self._zone)

    def _go_to_local(self, local: datetime) -> None:
        """A time on the clocks; one that they skip is an hour beside, as in Go."""
        naive_s = (local.replace(tzinfo=UTC) - _EPOCH) // _SECOND
        self._go_to(naive_s - self._ahead_s(naive_s - self._ahead_s(naive_s)))

    def _ahead_s(self, at_s: int) -> int:
        ahead = datetime.fromtimestamp(at_s, self._zone).utcoffset() or timedelta()
        return ahead // _SECOND
