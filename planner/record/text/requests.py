"""Decisions about the requests of containers, as sentences and tables."""

from planner.language.translation import tr
from planner.record.details.requests import ContainerRecommendation, PodUpdate, RequestDetails, RequestsRecommended
from planner.record.text.tables import Grid
from planner.record.text.wording import number_text
from planner.units import format_bytes, format_cpu


def sentence(details: RequestDetails) -> str:
    """What is recommended, or why a pod was evicted."""
    if isinstance(details, RequestsRecommended):
        parts = [f"{one.container} {one.resource} {_amount(one.resource, one.target)}" for one in details.containers]
        return tr("New targets: {parts} (vpa {vpa})", parts=", ".join(parts), vpa=details.vpa)
    changes = ", ".join(
        f"{one.container} {one.resource} {_before(one.resource, one.before)} \u2192 {_amount(one.resource, one.after)}"
        for one in details.changes
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
        titles = (
            tr("Container"),
            tr("Resource"),
            tr("Lower"),
            tr("Target"),
            tr("Upper"),
            tr("Before policy"),
            tr("Samples"),
            tr("History"),
        )
        return (Grid(tr("Recommendation"), titles, tuple(_row(one) for one in details.containers)),)
    rows = tuple(
        (one.container, one.resource, _before(one.resource, one.before), _amount(one.resource, one.after))
        for one in details.changes
    )
    return (Grid(tr("Requests"), (tr("Container"), tr("Resource"), tr("Now"), tr("Target")), rows),)


def _row(one: ContainerRecommendation) -> tuple[str, ...]:
    amounts = (_amount(one.resource, amount) for amount in (one.lower, one.target, one.upper, one.uncapped))
    return (one.container, one.resource, *amounts, number_text(one.samples), f"{number_text(one.history_s / 3600)} h")


def _reason(details: PodUpdate) -> str:
    if details.outside:
        return tr("requests out of bounds")
    return tr("requests {difference} % off", difference=number_text(100 * details.difference))


def _before(resource: str, amount: int | None) -> str:
    return "none" if amount is None else _amount(resource, amount)


def _amount(resource: str, amount: int) -> str:
    return format_cpu(amount) if resource == "cpu" else format_bytes(amount)
