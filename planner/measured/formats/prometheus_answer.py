"""The answer of a Prometheus range query, read series by series, so that its size does not matter."""

import json
import re
from collections.abc import Iterator
from typing import Any, TextIO

import numpy as np

from planner.errors import MeasuredProblem
from planner.language.translation import marked, tr
from planner.measured.raw_series import RawSeries
from planner.plan.files.problems import shown

_CHUNK = 1 << 20
_METRIC = re.compile(r'"metric"\s*:\s*(?=\{)')
_VALUES = re.compile(r'\s*,\s*"values"\s*:\s*\[')
_END = re.compile(r"\]\s*\]")
_EMPTY = re.compile(r"\s*\]")
_CLOSING = re.compile(r"\s*\}\s*\]")
_PLAIN = str.maketrans('[],"', "    ")
_RANGE_QUERY = marked("Save the answer of /api/v1/query_range.")
_NOTHING = marked("The query found nothing.")
_HEAD = 400
_LONGEST_LABELS = 1 << 20


def read_answer(stream: TextIO, where: str, *, may_be_empty: bool = False) -> Iterator[RawSeries]:
    """Series of an answer. Raises MeasuredProblem if it is none, an error, ends too early, or is empty."""
    window = _Window(stream)
    number = 0
    while window.goes_to(_METRIC):
        place = tr("{where}, data.result[{number}]", where=where, number=number)
        labels = _labels(window, place)
        text = window.values(place)
        yield RawSeries(labels, *_samples(text, place), place)
        number += 1
    if number == 0:
        problem = _no_series(window.rest(), where)
        if may_be_empty and problem.problem == _NOTHING:
            return
        raise problem
    window.more()
    if not _CLOSING.match(window.text):
        raise _cut(tr("{where}, after data.result[{number}]", where=where, number=number - 1))


class _Window:
    """The part of a long text that is being looked at."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.text = stream.read(_CHUNK)
        self.at = 0

    def more(self) -> bool:
        """Take in the next part and drop what is done with; whether there was a next part."""
        part = self._stream.read(_CHUNK)
        self.text = self.text[self.at :] + part
        self.at = 0
        return bool(part)

    def goes_to(self, pattern: re.Pattern[str]) -> bool:
        """Go behind the next match, if there is one."""
        while True:
            found = pattern.search(self.text, self.at)
            if found:
                self.at = found.end()
                return True
            if not self.more():
                return False

    def values(self, place: str) -> str:
        """The pairs that follow, without the brackets around all of them; the text goes on behind them."""
        while len(self.text) - self.at < _HEAD and self.more():
            pass
        head = _VALUES.match(self.text, self.at)
        if head is None:
            problem = tr("There are no values beside the labels.")
            raise MeasuredProblem(
                place, problem, tr("{range_query} An instant query has one moment only.", range_query=tr(_RANGE_QUERY))
            )
        self.at = head.end()
        while True:
            end = self.text.find("]]", self.at) + 2  # as Prometheus writes it
            if end < 2 or _EMPTY.match(self.text, self.at) or self.text.find("{", self.at, end) >= 0:
                found = _EMPTY.match(self.text, self.at) or _END.search(self.text, self.at)
                end = found.end() if found else -1
            if end >= 0:
                text = self.text[self.at : end - 1]
                self.at = end
                return text
            if not self.more():
                raise _cut(place)

    def rest(self) -> str:
        """What is still unread of the part."""
        return self.text[self.at :]


def _labels(window: _Window, place: str) -> dict[str, str]:
    while True:
        try:
            labels, end = json.JSONDecoder().raw_decode(window.text, window.at)
        except ValueError as error:
            if len(window.text) - window.at < _LONGEST_LABELS and window.more():
                continue
            raise _cut(place) from error
        break
    window.at = end
    return {str(name): str(value) for name, value in labels.items()}


def _samples(text: str, place: str) -> tuple[Any, Any]:
    expected = 2 * text.count("[")
    try:
        numbers = np.fromstring(text.translate(_PLAIN), dtype=np.float64, sep=" ")
    except (ValueError, DeprecationWarning) as error:
        raise MeasuredProblem(place, tr("A sample is no number."), tr(_RANGE_QUERY)) from error
    if len(numbers) != expected:
        raise MeasuredProblem(place, tr("The values are not pairs of time and value."), tr(_RANGE_QUERY))
    return numbers[0::2], numbers[1::2]


def _no_series(text: str, where: str) -> MeasuredProblem:
    if text.lstrip()[:1] == "<":
        problem = tr("This is a web page, not an answer of Prometheus.")
        return MeasuredProblem(where, problem, tr("Check the address, and whether a login is needed."))
    try:
        answer = json.loads(text)
    except ValueError:
        return _cut(where)
    if isinstance(answer, dict) and answer.get("error"):
        return MeasuredProblem(
            where, tr("The query failed: {answer}.", answer=shown(answer["error"])), tr("Correct the query.")
        )
    data = answer.get("data") if isinstance(answer, dict) else None
    if isinstance(data, dict) and data.get("result") == []:
        remedy = tr("Check the metric's name, its labels and the time range.")
        return MeasuredProblem(where, tr(_NOTHING), remedy)
    return MeasuredProblem(where, tr("This is not the answer of a Prometheus range query."), tr(_RANGE_QUERY))


def _cut(place: str) -> MeasuredProblem:
    return MeasuredProblem(place, tr("The answer ends in the middle."), tr("Save it again; the download was cut off."))
