"""Tables that Grafana exports as CSV: a column per series, or a row per sample with the labels in columns."""

import csv
import math
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, tzinfo
from typing import TextIO

import numpy as np

from planner.errors import MeasuredProblem
from planner.language.translation import marked, tr
from planner.measured.formats.exposition import labels_of
from planner.measured.raw_series import RawSeries
from planner.plan.files.problems import shown

_TIME_NAMES = ("time", "timestamp", "date", "datetime", "_time")
_VALUE_NAMES = ("value", "_value")
_SERIES_NAMES = ("metric", "series", "field", "__name__")
_NO_VALUE = ("", "null", "undefined", "nan", "none", "-")
_NUMBER = re.compile(r"([-+]?[\d.,]*\d(?:[eE][-+]?\d+)?)\s*(\S.*)?$")
_NAMED = re.compile(r"([a-zA-Z_:][\w:]*)?\{(.*)\}$")
_FACTORS = {
    "": 1.0, "%": 0.01, "K": 1e3, "Mil": 1e6, "Bil": 1e9, "req/s": 1.0, "reqps": 1.0, "rps": 1.0, "ops/s": 1.0,
    "cores": 1.0, "m": 1e-3, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "min": 60.0, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9,
    "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30, "TiB": 2.0**40,
}  # fmt: skip
"""Units that Grafana writes behind formatted values."""
_FORMATS = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%m/%d/%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S")
_UNITS_SINCE_1970 = ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3))
_REMEDY = marked("Export the panel again with Inspect > Data > Download CSV, without formatted data.")


def read_table(stream: TextIO, where: str, zone: tzinfo = UTC) -> Iterator[RawSeries]:
    """Series of a table; times without an offset are in `zone`. Raises MeasuredProblem with the line."""
    rows = _rows(stream, where)
    head = next(rows, (0, []))[1]
    names = [cell.strip().lstrip("\ufeff") for cell in head]
    lower = [name.lower() for name in names]
    times = [at for at, name in enumerate(lower) if name in _TIME_NAMES]
    if not times:
        problem = tr("There is no column of times among {names}.", names=shown(", ".join(names)))
        raise MeasuredProblem(tr("{where}, line 1", where=where), problem, tr("Name it Time."))
    values = [at for at, name in enumerate(lower) if name in _VALUE_NAMES]
    clock = _Clock(zone)
    if values and len(names) > 2:
        yield from _long(rows, names, (times[0], values[0]), clock, where)
    else:
        yield from _wide(rows, names, times[0], clock, where)


def _rows(stream: TextIO, where: str) -> Iterator[tuple[int, list[str]]]:
    """Numbered lines that hold something; the separator is the one of the head line, or what `sep=` says."""
    first = stream.readline()
    number = 1
    if first.lower().startswith("sep="):
        separator, first, number = first.strip()[4:5] or ";", stream.readline(), 2
    else:
        separator = max(",;\t", key=first.count)
    try:
        for cells in csv.reader([first], delimiter=separator):
            yield number, cells
        for offset, cells in enumerate(csv.reader(stream, delimiter=separator), start=1):
            if any(cell.strip() for cell in cells):
                yield number + offset, cells
    except csv.Error as error:
        raise MeasuredProblem(where, tr("This is not CSV: {error}.", error=error), tr(_REMEDY)) from error


def _wide(
    rows: Iterator[tuple[int, list[str]]], names: Sequence[str], time_at: int, clock: "_Clock", where: str
) -> Iterator[RawSeries]:
    columns = [at for at in range(len(names)) if at != time_at]
    if not columns:
        raise MeasuredProblem(tr("{where}, line 1", where=where), tr("There is no column of values."), tr(_REMEDY))
    times: list[float] = []
    values: dict[int, list[float]] = {at: [] for at in columns}
    for number, cells in rows:
        place = tr("{where}, line {number}", where=where, number=number)
        if len(cells) != len(names):
            raise MeasuredProblem(
                place,
                tr("There are {count} cells for {count_2} columns.", count=len(cells), count_2=len(names)),
                tr(_REMEDY),
            )
        times.append(clock.seconds(cells[time_at], place))
        for at in columns:
            values[at].append(_number(cells[at], place))
    for at in columns:
        known = ~np.isnan(values[at])
        yield RawSeries(
            _column_labels(names[at]), np.array(times)[known], np.array(values[at])[known], f"{where}, {names[at]}"
        )


