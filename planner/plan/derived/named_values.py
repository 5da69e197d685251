"""Values of a plan at paths whose items of lists are named: `workloads[shop].demand.idleCpu`."""

from typing import Any

from pydantic import BaseModel

from planner.plan.files.places import Path, Place
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, parse_path


def named_value(plan: Plan, path: str) -> str | None:
    """The value as the file writes it; None if there is none."""
    value: Any = plan
    place: Place | None = Place(Plan)
    try:
        steps = _steps(plan, path)
    except ValueError:
        return None
    for step in steps:
        if place is None or value is None:
            return None
        place = place.child(step)
        value = value[step] if isinstance(step, int) else getattr(value, step, None)
    if place is None or value is None or isinstance(value, BaseModel):
        return None
    if place.spelling is not None:
        return place.spelling.format(value)
    return f"{value:g}" if isinstance(value, int | float) else None


def _steps(plan: Plan, path: str) -> Path:
    """Steps as Python spells them; a name that is not in its list leads nowhere."""
    found: list[str | int] = []
    value: Any = plan
    for step in parse_path(path):
        if isinstance(step, Item):
            names = [getattr(item, "name", None) for item in value] if isinstance(value, tuple) else []
            row = names.index(step.key) if step.key in names else _position(step.key, len(names))
            found.append(row if row >= 0 else "")
            value = value[row] if row >= 0 else None
        else:
            names_of = type(value).model_fields if isinstance(value, BaseModel) else {}
            name = next((name for name, info in names_of.items() if step in (name, info.alias)), "")
            found.append(name)
            value = getattr(value, name, None)
    return tuple(found)


def _position(key: str, count: int) -> int:
    """The number of an item that has no name; -1 if there is none."""
    return int(key) if key.isdecimal() and int(key) < count else -1
