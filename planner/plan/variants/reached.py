"""What a path leads to in the data of a plan, as its file holds it: the spot to write to, or what is wrong."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined, to_jsonable_python

from planner.errors import PlanProblem
from planner.language.translation import marked, tr
from planner.plan.files.nearest import nearest
from planner.plan.files.places import Place
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, Step, path_text

_MOST_LISTED = 20
_NOTHING_INSIDE = marked("Nothing is inside this value.")


@dataclass(frozen=True)
class Spot:
    """Where a value is or may be put."""

    holder: Any
    """The map or list around it, of the plan's data."""
    key: str | int
    """Key or position there; a position at the end adds an item."""
    place: Place
    """What is declared there."""
    name: str = ""
    """Of a new item of a list."""

    @property
    def value(self) -> Any:
        """What is there; None if nothing is."""
        if isinstance(self.holder, list):
            row = int(self.key)
            return self.holder[row] if row < len(self.holder) else None
        return self.holder.get(self.key)


def reached(data: dict[str, Any], steps: tuple[Step, ...]) -> Spot:
    """The spot at the end of a path; parts of the plan that were left out are filled in on the way.

    Raises PlanProblem, which suggests the nearest known path.
    """
    spot = _spot(Place(Plan), data, steps, 0)
    for at in range(1, len(steps)):
        inner = spot.value
        if inner is None:
            inner = _filled(spot, steps, at)
        spot = _spot(spot.place, inner, steps, at)
    return spot


def _spot(place: Place, value: Any, steps: tuple[Step, ...], at: int) -> Spot:
    step, last = steps[at], at == len(steps) - 1
    if isinstance(value, list):
        return _item(place, value, steps, at, may_be_new=last)
    if not isinstance(value, dict):
        raise _unknown(steps, at, [], tr(_NOTHING_INSIDE))
    key = step.key if isinstance(step, Item) else step
    child = place.child(key, value)
    if child is None or (child.info is not None and key != child.info.alias and child.info.alias is not None):
        known = [info.alias or name for model in _models(place, value) for name, info in model.model_fields.items()]
        raise _unknown(steps, at, known, "")
    if child.info is None and key not in value and not last:
        raise _unknown(steps, at, list(value), "")
    return Spot(value, key, child)


def _models(place: Place, value: dict[str, Any]) -> Sequence[type[BaseModel]]:
    """Those that the value may be, by its type."""
    tagged = [model for model in place.models if str(value.get("type", "")) in str(model.model_fields.get("type"))]
    return tagged or place.models


def _item(place: Place, items: list[Any], steps: tuple[Step, ...], at: int, *, may_be_new: bool) -> Spot:
    """An item by its name, or by its position."""
    step = steps[at]
    inner = place.child(0)
    names = [str(item["name"]) for item in items if isinstance(item, dict) and "name" in item]
    if not isinstance(step, Item) or inner is None:
        known = [f"[{name}]" for name in names] or [f"[{row}]" for row in range(len(items))]
        raise _unknown(
            steps, at, [], tr("Choose an item: {known}.", known=", ".join(known[:_MOST_LISTED])) if known else ""
        )
    for row, item in enumerate(items):
        if isinstance(item, dict) and item.get("name") == step.key:
            return Spot(items, row, inner)
    is_number = step.key.isascii() and step.key.isdigit()
    if is_number and int(step.key) < len(items) + may_be_new:
        return Spot(items, int(step.key), inner)
    if may_be_new and not is_number:
        return Spot(items, len(items), inner, step.key)
    known = names or [str(row) for row in range(len(items))]
    guess = nearest(step.key, known)
    raise _unknown(steps, at, [step.key if guess is None else guess] if guess else known, "", exact=guess is None)


def _filled(spot: Spot, steps: tuple[Step, ...], at: int) -> Any:
    """A part that the plan leaves out, as its default has it, put in its place."""
    inner, where = default_of(spot.place), path_text(steps[:at])
    if not isinstance(inner, dict | list):
        if inner is not None:
            raise _unknown(steps, at, [], tr(_NOTHING_INSIDE))
        raise PlanProblem(
            where, tr("The plan has nothing there yet."), tr("Give the whole of it: {where} = {{...}}.", where=where)
        )
    spot.holder[spot.key] = inner
    return inner


def default_of(place: Place) -> Any:
    """What a value is that the file leaves out, as the file would write it; None for an entry of a map."""
    if place.info is None:
        return None
    default = place.info.get_default(call_default_factory=True)
    if default is PydanticUndefined:
        return None
    if type(default) is int and place.spelling is not None:
        return place.spelling.format(default)
    if isinstance(default, BaseModel):
        return default.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return to_jsonable_python(default, by_alias=True)


def _unknown(
    steps: tuple[Step, ...], at: int, known: Sequence[str], remedy: str, *, exact: bool = False
) -> PlanProblem:
    step = steps[at]
    word = step.key if isinstance(step, Item) else step
    guess = None if exact else nearest(word, known)
    if guess is not None:
        right = (*steps[:at], Item(guess) if isinstance(step, Item) else guess, *steps[at + 1 :])
        remedy = tr("Did you mean {path_text}?", path_text=path_text(right))
    elif not remedy:
        remedy = (
            tr("Choose one of {known}.", known=", ".join(known[:_MOST_LISTED]))
            if known
            else tr("Choose an existing one.")
        )
    return PlanProblem(
        path_text(steps),
        tr("There is no {word!r} in {path_text}.", word=word, path_text=path_text(steps[:at]) or tr("the plan")),
        remedy,
    )
