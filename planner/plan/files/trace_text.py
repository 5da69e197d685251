"""Recorded load from text: CSV with a time and a value column, or the JSON of a Prometheus range query.

Times are seconds (also since 1970) or ISO 8601; the first one becomes the start of the trace. Every error is reported
with its line and a remedy.
"""

import csv
import io
import json
import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

from planner.errors import PlanProblem
from planner.plan.files.problems import shown
from planner.plan.model.traffic import MAX_POINTS, MAX_VALUE, LoadPoint
from planner.plan.values.fields import MAX_DURATION_US
from planner.units import US_PER_S, format_duration

_GAP = 5.0
_MAX_GAPS_TOLD = 5
_ONE_SERIES = "Make the query return one series, for example with sum(...)."
_RANGE_QUERY = "Save the answer of /api/v1/query_range."

Reading = tuple[str, float, float]
"""Place, time in seconds, value."""


def read_trace(text: str, where: str, time_column: str = "", value_column: str = "") -> tuple[LoadPoint, ...]:
    """The points of a trace. Columns are names in the head line; empty: the first two. Raises PlanProblem."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise PlanProblem(where, "The trace is empty.", "Give lines of time and value.")
    is_json = text.lstrip()[0] in "{["
    readings = list(_prometheus(text, where) if is_json else _csv(text, where, time_column, value_column))
    if not readings:
        raise PlanProblem(where, "The trace has no values.", "Give lines of time and value.")
    if len(readings) > MAX_POINTS:
        problem = f"The trace has {len(readings)} values."
        raise PlanProblem(where, problem, f"Use a longer step; at most {MAX_POINTS} are possible.")
    start_s = readings[0][1]
    points: list[LoadPoint] = []
    before = -1
    for place, time_s, value in readings:
        if abs(time_s - start_s) > MAX_DURATION_US / US_PER_S:
            problem = f"The time {time_s:.12g} is more than {format_duration(MAX_DURATION_US)} from the first one."
            raise PlanProblem(place, problem, "Correct it; times are seconds or dates, not milliseconds.")
        at_us = round((time_s - start_s) * US_PER_S)
        if at_us <= before:
            what = "comes twice" if at_us == before else "is earlier than the one before"
            raise PlanProblem(place, f"The time {time_s:.12g} {what}.", "Put the values in order of time, each once.")
        points.append(LoadPoint(at=at_us, rate=value))
        before = at_us
    return tuple(points)


def gaps(points: Sequence[LoadPoint]) -> list[tuple[int, int]]:
    """Ends (microseconds) of the first stretches that are much longer than the usual step of a trace."""
    steps = sorted(after.at - before.at for before, after in zip(points, points[1:], strict=False))
    if not steps:
        return []
    usual = steps[len(steps) // 2]
    found = [
        (before.at, after.at)
        for before, after in zip(points, points[1:], strict=False)
        if after.at - before.at > _GAP * usual
    ]
    return found[:_MAX_GAPS_TOLD]


def _csv(text: str, where: str, time_column: str, value_column: str) -> Iterator[Reading]:
    rows = csv.reader(io.StringIO(text, newline=""))
    columns: tuple[int, int] | None = None
    try:
        for cells in rows:
            place = f"{where}, line {rows.line_num}"
            if not any(cell.strip() for cell in cells):
                continue
            if columns is None:
                head = [cell.strip() for cell in cells]
                columns = _columns(head, place, time_column, value_column)
                if not _is_time(head[columns[0]]):
                    continue
            if len(cells) <= max(columns):
                problem = f"The line has {len(cells)} columns, {max(columns) + 1} are needed."
                raise PlanProblem(place, problem, "Complete the line or remove it.")
            yield place, _time(cells[columns[0]], place), _value(cells[columns[1]], place)
    except csv.Error as error:
        place = f"{where}, line {rows.line_num}"
        raise PlanProblem(place, f"This is not CSV: {error}.", "Correct the line.") from error


def _columns(head: list[str], place: str, time_column: str, value_column: str) -> tuple[int, int]:
    found = []
    for name, otherwise in ((time_column, 0), (value_column, 1)):
        if name and name not in head:
            raise PlanProblem(place, f"There is no column {shown(name)}.", f"Choose one of {', '.join(head)}.")
        found.append(head.index(name) if name else otherwise)
    if len(head) <= max(found):
        remedy = "Give a column of times and one of values, separated by commas."
        raise PlanProblem(place, "There is only one column.", remedy)
    return found[0], found[1]


def _is_time(text: str) -> bool:
    try:
        _time(text, "")
    except PlanProblem:
        return False
    return True


def _time(text: str, place: str) -> float:
    text = text.strip()
    try:
        seconds = float(text)
    except ValueError:
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            remedy = "Write seconds, or a date like 2026-03-01T12:00:00Z."
            raise PlanProblem(place, f"{shown(text)} is not a time.", remedy) from None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    if not math.isfinite(seconds):
        raise PlanProblem(place, f"{shown(text)} is not a time.", "Write seconds as an ordinary number.")
    return seconds


def _value(text: object, place: str) -> float:
    try:
        value = float(str(text))
    except ValueError:
        remedy = "Write a number, or remove the line."
        raise PlanProblem(place, f"{shown(text)} is not a number.", remedy) from None
    if math.isnan(value):
        raise PlanProblem(place, "The value is NaN.", "Remove the line, or fill in the value.")
    if not 0.0 <= value <= MAX_VALUE:
        raise PlanProblem(place, f"{value:g} is not a load.", f"Values are from 0 to {MAX_VALUE:g}.")
    return value


def _prometheus(text: str, where: str) -> Iterator[Reading]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanProblem(where, f"This is not JSON ({error}).", _RANGE_QUERY) from error
    for number, pair in enumerate(_pairs(answer, where)):
        place = f"{where}, data.result[0].values[{number}]"
        if not (isinstance(pair, list) and len(pair) == 2):
            raise PlanProblem(place, f"{shown(pair)} is not a pair of time and value.", _RANGE_QUERY)
        yield place, _time(str(pair[0]), place), _value(pair[1], place)


def _pairs(answer: Any, where: str) -> list[Any]:
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), dict):
        error = answer.get("error") if isinstance(answer, dict) else None
        problem = f"The query failed: {error}." if error else "This is not the answer of a Prometheus query."
        raise PlanProblem(where, problem, _RANGE_QUERY)
    kind, result = answer["data"].get("resultType"), answer["data"].get("result")
    if kind != "matrix" or not isinstance(result, list):
        raise PlanProblem(f"{where}, data.resultType", f"{shown(kind)} is not a range.", _RANGE_QUERY)
    if not result:
        raise PlanProblem(f"{where}, data.result", "The query found nothing.", "Correct the query or its times.")
    if len(result) > 1:
        raise PlanProblem(f"{where}, data.result", f"The query found {len(result)} series.", _ONE_SERIES)
    values = result[0].get("values") if isinstance(result[0], dict) else None
    if not isinstance(values, list):
        raise PlanProblem(f"{where}, data.result[0]", "The series has no values.", _RANGE_QUERY)
    return values


def column_names(text: str) -> list[str]:
    """Names in the head line of a CSV trace; none for JSON, or where the first line is one of values already."""
    text = text.removeprefix("\ufeff")
    if text.lstrip()[:1] in ("{", "["):
        return []
    try:
        head = next((cells for cells in csv.reader(io.StringIO(text, newline="")) if any(map(str.strip, cells))), [])
    except csv.Error:
        return []
    names = [cell.strip() for cell in head]
    return [] if names and _is_time(names[0]) else names
