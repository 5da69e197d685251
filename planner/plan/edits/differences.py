"""Differences between two plans: places as the file spells them, with list items by name instead of number."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from planner.plan.files.places import Path, Place
from planner.plan.model.plan import Plan

_PRESENT = "present"
NONE = "none"
"""Text of a value that is not set."""
ABSENT = ""
"""Text of a value that one of the two plans does not have."""


@dataclass(frozen=True)
class Difference:
    """One value that differs, as text as the file writes it."""

    steps: tuple[str, ...]
    """For example ("general", "maxSize"), or ("simulation", "duration")."""
    before: str
    after: str
    path: Path
    """Of the value in the later plan; in the earlier one where the later has it no more."""

    def __str__(self) -> str:
        where = " ".join(self.steps)
        if not self.before:
            return f"+ {where}"
        return f"{where} {self.before} -> {self.after}" if self.after else f"- {where}"


def differences(before: Plan, after: Plan) -> tuple[Difference, ...]:
    """All differences, in the order of the plan. Items of lists are matched by name, else by position."""
    return tuple(_compare(Place(Plan), before, after, _At()))


@dataclass(frozen=True)
class _At:
    """Where the comparison is: in words, and as a path."""

    names: tuple[str, ...] = ()
    path: Path = ()

    def inside(self, name: str, step: str | int) -> "_At":
        return _At((*self.names, name), (*self.path, step))


def _compare(place: Place, before: Any, after: Any, at: _At) -> Iterator[Difference]:
    if before is after or before == after:
        return
    if isinstance(before, BaseModel) and type(before) is type(after):
        for name, info in type(before).model_fields.items():
            inner = place.child(name, before) or Place(None)
            yield from _compare(inner, getattr(before, name), getattr(after, name), at.inside(info.alias or name, name))
    elif isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            inner = place.child(key) or Place(None)
            texts = [(_text(inner, part[key]) or '""') if key in part else NONE for part in (before, after)]
            if texts[0] != texts[1]:
                yield Difference((*at.names, str(key)), texts[0], texts[1], (*at.path, str(key)))
    elif isinstance(before, tuple) and isinstance(after, tuple) and _are_models(before, after):
        yield from _compare_items(place, before, after, at)
    else:
        yield Difference(at.names, _text(place, before) or NONE, _text(place, after) or NONE, at.path)


def _compare_items(place: Place, before: Sequence[Any], after: Sequence[Any], at: _At) -> Iterator[Difference]:
    old, new = _by_name(before, at.names), _by_name(after, at.names)
    inner = place.child(0) or Place(None)
    for name in [*old, *(name for name in new if name not in old)]:
        row, item = new[name] if name in new else old[name]
        path: Path = (*at.path, row)
        if name in old and name in new:
            yield from _compare(inner, old[name][1], item, _At(name, path))
        else:
            before_text, after_text = (_PRESENT, ABSENT) if name in old else (ABSENT, _PRESENT)
            yield Difference(_listed(name, at.names), before_text, after_text, path)


def _listed(name: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """An item with its list: the name alone does not say what has come or gone."""
    return name if "[" in name[-1] else (*names, *name)


def _by_name(items: Sequence[Any], names: tuple[str, ...]) -> dict[tuple[str, ...], tuple[int, Any]]:
    """Items with their position, by their own name; items without one by list and position."""
    return {
        (item.name,) if isinstance(getattr(item, "name", None), str) else (*names[:-1], f"{names[-1]}[{row}]"): (
            row,
            item,
        )
        for row, item in enumerate(items)
    }


def _are_models(before: Sequence[Any], after: Sequence[Any]) -> bool:
    return all(isinstance(item, BaseModel) for item in (*before, *after))


def _text(place: Place, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if place.spelling is not None and isinstance(value, int):
        return place.spelling.format(value)
    if isinstance(value, BaseModel):
        return str(getattr(value, "name", "")) or str(getattr(value, "type", "")) or _PRESENT
    if isinstance(value, tuple | list):
        return ", ".join(_text(Place(None), item) for item in value)
    return str(value)
