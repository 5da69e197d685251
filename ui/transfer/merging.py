"""Brings another plan's objects into a plan: what is already there is brought up to date, the rest is added."""

from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel

from planner.plan.files.places import Path
from planner.plan.model.plan import Plan

LISTS = (
    "node_groups", "priority_classes", "runtime_classes", "namespaces", "services", "workloads", "overprovisioning",
    "pod_disruption_budgets", "horizontal_pod_autoscalers",
)  # fmt: skip
"""Fields whose rows are known by name, within their namespace if they have one."""
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True)
class MergedPlan:
    """The plan, and how many rows of the other one were new, changed one of its own, or said the same."""

    plan: Plan
    added: int
    changed: int
    equal: int


def merged(plan: Plan, other: Plan) -> MergedPlan:
    """The plan with the rows of another.

    Of a row that both have, only what the other one sets is taken over, part by part: what manifests cannot express
    (load, prices, delays) stays.
    """
    update: dict[str, Any] = {}
    added = changed = equal = 0
    for field in LISTS:
        rows = {_key(row): row for row in getattr(plan, field)}
        for row in getattr(other, field):
            old = rows.get(_key(row))
            new = row if old is None else updated(old, row)
            added, changed, equal = added + (old is None), changed + (old not in (None, new)), equal + (old == new)
            rows[_key(row)] = new
        if rows and tuple(rows.values()) != getattr(plan, field):
            update[field] = tuple(rows.values())
    return MergedPlan(plan.model_copy(update=update) if update else plan, added, changed, equal)


def missing(plan: Plan, other: Plan) -> list[Path]:
    """Paths of the rows of a plan that another one does not have."""
    found: list[Path] = []
    for field in LISTS:
        known = {_key(row) for row in getattr(other, field)}
        found += [(field, number) for number, row in enumerate(getattr(plan, field)) if _key(row) not in known]
    return found


def updated(old: _Model, new: _Model) -> _Model:
    """The old model with what the new one sets; models inside are updated in the same way, lists are replaced."""
    update: dict[str, Any] = {}
    for name in type(new).model_fields:
        if name in new.model_fields_set:
            before, after = getattr(old, name), getattr(new, name)
            is_inside = isinstance(after, BaseModel) and type(before) is type(after)
            update[name] = updated(before, after) if is_inside else after
    return old.model_copy(update=update)


def _key(row: BaseModel) -> tuple[str, str]:
    return str(getattr(row, "namespace", "")), str(getattr(row, "name", ""))
