"""Lists of a fixed number of values or none: given and taken away as a whole, each value with a name."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from PySide6.QtCore import QCoreApplication

from planner.plan.model.traffic import DiurnalLoad
from ui.editor.values.shapes import Shape


def _days() -> tuple[str, ...]:
    text = QCoreApplication.translate("ListEditor", "Day {number}")
    return tuple(text.format(number=number) for number in range(1, 8))


_WHOLE: dict[tuple[type[BaseModel], str], tuple[Callable[[], tuple[str, ...]], Any]] = {
    (DiurnalLoad, "weekday_factors"): (_days, 1.0),
}
"""Names of the values, and what each starts with."""


def names_of_values(shape: Shape) -> tuple[str, ...]:
    """Names of the values of such a list; none for all other lists."""
    known = _WHOLE.get((shape.owner, shape.name)) if shape.owner is not None else None
    return known[0]() if known is not None else ()


def first_values(shape: Shape) -> tuple[Any, ...]:
    """What such a list starts with."""
    assert shape.owner is not None
    names, value = _WHOLE[shape.owner, shape.name]
    return (value,) * len(names())
