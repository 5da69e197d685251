"""Lines of name, labels, value and time: OpenMetrics text and what `promtool tsdb dump` prints."""

import re
from array import array
from collections.abc import Iterator
from typing import TextIO

import numpy as np

from planner.errors import MeasuredProblem
from planner.language.translation import marked, tr
from planner.measured.raw_series import RawSeries
from planner.plan.files.problems import shown

_LINE = re.compile(r"([a-zA-Z_:][\w:]*)?(?:\{(.*)\})?\s+(\S+)(?:\s+(\S+))?(?:\s+#.*)?$")
_LABEL = re.compile(r'\s*([a-zA-Z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?')
_MILLISECONDS = 1e11
"""Times since 1970 beyond this are milliseconds, as promtool prints them; OpenMetrics has seconds."""
_REMEDY = marked('Write lines such as cpu{workload="shop"} 0.25 1700000000.')
_ESCAPES = {r"\n": "\n", r"\"": '"', r"\\": "\\"}


def read_exposition(stream: TextIO, where: str) -> Iterator[RawSeries]:
    """Series of a text, in the order in which they begin. Raises MeasuredProblem with the line."""
    columns: dict[str, tuple[int, array[float], array[float]]] = {}
    for number, line in enumerate(stream, start=1):
        line = line.rstrip()
        if not line or line[0] == "#":
            continue
        found = _LINE.match(line)
        if found is None:
            raise MeasuredProblem(
                tr("{where}, line {number}", where=where, number=number),
                tr("{line} is no sample.", line=shown(line)),
                tr(_REMEDY),
            )
        if found[4] is None:
            problem = tr("The sample has no time, as in what a program shows of this moment.")
            raise MeasuredProblem(
                tr("{where}, line {number}", where=where, number=number),
                problem,
                tr("Save a range of time from Prometheus."),
            )
        try:
            value, time_s = float(found[3]), float(found[4])
        except ValueError as error:
            raise MeasuredProblem(
                tr("{where}, line {number}", where=where, number=number), f"{error}.", tr(_REMEDY)
            ) from error
        key = line[: found.start(3)].strip()
        if key not in columns:
            columns[key] = (number, array("d"), array("d"))
        columns[key][1].append(time_s)
        columns[key][2].append(value)
    for key, (number, times, values) in columns.items():
        place = tr("{where}, line {number}", where=where, number=number)
        times_s = np.array(times)
        if abs(times_s[0]) >= _MILLISECONDS:
            times_s /= 1000.0
        yield RawSeries(_labels(key, place), times_s, np.array(values), place)


def _labels(key: str, place: str) -> dict[str, str]:
    name, _, rest = key.partition("{")
    found = labels_of(rest.rpartition("}")[0])
    if found is None:
        raise MeasuredProblem(place, tr("{key} has labels that cannot be read.", key=shown(key)), tr(_REMEDY))
    return ({"__name__": name} if name else {}) | found


def labels_of(text: str) -> dict[str, str] | None:
    """Labels of what is between the braces of a series; None if it is something else."""
    labels: dict[str, str] = {}
    at = 0
    while text[at:].strip():
        found = _LABEL.match(text, at)
        if found is None:
            return None
        labels[found[1]] = re.sub(r"\\.", lambda escape: _ESCAPES.get(escape[0], escape[0]), found[2])
        at = found.end()
    return labels
