"""A recording as a profile: its text, read with the units that show or that the user says.

Counts become rates that are held until the next line, so that all requests of the recording are in the load.
"""

import math
from collections.abc import Sequence
from datetime import UTC, tzinfo
from pathlib import PurePath
from typing import NamedTuple

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.problems import shown
from planner.plan.model.traffic import MAX_POINTS, MAX_VALUE, LoadPoint, TraceLoad
from planner.plan.model.use import TraceKind
from planner.plan.recordings.text import RecordedLine, read_cells
from planner.plan.recordings.times import TimeUnit, read_times
from planner.plan.recordings.units import FACTORS, UNITS_OF, Meaning, ValueUnit, likely_meaning, named_meaning
from planner.plan.values.fields import MAX_DURATION_US
from planner.units import US_PER_H, US_PER_MIN, US_PER_S, format_duration, format_moment

_GAP = 5.0
_MAX_GAPS_TOLD = 5
_BUCKET_US = US_PER_MIN
_SHORT_US, _SHORT_BUCKET_US = US_PER_H // 2, 10 * US_PER_S


class ReadAs(NamedTuple):
    """What the user says about a recording; what is left out is recognised."""

    kind: TraceKind = TraceKind.LOAD
    time_column: str = ""
    value_column: str = ""
    time_unit: TimeUnit | None = None
    unit: ValueUnit | None = None
    step_us: int = 0
    """Time that each count covers; 0: the usual step of the recording."""
    whole: float = 0.0
    """Cores or bytes that 100 per cent are."""
    zone: tzinfo = UTC
    """Of dates without an offset."""


class Recording(NamedTuple):
    """A profile, and how the text was understood, as sentences."""

    trace: TraceLoad
    assumed: tuple[str, ...]
    begins_at_us: int | None = None
    """Moment of its first value, in microseconds since 1970; None if its times do not say."""


def read_recording(text: str, where: str, how: ReadAs | None = None) -> Recording:
    """The profile of a recording: requests/s, cores or bytes. Raises PlanProblem with line and remedy."""
    how = how or ReadAs()
    if how.unit is not None and how.unit not in UNITS_OF[how.kind]:
        problem = tr("{unit} is not a unit of {kind}.", unit=how.unit, kind=how.kind)
        raise PlanProblem(where, problem, tr("Choose one of {units_of}.", units_of=", ".join(UNITS_OF[how.kind])))
    names, cells = read_cells(text, where, how.time_column, how.value_column, how.unit is not ValueUnit.ROWS)
    times = read_times(
        [cell.place for cell in cells], [cell.time for cell in cells], names.time, how.time_unit, how.zone
    )
    at_us = _since_start(cells, times.seconds)
    meaning = Meaning(how.unit, tr("as you say")) if how.unit else named_meaning(how.kind, names, where)
    if meaning is not None and meaning.unit is ValueUnit.ROWS:
        points, said = _counted(at_us, how.step_us)
    else:
        values = [_value(cell.value, cell.place) for cell in cells]
        _check_increasing(cells, at_us)
        meaning = meaning or likely_meaning(how.kind, values, _usual_step(at_us), where)
        points, said = _scaled(at_us, values, meaning, how)
    if len(points) > MAX_POINTS:
        problem = tr("The trace has {count} values.", count=len(points))
        raise PlanProblem(
            where, problem, tr("Use a longer step; at most {max_points} are possible.", max_points=MAX_POINTS)
        )
    stairs = meaning.unit in (ValueUnit.REQUESTS, ValueUnit.ROWS)
    trace = TraceLoad(
        type="trace", source=PurePath(where).name[:500], points=points, interpolation="step" if stairs else "linear"
    )
    assumed = f"{times.assumed[0].upper()}{times.assumed[1:]}.", f"{said} ({meaning.why})."
    if not times.are_since_1970:
        return Recording(trace, assumed)
    begins_at_us = round(min(times.seconds)) * US_PER_S
    return Recording(trace, (*assumed, tr("It begins at {moment}.", moment=format_moment(begins_at_us))), begins_at_us)


def gaps(points: Sequence[LoadPoint]) -> list[tuple[int, int]]:
    """Ends (microseconds) of the first stretches that are much longer than the usual step of a trace."""
    usual = _usual_step([point.at for point in points])
    found = [
        (before.at, after.at)
        for before, after in zip(points, points[1:], strict=False)
        if after.at - before.at > _GAP * usual
    ]
    return found[:_MAX_GAPS_TOLD]


