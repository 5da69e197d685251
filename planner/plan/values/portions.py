"""Numbers that may be percentages: "25%" of a total, or a plain count (IntOrString of the API)."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from planner.language.translation import tr
from planner.plan.values.fields import INT32_MAX

_PERCENT = re.compile(r"([+-]?[0-9]+)%\Z")

Portion = int | str
"""A count, or a whole percentage as text such as "25%"."""


def portion_of(value: Portion, total: int, round_up: bool) -> int:
    """The count that a portion of `total` means. Raises ValueError for anything but a count or a whole percentage."""
    if isinstance(value, int):
        return value
    match = _PERCENT.match(value)
    if match is None:
        raise ValueError(
            tr("'{value}' is not a portion; write a number such as 1 or a whole percentage such as 25%", value=value)
        )
    hundredths = int(match.group(1)) * total
    return -(-hundredths // 100) if round_up else hundredths // 100


def _checked(value: Any) -> Any:
    """Validator of a plan field: not negative, no bool, a percentage that is whole."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(
            tr('{value!r} is not a portion; write a number such as 1 or a percentage such as "25%"', value=value)
        )
    if not 0 <= portion_of(value, 100, round_up=False) <= INT32_MAX:
        raise ValueError(tr("{value!r} is out of range; write a number that is not negative", value=value))
    return value


PlanPortion = Annotated[
    int | str,
    BeforeValidator(_checked),
    WithJsonSchema({"type": ["integer", "string"], "examples": [1, "25%"]}),
]
"""A plan field that holds a count or a whole percentage."""
