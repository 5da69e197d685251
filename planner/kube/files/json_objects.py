"""JSON manifests: one value or several in a row, numbers finite, a readable error."""

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from planner.kube.files.source import Unreadable
from planner.language.translation import tr

MAX_JSON_BYTES = 512 << 20
_MAX_DIGITS = 40
_T = TypeVar("_T")
_SPACE = re.compile(r"[ \t\r\n]*")


def json_value(text: str) -> Any:
    """The value of a JSON text. Raises Unreadable."""
    return _decoded(text, partial(json.loads, text, parse_constant=_refuse_constant, parse_int=_whole_number))


def json_values(text: str) -> Iterator[Any]:
    """The values of JSON texts that follow each other, as `cat` of several files gives them. Raises Unreadable."""
    decoder = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=_whole_number)
    at = _after_space(text, 0)
    while at < len(text):
        value, end = _decoded(text, partial(decoder.raw_decode, text, at))
        yield value
        at = _after_space(text, end)


def _after_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return at if match is None else match.end()


def _decoded(text: str, read: Callable[[], _T]) -> _T:
    try:
        return read()
    except RecursionError:
        raise Unreadable("", tr("The JSON is nested too deep."), tr("No manifest needs that; remove it.")) from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise Unreadable(place, tr("The file ends too early."), tr("Write it again; it was cut off.")) from None
        raise Unreadable(
            place, tr("This is not JSON ({reason}).", reason=error.msg), tr("Correct this line.")
        ) from None


def _refuse_constant(text: str) -> Any:
    raise Unreadable("", tr("{value} is not a JSON number.", value=text), tr("Write an ordinary number."))


def _whole_number(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise Unreadable("", tr("{value}... is not a usable number.", value=text[:20]), tr("Write an ordinary number."))
    return int(text)
