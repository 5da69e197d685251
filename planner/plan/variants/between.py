"""The changes that lead from one plan to another, as a variant keeps them."""

from collections.abc import Iterator
from typing import Any

from planner.plan.files.places import Place
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, Step, path_text, value_text
from planner.plan.variants.application import plan_data
from planner.plan.variants.reached import default_of

_TITLES = ("name", "notes", "schemaVersion", "measured")
"""Of the plan as a whole: no part of what a run depends on."""


def changes_between(before: Plan, after: Plan) -> tuple[str, ...]:
    """Changes after which `before` runs as `after` does; `with_changes` makes them."""
    old, new = plan_data(before), plan_data(after)
    for key in _TITLES:
        old.pop(key, None)
        new.pop(key, None)
    return tuple(
        f"{path_text(steps)} = {value_text(value)}"
        for steps, value in _maps(Place(Plan), old, new, ())
        if steps != ("simulation", "seed")
    )


_Found = Iterator[tuple[tuple[Step, ...], Any]]


def _any(place: Place, old: Any, new: Any, steps: tuple[Step, ...]) -> _Found:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict) and old.get("type") == new.get("type"):
        yield from _maps(place, old, new, steps)
    elif isinstance(old, list) and isinstance(new, list) and _same_order(old, new):
        yield from _named_items(place, old, new, steps)
    else:
        yield steps, new


def _maps(place: Place, old: dict[str, Any], new: dict[str, Any], steps: tuple[Step, ...]) -> _Found:
    for key in dict.fromkeys((*old, *new)):
        child = place.child(key, new) or Place(None)
        here = (*steps, key if child.info is not None else Item(key))
        if key in old and key in new:
            yield from _any(child, old[key], new[key], here)
        elif child.info is not None and isinstance(default_of(child), dict):
            yield from _any(child, old.get(key, default_of(child)), new.get(key, default_of(child)), here)
        else:
            yield here, new[key] if key in new else default_of(child)


def _same_order(old: list[Any], new: list[Any]) -> bool:
    """Whether items have names, and what both lists have comes in one order, with new items at the end."""
    before, after = _names(old), _names(new)
    if before is None or after is None:
        return False
    kept = [name for name in before if name in after]
    return after[: len(kept)] == kept


def _names(items: list[Any]) -> list[str] | None:
    """Of all items, if each has its own that is not read as a position."""
    names = [item["name"] for item in items if isinstance(item, dict) and "name" in item]
    return names if len(frozenset(names)) == len(items) and not any(map(str.isdigit, names)) else None


def _named_items(place: Place, old: list[Any], new: list[Any], steps: tuple[Step, ...]) -> _Found:
    inner = place.child(0) or Place(None)
    after = {item["name"]: item for item in new}
    for item in old:
        here = (*steps, Item(item["name"]))
        if item["name"] in after:
            yield from _any(inner, item, after.pop(item["name"]), here)
        else:
            yield here, None
    for name, item in after.items():
        yield (*steps, Item(name)), {key: part for key, part in item.items() if key != "name"}
