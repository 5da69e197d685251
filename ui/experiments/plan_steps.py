"""Edits of a plan's experiments and variants: each returns the plan after the edit.

Raises PlanProblem or PlanProblems for what a plan refuses; ValueError, with a sentence for the user, for a name that is
taken.
"""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication

from planner.errors import PlannerError
from planner.plan.edits.edit import replace_at
from planner.plan.model.experiments.experiment import Experiment
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import Plan
from planner.plan.variants.application import with_changes
from planner.plan.variants.between import changes_between
from ui.experiments.first_settings import first_settings
from ui.experiments.questions import models, question_of

translate = QCoreApplication.translate


def experiment_named(plan: Plan, name: str) -> Experiment | None:
    """The experiment with this name; None if it is gone."""
    return next((one for one in plan.experiments if one.name == name), None)


def variant_named(plan: Plan, name: str) -> Variant | None:
    """The variant with this name; None if it is gone."""
    return next((one for one in plan.variants if one.name == name), None)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name, with a number behind it if it is taken."""
    known, name, number = set(taken), wanted, 1
    while name in known:
        number += 1
        name = f"{wanted} {number}"
    return name


def with_new_experiment(plan: Plan, kind: str) -> tuple[Plan, str]:
    """The plan with an experiment of that kind, and its name."""
    name = free_name(question_of(kind), (one.name for one in plan.experiments))
    experiment = models()[kind](type=kind, name=name, **first_settings(plan, kind))
    return replace_at(plan, ("experiments",), (*plan.experiments, experiment)), name


def vast_count(plan: Plan, experiment: Experiment) -> int | None:
    """How many runs it takes if they are so many that the user should know first; None for a space that does not fit
    the plan, too.
    """
    from planner.experiments.kinds.registry import MOST_RUNS, run_count  # with them comes what simulates

    try:
        count = run_count(plan, experiment)
    except PlannerError:
        return None
    return count if count > MOST_RUNS else None


def with_setting(plan: Plan, name: str, field: str, value: object) -> Plan:
    """The plan with one setting of an experiment changed."""
    row = [one.name for one in plan.experiments].index(name)
    return replace_at(plan, ("experiments", row, field), value)


def without_experiment(plan: Plan, name: str) -> Plan:
    """The plan without that experiment."""
    return replace_at(plan, ("experiments",), tuple(one for one in plan.experiments if one.name != name))


def renamed_experiment(plan: Plan, old: str, new: str) -> Plan:
    """The plan with an experiment under another name."""
    _check_free(new, [one.name for one in plan.experiments if one.name != old])
    return with_setting(plan, old, "name", new)


def with_new_variant(plan: Plan, wanted: str, changes: Sequence[str] = ()) -> tuple[Plan, str]:
    """The plan with one more variant, and its name."""
    name = free_name(wanted, (one.name for one in plan.variants))
    return replace_at(plan, ("variants",), (*plan.variants, Variant(name=name, changes=tuple(changes)))), name


def duplicated_variant(plan: Plan, name: str) -> tuple[Plan, str]:
    """The plan with a copy of that variant behind it, and the copy's name."""
    row = [one.name for one in plan.variants].index(name)
    copy = plan.variants[row].model_copy(update={"name": free_name(name, (one.name for one in plan.variants))})
    return replace_at(plan, ("variants",), (*plan.variants[: row + 1], copy, *plan.variants[row + 1 :])), copy.name


def with_variant_changes(plan: Plan, name: str, changes: Sequence[str]) -> Plan:
    """The plan with other changes in a variant; they are tried out first."""
    with_changes(plan, changes)
    row = [one.name for one in plan.variants].index(name)
    return replace_at(plan, ("variants", row, "changes"), tuple(changes))


def without_variant(plan: Plan, name: str) -> Plan:
    """The plan without that variant; experiments no longer name it."""
    kept = replace_at(plan, ("variants",), tuple(one for one in plan.variants if one.name != name))
    return _with_references(kept, name, None)


def renamed_variant(plan: Plan, old: str, new: str) -> Plan:
    """The plan with a variant under another name, also where experiments name it."""
    _check_free(new, [one.name for one in plan.variants if one.name != old])
    row = [one.name for one in plan.variants].index(old)
    return _with_references(replace_at(plan, ("variants", row, "name"), new), old, new)


def with_change_as_variant(saved: Plan, plan: Plan, wanted: str) -> tuple[Plan, str]:
    """The saved plan, with what was changed since as a variant, and its name. Raises ValueError without a change."""
    changes = changes_between(saved, plan)
    if not changes:
        raise ValueError(
            translate("Variants", "Nothing was changed since the plan was saved. Change the plan first, or type the "
                      "changes into a new variant.")
        )  # fmt: skip
    kept = {field: getattr(plan, field) for field in ("variants", "experiments", "uncertain_inputs", "name", "notes")}
    return with_new_variant(saved.model_copy(update=kept), wanted, changes)


def with_difference_as_variant(plan: Plan, other: Plan, wanted: str) -> tuple[Plan, str]:
    """The plan with another plan as its variant, and its name. Raises ValueError if both are alike."""
    changes = changes_between(plan, other)
    if not changes:
        raise ValueError(translate("Variants", "The other plan does not differ from this one."))
    return with_new_variant(plan, wanted, changes)


def plan_of_variant(plan: Plan, variant: Variant) -> Plan:
    """The plan with a variant's changes made, and with its experiments. Raises PlanProblems."""
    kept = {field: getattr(plan, field) for field in ("variants", "experiments", "uncertain_inputs")}
    return with_changes(plan, variant.changes).model_copy(update=kept)


def _check_free(name: str, taken: Iterable[str]) -> None:
    if name in taken:
        text = translate("Variants", "The name “{name}” is taken. Choose another one.")
        raise ValueError(text.format(name=name))


def _with_references(plan: Plan, old: str, new: str | None) -> Plan:
    """Experiments name `new` where they named `old`; with None they name it no longer."""
    for row, one in enumerate(plan.experiments):
        if getattr(one, "variant", "") == old:
            plan = replace_at(plan, ("experiments", row, "variant"), new or "")
        named = getattr(one, "variants", ())
        if old in named:
            found = (new if name == old else name for name in named)
            plan = replace_at(plan, ("experiments", row, "variants"), tuple(name for name in found if name))
    return plan
