"""Decisions about the requests of containers, as sentences and tables."""

from planner.language.translation import tr
from planner.record.details.requests import (
    ContainerRecommendation,
    PodUpdate,
    RequestDetails,
    RequestsRecommended,
    ResizeApplied,
    ResizePending,
)
from planner.record.text.tables import Grid
from planner.record.text.wording import number_text
from planner.units import US_PER_S, format_bytes, format_cpu, format_duration


def sentence(details: RequestDetails) -> str:
    """What is recommended, why a pod was evicted or resized, and what its kubelet made of that."""
    if isinstance(details, RequestsRecommended):
        parts = [f"{one.container} {one.resource} {_amount(one.resource, one.target)}" for one in details.containers]
        return tr("New targets: {parts} (vpa {vpa})", parts=", ".join(parts), vpa=details.vpa)
    if isinstance(details, ResizePending):
        wanted, room = (_amount(details.resource, amount) for amount in (details.wanted, details.room))
        if details.reason == "infeasible":
            return tr(
                "The node can never give it {wanted} of {resource}: it has {room}",
                wanted=wanted,
                resource=details.resource,
                room=room,
            )
        return tr(
            "The node cannot give it {wanted} of {resource} now: there is room for {room}",
            wanted=wanted,
            resource=details.resource,
            room=room,
        )
    changes = ", ".join(
        f"{one.container} {one.resource} {_before(one.resource, one.before)} \u2192 {_amount(one.resource, one.after)}"
        for one in details.changes
    )
    if isinstance(details, ResizeApplied):
        if details.restarted:
            return tr("Resized: {changes}; {names} restarts", changes=changes, names=", ".join(details.restarted))
        return tr("Resized: {changes}", changes=changes)
    if details.in_place:
        return tr(
            "Resized in place to apply the recommendation, {reason}: {changes} (vpa {vpa})",
            reason=_reason(details),
            changes=changes,
            vpa=details.vpa,
        )
    return tr(
        "Evicted to apply the recommendation, {reason}: {changes} (vpa {vpa})",
        reason=_reason(details),
        changes=changes,
        vpa=details.vpa,
    )


def tables(details: RequestDetails) -> tuple[Grid, ...]:
    """Bounds of each recommendation and what it rests on; changes of a pod."""
    if isinstance(details, RequestsRecommended):
        whose = tr("Container"), tr("Resource")
        amounts = (*whose, tr("Lower"), tr("Target"), tr("Upper"), tr("Before policy"))
        known = (*whose, tr("Use"), tr("Bucket"), tr("Samples"), tr("History"), tr("Confidence"))
        return (
            Grid(tr("Recommendation"), amounts, tuple(_amounts(one) for one in details.containers)),
            Grid(tr("What it rests on"), known, tuple(_known(one) for one in details.containers)),
        )
    if isinstance(details, ResizePending):
        wanted, room = (_amount(details.resource, amount) for amount in (details.wanted, details.room))
        row = (details.resource, wanted, room)
        return (Grid(tr("Requests"), (tr("Resource"), tr("Target"), tr("Room")), (row,)),)
    rows = tuple(
        (one.container, one.resource, _before(one.resource, one.before), _amount(one.resource, one.after))
        for one in details.changes
    )
    return (Grid(tr("Requests"), (tr("Container"), tr("Resource"), tr("Now"), tr("Target")), rows),)


def _amounts(one: ContainerRecommendation) -> tuple[str, ...]:
    amounts = (_amount(one.resource, amount) for amount in (one.lower, one.target, one.upper, one.uncapped))
    return (one.container, one.resource, *amounts)


def _known(one: ContainerRecommendation) -> tuple[str, ...]:
    bucket = f"{_amount(one.resource, one.used_from)} \u2013 {_amount(one.resource, one.used_to)}"
    history = format_duration(round(one.history_s) * US_PER_S)
    use = f"p{number_text(100 * one.share)}"
    return (one.container, one.resource, use, bucket, number_text(one.samples), history, f"{one.confidence:.2g}")


def _reason(details: PodUpdate) -> str:
    if details.outside:
        return tr("requests out of bounds")
    return tr("requests {difference} % off", difference=number_text(100 * details.difference))


def _before(resource: str, amount: int | None) -> str:
    return "none" if amount is None else _amount(resource, amount)


def _amount(resource: str, amount: int) -> str:
    return format_cpu(amount) if resource == "cpu" else format_bytes(amount)
