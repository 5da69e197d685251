"""JSON manifests: one value, numbers finite, a readable error."""

import json
from typing import Any

from planner.kube.files.source import Unreadable

MAX_JSON_BYTES = 512 << 20
_MAX_DIGITS = 40


def json_value(text: str) -> Any:
    """The value of a JSON text. Raises Unreadable."""
    try:
        return json.loads(text, parse_constant=_refuse_constant, parse_int=_whole_number)
    except RecursionError:
        raise Unreadable("", "The JSON is nested too deep.", "No manifest needs that; remove it.") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
            raise Unreadable(place, "The file ends too early.", "Write it again; it was cut off.") from None
        raise Unreadable(place, f"This is not JSON ({error.msg}).", "Correct this line.") from None


def _refuse_constant(text: str) -> Any:
    raise Unreadable("", f"{text} is not a JSON number.", "Write an ordinary number.")


def _whole_number(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise Unreadable("", f"{text[:20]}... is not a usable number.", "Write an ordinary number.")
    return int(text)
