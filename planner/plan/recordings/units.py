"""Units of recorded values, recognised by the names of column and file where they show.

Where they do not show and the figures leave a doubt that would matter, the user is asked.
"""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.problems import shown
from planner.plan.model.use import TraceKind
from planner.plan.recordings.text import Names
from planner.units import US_PER_H, US_PER_MIN, US_PER_S, format_duration


class ValueUnit(StrEnum):
    """What a recorded value counts."""

    PER_SECOND = "requests/s"
    PER_MINUTE = "requests/min"
    PER_HOUR = "requests/h"
    REQUESTS = "requests"
    """Requests that were counted from one line to the next."""
    ROWS = "rows"
    """Each line is one request, whatever its value."""
    CORES = "cores"
    MILLICORES = "millicores"
    BYTES = "bytes"
    KIB = "KiB"
    MIB = "MiB"
    GIB = "GiB"
    PERCENT = "percent"
    """Of an amount that the user gives."""


UNITS_OF = {
    TraceKind.LOAD: (
        ValueUnit.PER_SECOND,
        ValueUnit.PER_MINUTE,
        ValueUnit.PER_HOUR,
        ValueUnit.REQUESTS,
        ValueUnit.ROWS,
    ),
    TraceKind.CPU: (ValueUnit.CORES, ValueUnit.MILLICORES, ValueUnit.PERCENT),
    TraceKind.MEMORY: (ValueUnit.BYTES, ValueUnit.KIB, ValueUnit.MIB, ValueUnit.GIB, ValueUnit.PERCENT),
}
FACTORS = {
    ValueUnit.PER_SECOND: 1.0,
    ValueUnit.PER_MINUTE: 1 / 60,
    ValueUnit.PER_HOUR: 1 / 3600,
    ValueUnit.CORES: 1.0,
    ValueUnit.MILLICORES: 0.001,
    ValueUnit.BYTES: 1.0,
    ValueUnit.KIB: 1024.0,
    ValueUnit.MIB: 1024.0**2,
    ValueUnit.GIB: 1024.0**3,
}
_LONG_STEP_US = US_PER_MIN
"""Monitoring that steps this far often gives counts instead of rates."""
_MOST_CORES = 8.0
"""More cores than this are unusual for one pod."""
_LEAST_BYTES = 1e6
_MANY = 10
"""So many values that only grow are hardly a rate."""
_SHARE = re.compile(r"%|percent|pct|utili[sz]ation")
_PATTERNS: dict[TraceKind, tuple[tuple[ValueUnit, re.Pattern[str]], ...]] = {
    TraceKind.LOAD: (
        (ValueUnit.ROWS, re.compile(r"tokens?")),
        (
            ValueUnit.PER_SECOND,
            re.compile(r"rps|qps|/ ?s(?![a-z])|per[ _]?s(?:ec)?|(?:^|[^a-z])(?:rate|tps)(?:[^a-z]|$)"),
        ),
        (ValueUnit.PER_MINUTE, re.compile(r"rpm|/ ?m(?:in)?(?![a-z])|per[ _]?min")),
        (ValueUnit.PER_HOUR, re.compile(r"rph|/ ?h(?![a-z])|per[ _]?hour")),
        (ValueUnit.REQUESTS, re.compile(r"count|requests|hits|calls|invocations|\( ?\d+ ?[a-z]+ ?\)")),
    ),
    TraceKind.CPU: (
        (ValueUnit.PERCENT, _SHARE),
        (ValueUnit.MILLICORES, re.compile(r"milli|mcpu|mcores?")),
        (ValueUnit.CORES, re.compile(r"cores?|vcpus?")),
    ),
    TraceKind.MEMORY: (
        (ValueUnit.PERCENT, _SHARE),
        (ValueUnit.GIB, re.compile(r"(?<![a-z])gi?b(?:ytes?)?(?![a-z])|gibi|giga")),
        (ValueUnit.MIB, re.compile(r"(?<![a-z])mi?b(?:ytes?)?(?![a-z])|mebi|mega")),
        (ValueUnit.KIB, re.compile(r"(?<![a-z])ki?b(?:ytes?)?(?![a-z])|kibi|kilo")),
        (ValueUnit.BYTES, re.compile(r"bytes?")),
    ),
}
_NO_LOAD = re.compile(r"cpu|memory|latency|duration|elapsed|response[ _]?time|bytes|size")
_MILLISECONDS = re.compile(r"(?<![a-z])ms(?![a-z])")
"""Of a column, a duration; of a file, more often short for something else."""
_NEW_WORD = re.compile(r"(?<=[a-z])(?<![KMG]i)(?=[A-Z])")
_SPAN = re.compile(r"(?:\(|per[ _]?|/ ?)(\d+) ?(s|sec|m|min|minutes?|h|hours?)(?![a-z])")
_SPAN_US = {"s": US_PER_S, "m": US_PER_MIN, "h": US_PER_H}


