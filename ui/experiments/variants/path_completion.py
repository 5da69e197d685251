"""Paths that a change may name, for completion while typing, and the value that the plan has there."""

from collections.abc import Iterator
from typing import Any

from planner.errors import PlanProblem
from planner.plan.files.places import Path, Place, place_at
from planner.plan.model.plan import Plan
from planner.plan.values.change_text import Item, Step, parse_path, path_text, value_text
from planner.plan.variants.application import LOAD, OF_EXPERIMENTS, plan_data
from planner.plan.variants.machines import MACHINE, pool_at
from planner.plan.variants.reached import default_of, reached

_MOST_PATHS, _MOST_ITEMS, _DEEPEST = 20_000, 50, 8
_LEFT_OUT = (*OF_EXPERIMENTS, "schemaVersion", "name", "notes")


def known_paths(plan: Plan) -> list[str]:
    """Every path of the plan that a change may name, as messages spell it; of very large plans the first ones."""
    found = [LOAD, *(f"{LOAD}[{one.name}]" for one in plan.workloads[:_MOST_ITEMS] if one.traffic is not None)]
    found += [path_text((MACHINE, Item(group.name))) for group in plan.node_groups[:_MOST_ITEMS]]
    for steps in _paths(Place(Plan), plan_data(plan), ()):
        if steps[0] not in _LEFT_OUT and steps != ("simulation", "seed"):
            found.append(path_text(steps))
            if len(found) >= _MOST_PATHS:
                break
    return found


def change_path(plan: Plan, path: Path) -> str:
    """The path of a field as a change spells it: items of lists by their names where they have one."""
    value: Any = plan_data(plan)
    steps: list[Step] = []
    for step in parse_path(place_at(Plan, path, plan).where):
        if isinstance(step, Item) and isinstance(value, list):
            value = value[int(step.key)]
            name = value.get("name") if isinstance(value, dict) else None
            steps.append(Item(str(name)) if name and not str(name).isdigit() else step)
        else:
            value = value.get(step.key if isinstance(step, Item) else step) if isinstance(value, dict) else None
            steps.append(step)
    return path_text(tuple(steps))


def value_there(plan: Plan, path: str) -> str:
    """The plan's value at a path, as a change would write it; empty where there is none."""
    try:
        steps = parse_path(path)
        if steps[0] == LOAD:
            return "1"
        if steps[0] == MACHINE:
            return plan.node_groups[pool_at(plan, steps)].machine_type
        spot = reached(plan_data(plan), steps)
    except (ValueError, PlanProblem):
        return ""
    value = spot.value if spot.value is not None else default_of(spot.place)
    return "" if value is None else value_text(value)


def _paths(place: Place, value: Any, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    if len(steps) > _DEEPEST:
        return
    if isinstance(value, list):
        yield from _items(place, value, steps)
    elif isinstance(value, dict):
        yield from _fields(place, value, steps)


def _items(place: Place, items: list[Any], steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    inner = place.child(0)
    if inner is None or not inner.models:
        return
    for row, item in enumerate(items[:_MOST_ITEMS]):
        name = item.get("name") if isinstance(item, dict) else None
        here = (*steps, Item(str(name) if name else str(row)))
        yield here
        yield from _paths(inner, item, here)


def _fields(place: Place, value: dict[str, Any], steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...]]:
    kind = value.get("type")
    for model in place.models:
        info = model.model_fields.get("type")
        if kind is not None and info is not None and str(kind) not in str(info.annotation):
            continue
        for name, declared in model.model_fields.items():
            child = place.child(declared.alias or name, value)
            if child is None or name in ("type", "name"):
                continue
            here = (*steps, declared.alias or name)
            yield here
            yield from _paths(child, value.get(declared.alias or name, default_of(child)), here)
        return
