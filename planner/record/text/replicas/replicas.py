"""Decisions about replicas, by the component that decided."""

from planner.language.translation import tr
from planner.record.decisions import Decision
from planner.record.details.replicas import EventScaling, JobsMade, ProportionalSize, ReplicaDetails
from planner.record.text.replicas import evaluation, evaluation_steps, event_scaling
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import number_text


def sentence(decision: Decision, details: ReplicaDetails) -> str:
    """Why the number of replicas is what it is."""
    if isinstance(details, ProportionalSize):
        return _proportional(details)
    if isinstance(details, EventScaling | JobsMade):
        return event_scaling.sentence(decision, details)
    return evaluation.sentence(decision, details)


def tables(details: ReplicaDetails) -> tuple[Grid, ...]:
    """The computation step by step, and the conditions it leaves behind."""
    if isinstance(details, ProportionalSize):
        steps = _proportional_steps(details)
        return (steps_grid(tr("Cluster proportional autoscaler"), steps, tr(evaluation_steps.SIZE)),)
    if isinstance(details, EventScaling | JobsMade):
        return event_scaling.tables(details)
    return evaluation_steps.tables(details)


def _proportional(details: ProportionalSize) -> str:
    return tr(
        "New size: {desired} (was {current}); {autoscaler} counts {nodes} nodes with {cores} cores, {mode} mode",
        desired=details.desired,
        current=details.current,
        autoscaler=details.autoscaler,
        nodes=details.nodes,
        cores=details.cores,
        mode=details.mode,
    )


def _proportional_steps(details: ProportionalSize) -> tuple[Step, ...]:
    return (
        (tr("Autoscaler"), details.autoscaler),
        (tr("Nodes"), number_text(details.nodes)),
        (tr("Cores"), number_text(details.cores)),
        (tr("Mode"), details.mode),
        evaluation_steps.size_step(details.current, details.desired),
    )