class Meaning(NamedTuple):
    """A unit, and how it was recognised; `span_us`: what a count covers if the name says so, else 0."""

    unit: ValueUnit
    why: str
    span_us: int = 0


def named_meaning(kind: TraceKind, names: Names, place: str) -> Meaning | None:
    """What the values are by the name of their column, else of the file. Raises PlanProblem if it is something else."""
    if kind is TraceKind.LOAD and _MILLISECONDS.search(names.value.lower()):
        raise _no_load(names.value, place)
    for name, what in ((names.value, tr("the name")), (names.file, tr("the file's name"))):
        found = _by_name(kind, _NEW_WORD.sub("_", name).lower(), place)
        if found is not None:
            return found._replace(why=tr("by {what} {name}", what=what, name=shown(name)))
    return None


def likely_meaning(kind: TraceKind, values: Sequence[float], step_us: int, place: str) -> Meaning:
    """What values without a telling name are. `step_us`: the usual step. Raises PlanProblem where a doubt matters."""
    if kind is TraceKind.LOAD:
        return _unnamed_load(values, step_us, place)
    if kind is TraceKind.CPU:
        if max(values) > _MOST_CORES:
            raise _question(kind, place, tr("A pod that uses {values:g} cores is unusual.", values=max(values)))
        return Meaning(ValueUnit.CORES, "assumed")
    if 0 < max(values) < _LEAST_BYTES:
        raise _question(kind, place, tr("A pod that uses at most {values:g} bytes is unusual.", values=max(values)))
    return Meaning(ValueUnit.BYTES, "assumed")


def _by_name(kind: TraceKind, name: str, place: str) -> Meaning | None:
    if kind is TraceKind.LOAD and (_NO_LOAD.search(name) or _SHARE.search(name)):
        raise _no_load(name, place)
    span = _SPAN.search(name) if kind is TraceKind.LOAD else None
    if span:
        return Meaning(ValueUnit.REQUESTS, "", int(span[1]) * _SPAN_US[span[2][0]])
    unit = next((unit for unit, pattern in _PATTERNS[kind] if pattern.search(name)), None)
    return None if unit is None else Meaning(unit, "")


def _no_load(name: str, place: str) -> PlanProblem:
    problem = tr("{name} does not look like a number of requests.", name=shown(name))
    remedy = tr(
        "Name the column of requests with --value, say --unit rows if each line is one request, "
        "or give what a pod used with --as cpu or --as memory."
    )
    return PlanProblem(place, problem, remedy)


def _unnamed_load(values: Sequence[float], step_us: int, place: str) -> Meaning:
    is_whole = all(value == int(value) for value in values)
    if len(values) >= _MANY and is_whole and values[-1] > values[0] and list(values) == sorted(values):
        problem = tr("The values only grow, as those of a counter do.")
        raise PlanProblem(place, problem, tr("Give its rate, for example rate(...[5m]), or say --unit requests/s."))
    if step_us >= _LONG_STEP_US and is_whole and max(values) > 0:
        problem = tr("Whole numbers every {step_us} may be counts or rates.", step_us=format_duration(step_us))
        remedy = tr(
            "Say --unit requests if each counts the requests of {step_us}, or --unit requests/s; "
            "--unit lists the others.",
            step_us=format_duration(step_us),
        )
        raise PlanProblem(place, problem, remedy)
    return Meaning(ValueUnit.PER_SECOND, "assumed")


def _question(kind: TraceKind, place: str, problem: str) -> PlanProblem:
    units = ", ".join(UNITS_OF[kind])
    return PlanProblem(place, problem, tr("Say what the values are with --unit: {units}.", units=units))
