"""The cells of a recording: CSV with a time and a value column, or the JSON of a Prometheus range query.

Nothing is interpreted here. Every error is reported with its line and a remedy.
"""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, NamedTuple

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.files.problems import shown
from planner.plan.recordings.times import is_time

_ONE_SERIES = marked("Make the query return one series, for example with sum(...).")
_RANGE_QUERY = marked("Save the answer of /api/v1/query_range.")


class RecordedLine(NamedTuple):
    """One line of a recording."""

    place: str
    time: str
    value: str


class Names(NamedTuple):
    """What a recording says about its columns; empty where it has no head line."""

    time: str
    value: str
    file: str

    @classmethod
    def of(cls, where: str, time: str = "", value: str = "") -> "Names":
        """Of a file."""
        return cls(time, value, PurePath(where).stem)


def read_cells(
    text: str, where: str, time_column: str = "", value_column: str = "", needs_value: bool = True
) -> tuple[Names, list[RecordedLine]]:
    """Lines of a recording. Columns are names in the head line; empty: the first two. Raises PlanProblem."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise PlanProblem(where, tr("The trace is empty."), tr("Give lines of time and value."))
    if text.lstrip()[0] in "{[":
        names, cells = Names.of(where), list(_prometheus(text, where))
    else:
        names, cells = _csv(text, where, (time_column, value_column), needs_value)
    if not cells:
        raise PlanProblem(where, tr("The trace has no values."), tr("Give lines of time and value."))
    return names, cells


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
    return [] if names and is_time(names[0]) else names


def _csv(text: str, where: str, wanted: tuple[str, str], needs_value: bool) -> tuple[Names, list[RecordedLine]]:
    rows = csv.reader(io.StringIO(text, newline=""))
    names, columns, found = Names.of(where), (-1, -1), []
    try:
        for cells in rows:
            place = tr("{where}, line {line_num}", where=where, line_num=rows.line_num)
            if not any(cell.strip() for cell in cells):
                continue
            if columns[0] < 0:
                head = [cell.strip() for cell in cells]
                columns = _columns(head, place, wanted, needs_value)
                if not is_time(head[columns[0]]):
                    names = Names.of(where, *(head[column] if column >= 0 else "" for column in columns))
                    continue
            if len(cells) <= max(columns):
                problem = tr(
                    "The line has {count} columns, {columns} are needed.", count=len(cells), columns=max(columns) + 1
                )
                raise PlanProblem(place, problem, tr("Complete the line or remove it."))
            found.append(RecordedLine(place, cells[columns[0]], cells[columns[1]] if columns[1] >= 0 else ""))
    except csv.Error as error:
        place = tr("{where}, line {line_num}", where=where, line_num=rows.line_num)
        raise PlanProblem(place, tr("This is not CSV: {error}.", error=error), tr("Correct the line.")) from error
    return names, found


def _columns(head: list[str], place: str, wanted: tuple[str, str], needs_value: bool) -> tuple[int, int]:
    """Numbers of the columns of times and values; -1 for values that are not needed and not there."""
    found = []
    for name, otherwise in zip(wanted, (0, 1), strict=True):
        if name and name not in head:
            raise PlanProblem(
                place,
                tr("There is no column {name}.", name=shown(name)),
                tr("Choose one of {head}.", head=", ".join(head)),
            )
        found.append(head.index(name) if name else otherwise)
    if len(head) <= found[1] and not needs_value:
        found[1] = -1
    if len(head) <= max(found):
        remedy = tr("Give a column of times and one of values, separated by commas.")
        raise PlanProblem(place, tr("There is only one column."), remedy)
    return found[0], found[1]


def _prometheus(text: str, where: str) -> Iterator[RecordedLine]:
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PlanProblem(where, tr("This is not JSON ({error}).", error=error), tr(_RANGE_QUERY)) from error
    for number, pair in enumerate(_pairs(answer, where)):
        place = tr("{where}, data.result[0].values[{number}]", where=where, number=number)
        if not (isinstance(pair, list) and len(pair) == 2):
            raise PlanProblem(place, tr("{pair} is not a pair of time and value.", pair=shown(pair)), tr(_RANGE_QUERY))
        yield RecordedLine(place, str(pair[0]), str(pair[1]))


def _pairs(answer: Any, where: str) -> list[Any]:
    if not isinstance(answer, dict) or not isinstance(answer.get("data"), dict):
        error = answer.get("error") if isinstance(answer, dict) else None
        problem = (
            tr("The query failed: {error}.", error=error)
            if error
            else tr("This is not the answer of a Prometheus query.")
        )
        raise PlanProblem(where, problem, tr(_RANGE_QUERY))
    kind, result = answer["data"].get("resultType"), answer["data"].get("result")
    if kind != "matrix" or not isinstance(result, list):
        raise PlanProblem(
            tr("{where}, data.resultType", where=where),
            tr("{kind} is not a range.", kind=shown(kind)),
            tr(_RANGE_QUERY),
        )
    if not result:
        raise PlanProblem(
            tr("{where}, data.result", where=where),
            tr("The query found nothing."),
            tr("Correct the query or its times."),
        )
    if len(result) > 1:
        raise PlanProblem(
            tr("{where}, data.result", where=where),
            tr("The query found {count} series.", count=len(result)),
            tr(_ONE_SERIES),
        )
    values = result[0].get("values") if isinstance(result[0], dict) else None
    if not isinstance(values, list):
        raise PlanProblem(tr("{where}, data.result[0]", where=where), tr("The series has no values."), tr(_RANGE_QUERY))
    return values
