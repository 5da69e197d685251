"""A variant: a name, and what it changes in the plan."""

from typing import Annotated

from pydantic import AfterValidator, Field

from planner.plan.values.change_text import parse_change, parse_uncertain
from planner.plan.values.fields import PlanModel, required, setting


def _change(text: str) -> str:
    parse_change(text)
    return text


def _uncertain(text: str) -> str:
    parse_uncertain(text)
    return text


ChangeText = Annotated[str, AfterValidator(_change), Field(min_length=1, max_length=1_000_000)]
"""`path = value`."""
UncertainText = Annotated[str, AfterValidator(_uncertain), Field(min_length=1, max_length=1_000_000)]
"""`path ~ distribution(numbers)`."""
Title = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^\S(.*\S)?$")]
"""A name that people choose: any text without blanks at its ends."""


class Variant(PlanModel):
    """The plan with some changes."""

    name: Title = required("Name", "What the variant is called in tables and answers.")
    notes: str = setting("", "Notes", "Free text about the variant.", max_length=10_000)
    changes: tuple[ChangeText, ...] = setting(
        (),
        "Changes",
        "One a line: the path of a value, as messages spell it, =, and the new value; null takes an item away.",
        max_length=1_000,
    )
