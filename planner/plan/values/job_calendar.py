"""When the Jobs of a CronJob are due: at the times of a cron line in a zone, or always after the same time.

Source: github.com/robfig/cron v3, ParseStandard (parser.go) and ConstantDelaySchedule (constantdelay.go).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from planner.language.translation import tr
from planner.plan.values.cron import CronSchedule, parse_cron
from planner.plan.values.zoned_cron import ZonedCron, zone_named
from planner.units import US_PER_S

_EVERY = "@every "
_UNITS = {
    "ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "µs": Fraction(1, 10**6), "μs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000), "s": Fraction(1), "m": Fraction(60), "h": Fraction(3600),
}  # fmt: skip
"""Seconds of each unit of Go's durations, which know no days."""
_PART = re.compile(r"(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)")
_LENGTH = re.compile(rf"([+-]?)((?:{_PART.pattern})+|0)", re.ASCII)


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
    length = _LENGTH.fullmatch(text.removeprefix(_EVERY))
    if length is None:
        raise ValueError(tr("'{text}' names no interval; write for example @every 90s or @every 1h30m", text=text[:60]))
    parts = (Fraction("0" + number.rstrip(".")) * _UNITS[unit] for number, unit in _PART.findall(length[2]))
    seconds = 0 if length[1] == "-" else int(sum(parts, Fraction(0)))
    return FixedInterval(max(seconds, 1) * US_PER_S)


def due_moments(calendar: JobCalendar, after_us: int, until_us: int) -> Iterator[int]:
    """All moments after the first one, up to and with the second one."""
    due_us = calendar.next_due_us(after_us)
    while due_us is not None and due_us <= until_us:
        yield due_us
        due_us = calendar.next_due_us(due_us)
