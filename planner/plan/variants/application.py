"""Makes changes that are written as text to a plan."""

import json
from collections.abc import Iterable
from typing import Any

from planner.errors import PlanProblem, PlanProblems
from planner.language.translation import tr
from planner.plan.files.io import plan_from_text
from planner.plan.files.places import Place
from planner.plan.files.problems import sentences
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import SCHEMA_VERSION, Plan
from planner.plan.values.change_text import Item, PlanChange, parse_change
from planner.plan.variants.machines import MACHINE, with_machine_change
from planner.plan.variants.reached import reached

OF_EXPERIMENTS = ("uncertainInputs", "variants", "experiments")
"""Parts of a plan that a run does not depend on, and that variants therefore do not change."""
LOAD = "load"
"""A path of its own: `load = 1.5` multiplies all traffic, `load[shop] = 1.5` that of one workload."""


def with_variant(plan: Plan, variant: Variant) -> Plan:
    """The plan of a variant, without variants and experiments. Raises PlanProblems, which name the variant."""
    try:
        return with_changes(plan, variant.changes)
    except PlanProblems as error:
        named = (_named(variant, problem) for problem in error.problems)
        raise PlanProblems(named, error.more) from error


def _named(variant: Variant, problem: PlanProblem) -> PlanProblem:
    return PlanProblem(
        tr("variant {name}: {where}", name=variant.name, where=problem.where), problem.problem, problem.remedy
    )


def with_changes(plan: Plan, changes: Iterable[str]) -> Plan:
    """The plan with changes made, one after the other, and without variants and experiments.

    The values are held to what a plan file allows; whether they fit together is checked before a run. Raises
    PlanProblems.
    """
    texts = tuple(changes)
    if not texts:
        return without_experiments(plan)
    data = plan_data(plan)
    try:
        for text in texts:
            data = _made(data, _parsed(text))
    except PlanProblem as problem:
        raise PlanProblems((problem,)) from problem
    return plan_from_text(json.dumps(data), "plan")


def without_experiments(plan: Plan) -> Plan:
    """What of a plan a run depends on."""
    if not (plan.uncertain_inputs or plan.variants or plan.experiments):
        return plan
    return plan.model_copy(update={"uncertain_inputs": (), "variants": (), "experiments": ()})


def plan_data(plan: Plan) -> dict[str, Any]:
    """The plan as its file holds it, without variants and experiments."""
    written = plan.model_dump(mode="json", by_alias=True, exclude_unset=True)
    return {"schemaVersion": SCHEMA_VERSION} | {key: part for key, part in written.items() if key not in OF_EXPERIMENTS}


def _parsed(text: str) -> PlanChange:
    try:
        return parse_change(text)
    except ValueError as error:
        raise PlanProblem("change", *sentences(str(error))) from error


def _made(data: dict[str, Any], change: PlanChange) -> dict[str, Any]:
    """The data with the change."""
    if change.steps[0] == MACHINE:
        return plan_data(with_machine_change(plan_from_text(json.dumps(data), "plan"), change))
    if change.steps[0] == LOAD:
        _scale(data, change)
    else:
        _set(data, change)
    return data


def _set(data: dict[str, Any], change: PlanChange) -> None:
    first = change.steps[0]
    if first in (*OF_EXPERIMENTS, "schemaVersion"):
        raise PlanProblem(change.path, tr("A variant does not change this."), tr("Change the cluster or its load."))
    if change.steps[:2] == ("simulation", "seed"):
        raise PlanProblem(change.path, tr("The seeds are those of the experiment."), tr("Leave this change out."))
    spot = reached(data, change.steps)
    value = _with_unit(spot.place, change.value)
    if isinstance(spot.holder, list):
        _put(spot.holder, int(spot.key), value, spot.name, change)
    elif value is None and spot.place.info is None:
        if spot.key not in spot.holder:
            raise PlanProblem(change.path, tr("There is no such entry to take away."), tr("Leave this change out."))
        del spot.holder[spot.key]
    else:
        spot.holder[spot.key] = value


def _put(items: list[Any], row: int, value: Any, name: str, change: PlanChange) -> None:
    """Replace, add or take away an item of a list."""
    if value is None:
        if row == len(items):
            raise PlanProblem(change.path, tr("There is no such item to take away."), tr("Leave this change out."))
        del items[row]
        return
    named = name or (items[row].get("name") if row < len(items) and isinstance(items[row], dict) else None)
    if isinstance(value, dict) and named is not None:
        value = {"name": named} | value
    items[row : row + 1] = [value]


def _with_unit(place: Place, value: Any) -> Any:
    """A bare number of cores, bytes or the like as text, as `cpu = 2` is meant."""
    bare = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) if bare and place.spelling is not None else value


def _scale(data: dict[str, Any], change: PlanChange) -> None:
    factor, names = change.value, [step.key for step in change.steps[1:] if isinstance(step, Item)]
    if len(names) != len(change.steps) - 1 or len(names) > 1:
        raise PlanProblem(
            change.path, tr("This is not a load."), tr("Write load = 1.5, or load[shop] = 1.5 for one workload.")
        )
    if isinstance(factor, bool) or not isinstance(factor, int | float):
        raise PlanProblem(
            change.path, tr("{factor!r} is not a factor.", factor=factor), tr("Write a number, such as 1.5.")
        )
    loaded = [item for item in data.get("workloads", ()) if item.get("traffic")]
    chosen = [item for item in loaded if not names or item["name"] in names]
    if not chosen:
        known = ", ".join(item["name"] for item in loaded[:20])
        remedy = tr("Choose one of {known}.", known=known) if known else tr("Give a workload traffic.")
        problem = tr("No workload of that name has traffic.") if names else tr("No workload has traffic.")
        raise PlanProblem(change.path, problem, remedy)
    for item in chosen:
        profile = item["traffic"]["profile"]
        if profile.get("type") == "scale":  # not nested further than needed: the depth is limited
            item["traffic"]["profile"] = profile | {"factor": profile.get("factor", 1.0) * factor}
        else:
            item["traffic"]["profile"] = {"type": "scale", "profile": profile, "factor": factor}
