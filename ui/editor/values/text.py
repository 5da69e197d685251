"""Values of the plan as text, as typed and shown."""

import json
import math
import re
from enum import Enum
from typing import Any

import annotated_types as bounds
from pydantic import BaseModel
from PySide6.QtCore import QCoreApplication

from planner import units
from planner.errors import problem_and_remedy
from planner.plan.values.fields import Spelling
from planner.plan.values.money import currency_sign
from ui.editor.values.shapes import Shape, ShapeKind

translate = QCoreApplication.translate  # by this name the translators' tools find the texts

_WHOLE = re.compile(r"[+-]?\d{1,30}\Z")
_UNSPOKEN = frozenset({"", "cores", "bytes", "s"})
"""Units that the text of an amount says by itself."""


class UnreadableText(ValueError):
    """Text that is no value of the field: the problem and the remedy, each a sentence."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem} {remedy}")
        self.problem, self.remedy = problem, remedy


def plan_text(text: str) -> str:
    """A title or description of the plan's models in the user's language."""
    return translate("Plan", text) if text else ""


def text_of(shape: Shape, value: Any) -> str:
    """How a value is shown in a line; None is empty."""
    if value is None:
        return ""
    if shape.kind is ShapeKind.AMOUNT and shape.spelling is not None:
        return shape.spelling.format(value)
    if shape.kind is ShapeKind.NUMBER:
        return repr(value) if not float(value).is_integer() or abs(value) >= 1e15 else str(int(value))
    if shape.kind is ShapeKind.RAW:
        return json.dumps(value, ensure_ascii=False, default=_plain)
    if shape.kind is ShapeKind.SWITCH:
        return "true" if value else "false"
    return str(value.value if isinstance(value, Enum) else value)


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json", by_alias=True) if isinstance(value, BaseModel) else str(value)


def value_from(shape: Shape, text: str) -> Any:
    """The value of a text; bounds are checked by the models. Raises UnreadableText."""
    if shape.kind is ShapeKind.TEXT:
        return text if text or not shape.optional else None
    text = text.strip()
    if not text:
        if shape.optional:
            return None
        raise UnreadableText(
            translate("FieldText", "This field is empty."),
            translate("FieldText", "Enter a value, for example {0}.").format(example_of(shape)),
        )
    reader = _READERS.get(shape.kind)
    if reader is None:
        raise UnreadableText(translate("FieldText", "This value cannot be entered as text."), "")
    return reader(shape, text)


def _amount(shape: Shape, text: str) -> int:
    assert shape.spelling is not None
    try:
        return shape.spelling.parse(text)
    except ValueError as error:
        problem, remedy = problem_and_remedy(str(error))
        raise UnreadableText(_sentence(problem), _sentence(remedy)) from None


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _whole(_shape: Shape, text: str) -> int:
    if not _WHOLE.match(text):
        problem = translate("FieldText", "'{0}' is not a whole number.").format(text[:40])
        raise UnreadableText(problem, translate("FieldText", "Enter digits only, for example 3."))
    return int(text)


def _number(_shape: Shape, text: str) -> float:
    try:
        value = float(text.replace("_", "?"))  # Python's 1_000 is no number of a plan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        problem = translate("FieldText", "'{0}' is not a number.").format(text[:40])
        raise UnreadableText(problem, translate("FieldText", "Enter a number, for example 2.5."))
    return int(value) if _WHOLE.match(text) else value


def _portion(_shape: Shape, text: str) -> int | str:
    return int(text) if _WHOLE.match(text) else text


def _choice(shape: Shape, text: str) -> Any:
    for choice in shape.choices:
        if text.casefold() == text_of(shape, choice).casefold():
            return choice
    known = ", ".join(text_of(shape, choice) for choice in shape.choices)
    raise UnreadableText(
        translate("FieldText", "'{0}' is not one of the choices.").format(text[:40]),
        translate("FieldText", "Enter one of {0}.").format(known),
    )


_SWITCH_WORDS = dict.fromkeys(("true", "yes", "on", "1"), True) | dict.fromkeys(("false", "no", "off", "0"), False)


def _switch(_shape: Shape, text: str) -> bool:
    word = _SWITCH_WORDS.get(text.casefold())
    if word is None:
        raise UnreadableText(
            translate("FieldText", "'{0}' is neither true nor false.").format(text[:40]),
            translate("FieldText", "Enter true or false."),
        )
    return word


def _raw(_shape: Shape, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise UnreadableText(
            translate("FieldText", "This is not valid JSON."),
            translate("FieldText", "Enter it as it would appear in a plan file."),
        ) from None


_READERS = {
    ShapeKind.AMOUNT: _amount,
    ShapeKind.WHOLE: _whole,
    ShapeKind.NUMBER: _number,
    ShapeKind.PORTION: _portion,
    ShapeKind.CHOICE: _choice,
    ShapeKind.SWITCH: _switch,
    ShapeKind.RAW: _raw,
}


def example_of(shape: Shape) -> str:
    """A text the field accepts."""
    if shape.default is not None and text_of(shape, shape.default):
        return text_of(shape, shape.default)
    if shape.spelling is not None:
        return shape.spelling.example
    least = shape.limit(bounds.Ge, "ge")
    if shape.kind is ShapeKind.PORTION:
        return "25%"
    return (
        text_of(shape, max(least or 0, 1))
        if shape.kind in (ShapeKind.WHOLE, ShapeKind.NUMBER)
        else translate("FieldText", "a text")
    )


def meaning_of(shape: Shape, value: Any, currency: str) -> str:
    """What is shown after the text in the line: the unit, or the amount in other units."""
    if shape.kind is not ShapeKind.AMOUNT or shape.spelling is None:
        unit = "" if shape.unit in _UNSPOKEN and shape.kind is not ShapeKind.NUMBER else shape.unit
        return plan_text(unit).replace(plan_text("currency"), currency_sign(currency))
    if value is None:
        return ""
    return _spoken_amount(shape.spelling, value, text_of(shape, value))


def _spoken_amount(spelling: Spelling, value: int, text: str) -> str:
    if spelling.format is units.format_cpu:
        said = (
            translate("FieldText", "{0} cores").format(f"{value / 1000:.4g}")
            if value != 1000
            else translate("FieldText", "1 core")
        )
    elif spelling.format is units.format_bytes:
        said = _spoken_bytes(value)
    elif spelling.format in (units.format_milli, units.format_moment):
        return ""  # of what, only the metric says
    else:
        said = _spoken_duration(value)
    return said if said.replace(" ", "") != text else ""


def _spoken_bytes(value: int) -> str:
    for size, name in ((1 << 50, "PiB"), (1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= size:
            return f"{value / size:.4g} {name}"
    return f"{value} B"


def _spoken_duration(us: int) -> str:
    """Only where another unit says more: 210s are 3 min 30 s, 1h is 60 min."""
    if us and us < units.US_PER_S:
        return f"{us / units.US_PER_MS:.4g} ms"
    seconds, rest = us // units.US_PER_S, us % units.US_PER_S
    if rest or seconds < 60:
        return f"{us / units.US_PER_S:.4g} s"
    hours, minutes, left = seconds // 3600, seconds // 60 % 60, seconds % 60
    parts = [(hours, "h"), (minutes, "min"), (left, "s")]
    return " ".join(f"{count} {unit}" for count, unit in parts if count)