def fitted(trace: TraceLoad, duration_us: int) -> TraceLoad:
    """The trace with its times squeezed or stretched so that it lasts as long as the run; rates stay."""
    length_us = trace.length_us if len(trace.points) > 1 else 0
    if not length_us:
        return trace
    first = trace.points[0].at
    moved = {round((point.at - first) * duration_us / length_us): point.rate for point in trace.points}
    return trace.model_copy(update={"points": tuple(LoadPoint(at=at, rate=rate) for at, rate in moved.items())})


def _since_start(cells: Sequence[RecordedLine], seconds: Sequence[float]) -> list[int]:
    """Microseconds since the first time, which need not be the earliest."""
    found = []
    for cell, time_s in zip(cells, seconds, strict=True):
        if abs(time_s - seconds[0]) > MAX_DURATION_US / US_PER_S:
            problem = tr(
                "The time {time} is more than {max_duration_us} from the first one.",
                time=shown(cell.time),
                max_duration_us=format_duration(MAX_DURATION_US),
            )
            raise PlanProblem(cell.place, problem, tr("Correct it, or say its unit with --time-unit."))
        found.append(round((time_s - seconds[0]) * US_PER_S))
    return found


def _check_increasing(cells: Sequence[RecordedLine], at_us: Sequence[int]) -> None:
    before = -1
    for cell, at in zip(cells, at_us, strict=True):
        if at <= before:
            what = tr("comes twice") if at == before else tr("is earlier than the one before")
            problem = tr("The time {strip} {what}.", strip=cell.time.strip(), what=what)
            remedy = tr("Put the values in order of time, each once; if each line is one request, say --unit rows.")
            raise PlanProblem(cell.place, problem, remedy)
        before = at


def _value(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise PlanProblem(
            place, tr("{text} is not a number.", text=shown(text)), tr("Write a number, or remove the line.")
        ) from None
    if math.isnan(value):
        raise PlanProblem(place, tr("The value is NaN."), tr("Remove the line, or fill in the value."))
    if not 0.0 <= value <= MAX_VALUE:
        raise PlanProblem(
            place,
            tr("{value:g} is not a load.", value=value),
            tr("Values are from 0 to {max_value:g}.", max_value=MAX_VALUE),
        )
    return value


def _usual_step(at_us: Sequence[int]) -> int:
    steps = sorted(after - before for before, after in zip(at_us, at_us[1:], strict=False))
    return steps[len(steps) // 2] if steps else 0


def _scaled(
    at_us: Sequence[int], values: Sequence[float], meaning: Meaning, how: ReadAs
) -> tuple[tuple[LoadPoint, ...], str]:
    """Points in requests/s, cores or bytes, and what the values were."""
    unit, said = meaning.unit, tr("Values are {unit}", unit=meaning.unit)
    if unit is ValueUnit.REQUESTS:
        span_us = how.step_us or meaning.span_us or _usual_step(at_us)
        if not span_us:
            raise PlanProblem(
                "--step", tr("One value does not tell what time it covers."), tr("Say it, as in --step 5m.")
            )
        factor, said = (
            US_PER_S / span_us,
            tr("Values are requests counted over {span_us} each", span_us=format_duration(span_us)),
        )
    elif unit is ValueUnit.PERCENT:
        if not how.whole:
            what = tr("cores, as in --of 2") if how.kind is TraceKind.CPU else tr("memory, as in --of 4Gi")
            raise PlanProblem(
                "--of",
                tr("The values are per cent ({why}).", why=meaning.why),
                tr("Say of how much {what}.", what=what),
            )
        factor, said = (
            how.whole / 100,
            tr("Values are per cent of {whole:g} {units_of}", whole=how.whole, units_of=UNITS_OF[how.kind][0]),
        )
    else:
        factor = FACTORS[unit]
    return tuple(LoadPoint(at=at, rate=value * factor) for at, value in zip(at_us, values, strict=True)), said


def _counted(at_us: Sequence[int], step_us: int) -> tuple[tuple[LoadPoint, ...], str]:
    """Requests per second in steps, from the times of single requests."""
    first = min(at_us)
    length_us = max(at_us) - first
    bucket_us = step_us or (_BUCKET_US if length_us >= _SHORT_US else _SHORT_BUCKET_US)
    counts = [0] * min(length_us // bucket_us + 1, MAX_POINTS + 1)
    for at in at_us:
        counts[min((at - first) // bucket_us, MAX_POINTS)] += 1
    per_s = US_PER_S / bucket_us
    points = tuple(LoadPoint(at=number * bucket_us, rate=count * per_s) for number, count in enumerate(counts))
    return points, tr("Each line is one request, counted over {bucket_us}", bucket_us=format_duration(bucket_us))
