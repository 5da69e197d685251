"""Hints on measured numbers that the plan no longer has."""

from collections.abc import Iterator

from planner.language.translation import tr
from planner.plan.derived.named_values import named_value
from planner.plan.hints.hint import Hint
from planner.plan.model.plan import Plan


def measured_hints(plan: Plan) -> Iterator[Hint]:
    """Values that differ from what was measured, and values that are gone."""
    for index, number in enumerate(plan.measured):
        now = named_value(plan, number.path)
        where = f"measured[{index}]"
        if now is None:
            yield Hint(where, tr("The plan has no {path} any more.", path=number.path), tr("Remove the entry."))
        elif now != number.value:
            text = tr("{path} is {now}, but {value} was measured.", path=number.path, now=now, value=number.value)
            yield Hint(where, text, tr("Set it to the measured value, or remove the entry."))
