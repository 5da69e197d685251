"""Edits of the frozen plan: each returns a new plan, validated where it changed and sharing the rest.

Paths name fields as Python does and positions by number: ("node_groups", 0, "max_size"). All functions
raise PlanProblem with the full path in the file's spelling; the given plan is never changed.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from planner.errors import PlanProblem
from planner.language.translation import tr
from planner.plan.files.places import Path, where_of
from planner.plan.files.problems import problems_from
from planner.plan.model.plan import Plan

_Change = Callable[[Any], Any]


def value_at(plan: Plan, path: Path) -> Any:
    """The value at a path."""
    value: Any = plan
    for step in path:
        value = _part(value, step, path)
    return value


def replace_at(plan: Plan, path: Path, value: object) -> Plan:
    """A plan with one value changed. An empty path means the whole plan."""
    return _edited(plan, path, lambda _old: value)


def insert_at(plan: Plan, path: Path, value: object) -> Plan:
    """A plan with an item put into a list: the last step is its position (at most the length), or into a
    map of labels: the last step is its key.
    """
    parent, step = _split(path)
    old = value_at(plan, parent)
    if isinstance(old, tuple) and isinstance(step, int) and 0 <= step <= len(old):
        return replace_at(plan, parent, (*old[:step], value, *old[step:]))
    if isinstance(old, dict) and isinstance(step, str):
        return replace_at(plan, parent, old | {step: value})
    raise _nothing_there(path)


def remove_at(plan: Plan, path: Path) -> Plan:
    """A plan without one item of a list or map, or with one field back at its default."""
    parent, step = _split(path)
    old = value_at(plan, parent)
    _part(old, step, path)
    if isinstance(old, tuple) and isinstance(step, int):
        return replace_at(plan, parent, (*old[:step], *old[step + 1 :]))
    if isinstance(old, dict):
        return replace_at(plan, parent, {key: value for key, value in old.items() if key != step})
    kept = {name: getattr(old, name) for name in type(old).model_fields if name in old.model_fields_set - {step}}
    return _edited(plan, parent, lambda part: type(part).model_validate(kept))


def replace_many(plan: Plan, path: Path, values: Mapping[str, object]) -> Plan:
    """A plan with several fields of one model changed at once, where none of them alone would fit."""
    old = value_at(plan, path)
    if not isinstance(old, BaseModel):
        raise _nothing_there(path)
    kept = {name: getattr(old, name) for name in type(old).model_fields if name in old.model_fields_set}
    return _edited(plan, path, lambda part: type(part).model_validate(kept | dict(values)))


def insert_many(plan: Plan, path: Path, values: Iterable[object]) -> Plan:
    """A plan with items put into a list, one behind the other; the last step is the position of the first."""
    parent, step = _split(path)
    old = _list_at(plan, parent)
    if not isinstance(step, int) or not 0 <= step <= len(old):
        raise _nothing_there(path)
    return replace_at(plan, parent, (*old[:step], *values, *old[step:]))


def remove_many(plan: Plan, parent: Path, positions: Collection[int]) -> Plan:
    """A plan without some items of a list."""
    old = _list_at(plan, parent, *positions)
    gone = frozenset(positions)
    return replace_at(plan, parent, tuple(item for index, item in enumerate(old) if index not in gone))


def move_many(plan: Plan, parent: Path, positions: Collection[int], by: int) -> Plan:
    """A plan in which some items of a list stand `by` places further down (up if negative), in their order.

    At either end they stop; items that stand together stay together.
    """
    old = _list_at(plan, parent, *positions)
    places = list(range(len(old)))
    step = 1 if by > 0 else -1
    for _ in range(abs(by)):
        _shift(places, frozenset(positions), step)
    return replace_at(plan, parent, tuple(old[place] for place in places))


def _shift(places: list[int], moved: frozenset[int], step: int) -> None:
    """Each moved place changes with its neighbour, unless that one is stuck at the end too."""
    order = range(len(places) - 1, -1, -1) if step > 0 else range(len(places))
    for index in order:
        other = index + step
        if places[index] in moved and 0 <= other < len(places) and places[other] not in moved:
            places[index], places[other] = places[other], places[index]


def _list_at(plan: Plan, parent: Path, *positions: int) -> tuple[Any, ...]:
    found = value_at(plan, parent)
    if not isinstance(found, tuple) or any(not 0 <= position < len(found) for position in positions):
        raise _nothing_there(parent)
    return found


def _edited(plan: Plan, path: Path, change: _Change) -> Plan:
    try:
        changed = _apply(plan, path, (), change)
    except _Refused as refused:
        raise problems_from(refused.error, Plan, refused.base, plan)[0] from refused.error
    return changed if isinstance(changed, Plan) else _whole(changed)


def _whole(value: object) -> Plan:
    try:
        return Plan.model_validate(value)
    except ValidationError as error:
        raise problems_from(error, Plan)[0] from error


class _Refused(Exception):
    """A part that does not validate, and its place."""

    def __init__(self, base: Path, error: ValidationError) -> None:
        self.base, self.error = base, error


def _apply(part: Any, rest: Path, base: Path, change: _Change) -> Any:
    """The part with the change made at `rest`; models on the way are validated, so types and bounds hold."""
    if not rest:
        try:
            return change(part)
        except ValidationError as error:
            raise _Refused(base, error) from error
    step = rest[0]
    here = (*base, step)
    inner = _apply(_part(part, step, (*base, *rest)), rest[1:], here, change)
    if isinstance(part, tuple) and isinstance(step, int):
        return (*part[:step], inner, *part[step + 1 :])
    if isinstance(part, dict):
        return part | {step: inner}
    set_fields = {name: getattr(part, name) for name in type(part).model_fields if name in part.model_fields_set}
    try:
        return type(part).model_validate(set_fields | {str(step): inner})
    except ValidationError as error:
        raise _Refused(base, error) from error


def _part(value: Any, step: str | int, path: Path) -> Any:
    if isinstance(value, tuple) and isinstance(step, int) and 0 <= step < len(value):
        return value[step]
    if isinstance(value, dict) and step in value:
        return value[step]
    if isinstance(value, BaseModel) and isinstance(step, str) and step in type(value).model_fields:
        return getattr(value, step)
    raise _nothing_there(path)


def _split(path: Path) -> tuple[Path, str | int]:
    if not path:
        raise _nothing_there(path)
    return path[:-1], path[-1]


def _nothing_there(path: Path) -> PlanProblem:
    return PlanProblem(
        where_of(Plan, path) or "plan", tr("There is no such place in the plan."), tr("Choose an existing one.")
    )