def _long(
    rows: Iterator[tuple[int, list[str]]],
    names: Sequence[str],
    at: tuple[int, int],
    clock: "_Clock",
    where: str,
) -> Iterator[RawSeries]:
    found: dict[tuple[str, ...], tuple[list[float], list[float]]] = {}
    others = [column for column in range(len(names)) if column not in at]
    for number, cells in rows:
        place = tr("{where}, line {number}", where=where, number=number)
        if len(cells) != len(names):
            raise MeasuredProblem(
                place,
                tr("There are {count} cells for {count_2} columns.", count=len(cells), count_2=len(names)),
                tr(_REMEDY),
            )
        value = _number(cells[at[1]], place)
        samples = found.setdefault(tuple(cells[column] for column in others), ([], []))
        if not math.isnan(value):
            samples[0].append(clock.seconds(cells[at[0]], place, samples[0]))
            samples[1].append(value)
    for texts, (times, values) in found.items():
        labels: dict[str, str] = {}
        for column, text in zip(others, texts, strict=True):
            is_series = names[column].lower() in _SERIES_NAMES
            labels |= _column_labels(text) if is_series else {names[column]: text}
        yield RawSeries(labels, np.array(times), np.array(values), f"{where}, {' '.join(texts)}")


def _column_labels(title: str) -> dict[str, str]:
    """Labels that the title of a series shows; a title without any is the name of what it is about."""
    found = _NAMED.match(title.strip())
    labels = labels_of(found[2]) if found else None
    if found is None or labels is None:
        return {"workload": title.strip()}
    return ({"__name__": found[1]} if found[1] else {}) | labels


def _number(cell: str, place: str) -> float:
    text = cell.strip()
    if text.lower() in _NO_VALUE:
        return math.nan
    found = _NUMBER.match(text)
    factor = _FACTORS.get((found[2] or "").strip()) if found else None
    if found is None or factor is None:
        raise MeasuredProblem(place, tr("{text} is not a number with a known unit.", text=shown(text)), tr(_REMEDY))
    digits = found[1].replace(",", "") if "." in found[1] else found[1].replace(",", ".")
    try:
        return float(digits) * factor
    except ValueError as error:
        raise MeasuredProblem(place, tr("{text} is not a number.", text=shown(text)), tr(_REMEDY)) from error


class _Clock:
    """Reads times of a table. Where clocks are set back an hour comes twice: the second one is that which goes on."""

    def __init__(self, zone: tzinfo) -> None:
        self._zone = zone
        self._before = -math.inf

    def seconds(self, text: str, place: str, earlier: Sequence[float] | None = None) -> float:
        """Seconds since 1970. `earlier`: times of the same series, if rows of several ones are mixed."""
        before = self._before if earlier is None else (earlier[-1] if earlier else -math.inf)
        found = self._read(text.strip().strip('"'), place, before)
        self._before = found
        return found

    def _read(self, text: str, place: str, before: float) -> float:
        try:
            number = float(text)
        except ValueError:
            moment = _moment(text, place)
            if moment.tzinfo is not None:
                return moment.timestamp()
            first = moment.replace(tzinfo=self._zone)
            found = first.timestamp()
            return first.replace(fold=1).timestamp() if found <= before else found
        factor = next((factor for least, factor in _UNITS_SINCE_1970 if abs(number) >= least), 1.0)
        return number / factor


def _moment(text: str, place: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        for pattern in _FORMATS:
            try:
                return datetime.strptime(text, pattern)
            except ValueError:
                continue
    raise MeasuredProblem(
        place, tr("{text} is not a time.", text=shown(text)), tr("Write dates like 2026-03-01T12:00:00Z.")
    )
