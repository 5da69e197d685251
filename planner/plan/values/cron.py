"""Schedules in five fields: minute, hour, day of month, month, day of week.

Source: github.com/robfig/cron v3, ParseStandard (parser.go, spec.go), which Karpenter 1.13 reads its budgets with. Time
zones are refused as Karpenter refuses them: schedules are in UTC.
"""

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache

from planner.language.translation import marked, tr

_MONTHS = {name: n for n, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1)}
_DAYS = {name: n for n, name in enumerate("sun mon tue wed thu fri sat".split())}
_FIELDS: tuple[tuple[str, int, int, dict[str, int]], ...] = (
    (marked("minute"), 0, 59, {}),
    (marked("hour"), 0, 23, {}),
    (marked("day of month"), 1, 31, {}),
    (marked("month"), 1, 12, _MONTHS),
    (marked("day of week"), 0, 6, _DAYS),
)
_NAMED = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
_LONGEST_YEARS = 5
"""A schedule that hits no day within five years hits none."""


@dataclass(frozen=True)
class CronSchedule:
    """The moments of a schedule, on whole minutes."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""
    any_day: bool
    """The days of the month are a star."""
    any_weekday: bool

    def next_after(self, moment: datetime) -> datetime | None:
        """The first moment strictly after another one; None if there is none within five years."""
        found = moment.replace(second=0, microsecond=0) + timedelta(minutes=1)
        last = found + timedelta(days=366 * _LONGEST_YEARS)
        while found <= last:
            if found.month not in self.months or not self._is_day(found):
                found = found.replace(hour=0, minute=0) + timedelta(days=1)
            elif found.hour not in self.hours:
                found = found.replace(minute=0) + timedelta(hours=1)
            elif found.minute not in self.minutes:
                found += timedelta(minutes=1)
            else:
                return found
        return None

    def falls_on(self, day: date) -> bool:
        """Whether any moment is on a day."""
        return day.month in self.months and self._is_day(day)

    def _is_day(self, moment: date) -> bool:
        """Both fields must fit if either is a star, else one is enough."""
        in_month = moment.day in self.days
        in_week = moment.isoweekday() % 7 in self.weekdays
        return in_month and in_week if self.any_day or self.any_weekday else in_month or in_week


@lru_cache(maxsize=256)
def parse_cron(text: str) -> CronSchedule:
    """The schedule of a text. Raises ValueError."""
    parts = _NAMED.get(text, text).split()
    if len(parts) != len(_FIELDS):
        raise ValueError(
            tr("'{text}' is not a schedule; write minute hour day month weekday, or for example @daily", text=text[:60])
        )
    sets = [_values(part, *field) for part, field in zip(parts, _FIELDS, strict=True)]
    minutes, hours, days, months, weekdays = (frozenset(values) for values, _ in sets)
    return CronSchedule(minutes, hours, days, months, weekdays, sets[2][1], sets[4][1])


def is_named_schedule(text: str) -> bool:
    """Whether a text is a name such as @daily in place of fields."""
    return text in _NAMED


def _values(text: str, what: str, low: int, high: int, names: dict[str, int]) -> tuple[set[int], bool]:
    """The values of a field, and whether it is a star."""
    found: set[int] = set()
    is_star = False
    for part in [one for one in text.split(",") if one] or [text]:
        span, slash, step_text = part.partition("/")
        first, dash, last = span.partition("-")
        step = _number(step_text, what, {}) if slash else 1
        if first in ("*", "?"):
            begin, end = low, high
            is_star = is_star or step == 1
        else:
            begin = _number(first, what, names)
            end = _number(last, what, names) if dash else high if slash else begin
        if begin < low or end > high or begin > end or step < 1:
            raise ValueError(
                tr(
                    "'{part}' is no {what}; write values from {low} to {high}",
                    part=part,
                    what=tr(what),
                    low=low,
                    high=high,
                )
            )
        found.update(range(begin, end + 1, step))
    return found, is_star


def _number(text: str, what: str, names: dict[str, int]) -> int:
    known = names.get(text.lower())
    if known is not None:
        return known
    if not text.removeprefix("+").isdecimal():
        raise ValueError(tr("'{text}' is no {what}; write a number", text=text, what=tr(what)))
    return int(text)
