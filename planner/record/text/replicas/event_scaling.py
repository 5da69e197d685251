"""Polls of KEDA as sentences, and what its triggers read."""

from planner.language.translation import tr
from planner.record.decisions import Decision
from planner.record.details.replicas import EventScaling, JobsMade
from planner.record.object_lists import status_word
from planner.record.text.tables import Grid
from planner.record.text.wording import after_in_brackets, counted, join, number_text

Poll = EventScaling | JobsMade


def sentence(decision: Decision, details: Poll) -> str:
    """What a poll found and did."""
    values = ", ".join(f"{one.trigger} {_reading(one.value)}" for one in details.readings)
    if isinstance(details, JobsMade):
        made = tr("{created} made, {running} running", created=counted(details.created, "job"), running=details.running)
        return join(made, values) + after_in_brackets(details.scaled_job)
    if details.current != details.desired:
        text = tr(
            "New size: {desired} (was {current}); {condition}",
            desired=details.desired,
            current=details.current,
            condition=details.condition,
        )
    else:
        text = f"{tr(decision.verdict.value)}: {details.condition}"
        text = text[0].upper() + text[1:]
    return join(text, values) + after_in_brackets(details.scaled_object)


def tables(details: Poll) -> tuple[Grid, ...]:
    """The triggers with their values, and the conditions after the poll."""
    rows = tuple((one.trigger, _reading(one.value), number_text(one.activation)) for one in details.readings)
    triggers = Grid(tr("Triggers"), (tr("Trigger"), tr("Value"), tr("Active above")), rows)
    if not details.conditions:
        return (triggers,)
    states = tuple((one.type, status_word(one.status), one.reason) for one in details.conditions)
    return triggers, Grid(tr("Conditions"), (tr("Condition"), tr("Status"), tr("Reason")), states)


def _reading(value: float | None) -> str:
    return tr("failed") if value is None else number_text(value)
