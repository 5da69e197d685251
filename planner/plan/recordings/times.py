"""Times of a recording: dates, or numbers whose unit is recognised where it shows.

Numbers since 1970 differ by a factor of 1000 from unit to unit, so that their size tells the unit.
"""

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import NamedTuple

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.problems import shown


class TimeUnit(StrEnum):
    """Unit of times that are numbers."""

    S = "s"
    MS = "ms"
    US = "us"
    NS = "ns"


class Times(NamedTuple):
    """Seconds, and what they were taken for."""

    seconds: list[float]
    assumed: str
    are_since_1970: bool = False


_PER_S = {TimeUnit.S: 1.0, TimeUnit.MS: 1e3, TimeUnit.US: 1e6, TimeUnit.NS: 1e9}
_WORDS = {TimeUnit.S: "seconds", TimeUnit.MS: "milliseconds", TimeUnit.US: "microseconds", TimeUnit.NS: "nanoseconds"}
_SINCE_1970 = ((1e17, TimeUnit.NS), (1e14, TimeUnit.US), (1e11, TimeUnit.MS), (1e8, TimeUnit.S))
"""From this number on, a time since 1970 is of that unit; 1e8 s is the year 1973, 1e11 s would be the year 5138."""
_BY_NAME = (
    (TimeUnit.NS, re.compile(r"(?:^|[^a-z])(?:ns|nanos|nanoseconds?)(?:[^a-z]|$)")),
    (TimeUnit.US, re.compile(r"(?:^|[^a-z])(?:us|µs|micros|microseconds?)(?:[^a-z]|$)")),
    (TimeUnit.MS, re.compile(r"(?:^|[^a-z])(?:ms|millis|milliseconds?)(?:[^a-z]|$)")),
    (TimeUnit.S, re.compile(r"(?:^|[^a-z])(?:s|sec|secs|seconds?)(?:[^a-z]|$)")),
)


def is_time(text: str) -> bool:
    """Whether it is a number or a date."""
    try:
        _time(text, "")
    except PlanProblem:
        return False
    return True


def read_times(
    places: Sequence[str], texts: Sequence[str], name: str, unit: TimeUnit | None = None, zone: tzinfo = UTC
) -> Times:
    """Times in seconds. `name`: that of their column; `unit`: of numbers, else recognised; `zone`: of dates without an
    offset. Raises PlanProblem.
    """
    read: list[float] = []
    for place, text in zip(places, texts, strict=True):
        read.append(_time(text, place, zone, read[-1] if read else -math.inf))
    if not _is_number(texts[0]):
        return Times(read, tr("times are dates"), are_since_1970=True)
    if unit is not None:
        return _in(read, unit, tr("as you say"))
    by_name = next((known for known, pattern in _BY_NAME if pattern.search(name.lower())), None)
    if by_name is not None:
        return _in(read, by_name, tr("by the name {name}", name=shown(name)))
    since = next((known for least, known in _SINCE_1970 if abs(read[0]) >= least), None)
    if since is not None:
        return _in(read, since, "since 1970")
    steps = [after - before for before, after in zip(read, read[1:], strict=False)]
    if steps and all(step >= 1000 and step % 1000 == 0 for step in steps):
        problem = tr("The times may be seconds or milliseconds: all are multiples of 1000.")
        raise PlanProblem(places[1], problem, tr("Say which with --time-unit s or --time-unit ms."))
    return _in(read, TimeUnit.S, "assumed")


def _in(read: list[float], unit: TimeUnit, why: str) -> Times:
    seconds = [time / _PER_S[unit] for time in read]
    text = tr("times are {words} ({why})", words=_WORDS[unit], why=why)
    return Times(seconds, text, are_since_1970=seconds[0] >= _SINCE_1970[-1][0])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _time(text: str, place: str, zone: tzinfo = UTC, before: float = -math.inf) -> float:
    """`before`: the time of the line before, after which the hour that comes twice in autumn is the second one."""
    text = text.strip()
    try:
        number = float(text)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            remedy = tr("Write seconds, or a date like 2026-03-01T12:00:00Z.")
            raise PlanProblem(place, tr("{text} is not a time.", text=shown(text)), remedy) from None
        if moment.tzinfo is not None:
            return moment.timestamp()
        found = moment.replace(tzinfo=zone).timestamp()
        return found if found > before else moment.replace(tzinfo=zone, fold=1).timestamp()
    if not math.isfinite(number):
        raise PlanProblem(
            place, tr("{text} is not a time.", text=shown(text)), tr("Write seconds as an ordinary number.")
        )
    return number
