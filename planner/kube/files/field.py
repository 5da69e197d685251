"""A value of a manifest with its place: typed access, one error per mistake, and tracking of what was read.

Mapping modules read the fields they know; the others are reported as left out of the import.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from planner.errors import ImportProblem
from planner.kube.files.source import Source
from planner.kube.files.yaml_text import MAX_DEPTH
from planner.language.translation import marked, tr
from planner.units import format_bytes, format_cpu, format_duration, parse_count, parse_cpu_milli

_MAX_SHOWN = 60
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
_INT32 = 1 << 31
_T = TypeVar("_T")


class Field:
    """One value. Reading methods return None (or empty) where it is missing or null."""

    __slots__ = ("_taken", "path", "source", "value")

    def __init__(self, value: Any, source: Source, path: str = "", taken: set[str] | None = None) -> None:
        self.value = value
        self.source = source
        self.path = path
        self._taken: set[str] = set() if taken is None else taken

    # -- moving ------------------------------------------------------------------------------------------------

    def at(self, *keys: str) -> "Field":
        """A part of a map, several steps down; missing parts are empty."""
        field = self
        for key in keys:
            inner = field.map().get(key)
            field = Field(inner, self.source, _join(field.path, key), self._taken)
            self._taken.add(field.path)
        return field

    def items(self) -> list["Field"]:
        """The parts of a list."""
        self._expect(list, marked("a list"), marked("Begin each entry with a dash, or put them between [ and ]."))
        return [self._item(index, part) for index, part in enumerate(self.value or ())]

    def _item(self, index: int, part: Any) -> "Field":
        field = Field(part, self.source, f"{self.path}[{index}]", self._taken)
        self._taken.add(field.path)
        return field

    def map(self) -> dict[str, Any]:
        """The raw map; keys read from it do not count as taken."""
        self._expect(dict, marked("a map"), marked("Write keys and values."))
        return self.value or {}

    def replaced(self, value: Any) -> "Field":
        """Another value in the same place; what is taken of it counts for this one."""
        return Field(value, self.source, self.path, self._taken)

    @property
    def is_given(self) -> bool:
        """Present and not null."""
        return self.value is not None

    # -- plain values ------------------------------------------------------------------------------------------

    def text(self) -> str | None:
        """Text."""
        self._expect(str, marked("text"), marked("Put it in quotes."))
        if self.value is not None and not self.value.isascii() and any("\ud800" <= c <= "\udfff" for c in self.value):
            raise self.problem(tr("The text contains half a character."), tr("Retype it."))
        text: str | None = self.value
        return text

    def required_text(self) -> str:
        """Text that must be there."""
        text = self.text()
        if not text:
            raise self.problem(tr("The field is missing or empty."), tr("Fill it in."))
        return text

    def whole(self) -> int | None:
        """An integer of 32 bits."""
        if isinstance(self.value, bool) or (isinstance(self.value, float) and not self.value.is_integer()):
            raise self._wrong(marked("a whole number"), marked("Write a whole number without quotes."))
        if isinstance(self.value, float):
            return int(self.value)
        self._expect(int, marked("a whole number"), marked("Write a whole number without quotes."))
        if self.value is not None and not -_INT32 <= self.value < _INT32:
            raise self.problem(tr("{value} is too large.", value=shown(self.value)), tr("Write a 32-bit number."))
        number: int | None = self.value
        return number

    def flag(self) -> bool | None:
        """true or false."""
        self._expect(bool, marked("true or false"), marked("Write true or false without quotes."))
        flag: bool | None = self.value
        return flag

    def choice(self, known: Iterable[str]) -> str | None:
        """One of several words."""
        text, words = self.text(), [str(word) for word in known]
        if text is not None and text not in words:
            raise self.problem(
                tr("{value} is not known here.", value=shown(text)), tr("Use {words}.", words=", ".join(words))
            )
        return text

    def portion(self) -> int | str | None:
        """A count or a percentage (IntOrString)."""
        return self.text() if isinstance(self.value, str) else self.whole()

    # -- amounts, in the spelling of plan files --------------------------------------------------------------------

    def cpu(self) -> str | None:
        """CPU as "250m"."""
        return self._quantity(_cpu_text)

    def memory(self) -> str | None:
        """Bytes as "512Mi"."""
        return self._quantity(_memory_text)

    def count(self) -> int | None:
        """Whole units of a quantity."""
        return self._quantity(lambda text: _not_negative(parse_count(text)))

    def seconds(self) -> str | None:
        """Whole seconds as a duration such as "30s"; negative ones count as 0, as in Kubernetes."""
        number = self.whole()
        return None if number is None else format_duration(max(number, 0) * 1_000_000)

    def _quantity(self, read: Callable[[str], _T]) -> _T | None:
        if self.value is None:
            return None
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self._wrong(marked("a quantity"), marked('Write for example "250m" or "512Mi".'))
        try:
            return read(str(self.value))
        except (ValueError, OverflowError) as error:
            raise self.problem(f"{error}.", tr('Write for example "250m" or "512Mi".')) from None

    # -- maps and lists of text ---------------------------------------------------------------------------------

    def labels(self) -> dict[str, str]:
        """A map of text to text."""
        found = {}
        for key in self.map():
            found[_whole_text(key, self)] = self.at(key).text() or ""
        return found

    def texts(self) -> list[str]:
        """A list of text."""
        return [part.text() or "" for part in self.items()]

    def raw(self) -> Any:
        """The value itself, taken with everything in it."""
        self._taken.add(f"{self.path}*")
        return self.value

    # -- problems and what was not taken -------------------------------------------------------------------------

    def problem(self, problem: str, remedy: str) -> ImportProblem:
        """An error at this field."""
        return self.source.problem(self.path, problem, remedy)

    def _wrong(self, wanted: str, remedy: str) -> ImportProblem:
        return self.problem(tr("{value} is not {wanted}.", value=shown(self.value), wanted=tr(wanted)), tr(remedy))

    def _expect(self, kind: type, wanted: str, remedy: str) -> None:
        if self.value is None or (isinstance(self.value, kind) and not (kind is int and isinstance(self.value, bool))):
            return
        raise self._wrong(wanted, remedy)

    @property
    def is_taken_whole(self) -> bool:
        """Whether `raw` took it with everything in it."""
        return f"{self.path}*" in self._taken

    def untaken(self) -> Iterator[str]:
        """Paths that were not read, topmost first, list positions as []. Raises ImportProblem where it is too deep."""
        waiting = [(self.value, self.path, 1)]
        while waiting:
            value, path, depth = waiting.pop()
            if depth > MAX_DEPTH:
                problem = tr("The object is nested more than {most} deep.", most=MAX_DEPTH)
                raise self.source.problem(path[:_MAX_SHOWN], problem, tr("No manifest needs that; flatten it."))
            if f"{path}*" in self._taken:
                continue
            if isinstance(value, dict):
                parts = [(part, _join(path, key)) for key, part in value.items()]
            elif isinstance(value, list):
                parts = [(part, f"{path}[{index}]") for index, part in enumerate(value)]
            else:
                continue
            for part, place in reversed(parts):
                if place in self._taken:
                    waiting.append((part, place, depth + 1))
                elif part not in (None, {}, [], ""):
                    yield re.sub(r"\[\d+\]", "[]", place)


def shown(value: Any) -> str:
    """A value as JSON, cut to a readable length."""
    try:
        text = json.dumps(value, ensure_ascii=True, default=str)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return text if len(text) <= _MAX_SHOWN else f"{text[: _MAX_SHOWN - 3]}..."


def _join(path: str, key: str) -> str:
    step = _step(key)
    return f"{path}.{step}" if path else step


@lru_cache(maxsize=4096)
def _step(key: str) -> str:
    return key if _PLAIN_KEY.match(key) else json.dumps(key[:100])


def _whole_text(key: str, field: Field) -> str:
    if not key.isascii() and any("\ud800" <= letter <= "\udfff" for letter in key):
        raise field.problem(tr("A key contains half a character."), tr("Retype it."))
    return key


@lru_cache(maxsize=4096)
def _cpu_text(text: str) -> str:
    return format_cpu(_not_negative(parse_cpu_milli(text)))


@lru_cache(maxsize=4096)
def _memory_text(text: str) -> str:
    return format_bytes(_not_negative(parse_count(text)))


def _not_negative(number: int) -> int:
    if number < 0:
        raise ValueError(tr("an amount cannot be below 0"))
    return number
