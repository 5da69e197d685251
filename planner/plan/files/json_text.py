"""Strict JSON for plan files: no duplicate keys, no NaN, bounded depth, and errors with their place."""

import json
import math
from typing import Any

from planner.errors import PlanFileError, PlanProblem, PlanProblems
from planner.language.translation import marked, tr

MAX_FILE_BYTES = 64 << 20
MAX_DEPTH = 64
MAX_PROBLEMS = 1_000
MAX_SHOWN = 200
_NESTED = f"The file is nested more than {MAX_DEPTH} deep."
_FLATTEN = marked("No plan needs that; choose another file or correct this one.")


def read_json(text: str, where: str) -> object:
    """The JSON value of a file. Raises PlanFileError if it is none, PlanProblems for doubled keys and
    for numbers that are not finite.
    """
    reader = _Reader()
    try:
        data = json.loads(
            text,
            object_pairs_hook=reader.object,
            parse_constant=reader.constant,
            parse_float=reader.number,
            parse_int=reader.whole_number,
        )
    except RecursionError:
        raise PlanFileError(where, _NESTED, tr(_FLATTEN)) from None
    except json.JSONDecodeError as error:
        raise _syntax_error(error, text, where) from None
    problems = list(_walk(data, reader, where))
    if problems:
        raise PlanProblems(problems)
    return data


class _Refused:
    """Placeholder for a number that no plan may hold, until its place is known."""

    def __init__(self, text: str) -> None:
        self.text = text[:40]


class _Reader:
    """Hooks of the JSON parser. They do not know places, so they leave marks."""

    def __init__(self) -> None:
        self.doubled: dict[int, list[str]] = {}

    def object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: dict[str, int] = {}
            for key, _ in pairs:
                seen[key] = seen.get(key, 0) + 1
            self.doubled[id(found)] = [key for key, times in seen.items() if times > 1]
        return found

    def constant(self, text: str) -> _Refused:
        return _Refused(text)

    def number(self, text: str) -> float | _Refused:
        value = float(text)
        return value if math.isfinite(value) else _Refused(text)

    def whole_number(self, text: str) -> int | _Refused:
        return int(text) if len(text) <= 40 else _Refused(text)


_Link = tuple[Any, str] | None
"""The way to a value, last step first; written out only where there is a problem, since keys may be long."""


def _walk(data: object, reader: _Reader, where: str) -> list[PlanProblem]:
    """Marks the hooks left and broken text, each with its place, in the order of the file; without recursion."""
    problems: list[PlanProblem] = []
    waiting: list[tuple[_Link, object, int]] = [(None, data, 1)]
    while waiting and len(problems) < MAX_PROBLEMS:
        link, value, depth = waiting.pop()
        if depth > MAX_DEPTH and isinstance(value, dict | list):
            raise PlanFileError(where, _NESTED, tr(_FLATTEN))
        if isinstance(value, _Refused):
            problem = tr("{text} is not a usable number.", text=value.text)
            problems.append(PlanProblem(_place(link), problem, tr("Write an ordinary number.")))
        elif isinstance(value, str) and not _is_text(value):
            problems.append(PlanProblem(_place(link), tr("The text holds half a character."), tr("Retype it.")))
        elif isinstance(value, dict):
            for key in reader.doubled.get(id(value), ()):
                problem = tr('"{key}" is given twice.', key=key[:MAX_SHOWN])
                problems.append(PlanProblem(_place((link, f".{key}")), problem, tr("Keep one of them.")))
            if not all(map(_is_text, value)):
                problems.append(PlanProblem(_place(link), tr("A key holds half a character."), tr("Retype it.")))
                continue
            waiting.extend(((link, f".{key}"), part, depth + 1) for key, part in reversed(value.items()))
        elif isinstance(value, list):
            parts = [((link, f"[{index}]"), part, depth + 1) for index, part in enumerate(value)]
            waiting.extend(reversed(parts))
    return problems


def _place(link: _Link) -> str:
    steps: list[str] = []
    while link is not None:
        link, step = link
        steps.append(step[:MAX_SHOWN])
    return "".join(reversed(steps)).removeprefix(".") or "plan"


def _is_text(text: str) -> bool:
    """False for lone surrogates, which an escape can smuggle in and no UTF-8 file can hold."""
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _syntax_error(error: json.JSONDecodeError, text: str, where: str) -> PlanFileError:
    place = tr("{where}, line {lineno}, column {colno}", where=where, lineno=error.lineno, colno=error.colno)
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return PlanFileError(
            place, tr("The file ends too early."), tr("It was cut off; take the backup (same name with ~).")
        )
    if not text.lstrip().startswith(("{", "[")):
        return PlanFileError(
            place, tr("This is not a plan file."), tr("Choose a file that Headroom has saved (*.headroom).")
        )
    reason = error.msg.removesuffix(" at")
    return PlanFileError(
        place, tr("The file is not valid JSON ({reason}).", reason=reason), tr("Fix this line or use the backup (~).")
    )
