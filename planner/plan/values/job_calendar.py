"""When the Jobs of a CronJob are due: at the times of a cron line in a zone, or always after the same time.

Source: github.com/robfig/cron v3, ParseStandard (parser.go) and ConstantDelaySchedule (constantdelay.go).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from planner.language.translation import tr
from planner.plan.values.cron import CronSchedule, parse_cron
from planner.plan.values.zoned_cron import ZonedCron, zone_named
from planner.units import US_PER_S, parse_duration_us

_EVERY = "@every "
_DAYS = "d"
"""A unit of durations here, but not in Kubernetes."""


@dataclass(frozen=True)
class FixedInterval:
    """Due so long after it was due the last time, or began to count; on whole seconds."""

    length_us: int

    def next_due_us(self, after_us: int) -> int | None:
        """The first moment after another one, microseconds since 1970."""
        return after_us - after_us % US_PER_S + self.length_us


JobCalendar = ZonedCron | FixedInterval


def parse_job_calendar(text: str, zone_name: str) -> JobCalendar:
    """The calendar of a schedule in a zone, which has no effect on intervals. Raises ValueError, "problem; remedy"."""
    schedule = parse_job_schedule(text)
    return schedule if isinstance(schedule, FixedInterval) else ZonedCron(schedule, zone_named(zone_name))


def parse_job_schedule(text: str) -> CronSchedule | FixedInterval:
    """A schedule such as "0 8 * * 1-5", "@daily" or "@every 90m". Raises ValueError, written "problem; remedy".

    Of an interval, fractions of a second do not count, and less than a second is one.
    """
    if not text.startswith(_EVERY):
        return parse_cron(text)
    length = text.removeprefix(_EVERY)
    try:
        if _DAYS in length:
            raise ValueError
        length_us = parse_duration_us(length)
    except ValueError:
        raise ValueError(
            tr("'{text}' names no interval; write for example @every 90s or @every 1h30m", text=text[:60])
        ) from None
    return FixedInterval(max(length_us - length_us % US_PER_S, US_PER_S))


def due_moments(calendar: JobCalendar, after_us: int, until_us: int) -> Iterator[int]:
    """All moments after the first one, up to and with the second one."""
    due_us = calendar.next_due_us(after_us)
    while due_us is not None and due_us <= until_us:
        yield due_us
        due_us = calendar.next_due_us(due_us)
