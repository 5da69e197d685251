"""Karpenter's decisions as sentences and tables, in the words of its events where there are any."""

from planner.language.translation import tr
from planner.record.details.karpenter import (
    ClaimOutdated,
    DisruptionDropped,
    KarpenterDetails,
    LaunchRefused,
    MachineLaunch,
    NodeDisruption,
    NodeKept,
    NoRoomFromPools,
)
from planner.record.text.tables import Grid, facts_grid
from planner.record.text.wording import counted, number_text, some_of
from planner.units import format_cpu


def sentence(details: KarpenterDetails) -> str:
    """Why Karpenter decided so."""
    match details:
        case MachineLaunch():
            return _launch(details)
        case NoRoomFromPools(reasons):
            return tr("Failed to schedule pod, {reasons}", reasons="; ".join(reasons))
        case LaunchRefused(reason):
            return tr("No machine was bought: {reason}", reason=reason)
        case NodeDisruption():
            return _disruption(details)
        case DisruptionDropped(nodes, reason):
            return tr("Consolidation of {nodes} was rejected: {reason}", nodes=some_of(nodes), reason=reason)
        case NodeKept(reason):
            return tr("Unconsolidatable: {reason}", reason=reason)
        case ClaimOutdated(reason):
            return tr("NodeClaim: {reason}", reason=reason)


def _launch(details: MachineLaunch) -> str:
    others = details.option_count - 1
    choice = (
        tr("the cheapest of {option_count} types", option_count=details.option_count)
        if others > 0
        else tr("the only type that was left")
    )
    return tr(
        "Launched {machine} ({capacity_type}, {zone}) for {pods} with {cpu_milli} CPU: at "
        "{price_per_hour} an hour {choice}",
        machine=details.machine,
        capacity_type=details.capacity_type,
        zone=details.zone,
        pods=counted(details.pods, "pod"),
        cpu_milli=format_cpu(details.cpu_milli),
        price_per_hour=number_text(details.price_per_hour),
        choice=choice,
    )


def _disruption(details: NodeDisruption) -> str:
    what = tr(
        "replaces {nodes} by {replacements}", nodes=some_of(details.nodes), replacements=some_of(details.replacements)
    )
    text = what if details.replacements else tr("deletes {nodes}", nodes=some_of(details.nodes))
    return tr(
        "{reason} ({method}): {text}, saving {savings_per_hour} an hour; moving the pods costs {cost}",
        reason=details.reason,
        method=details.method,
        text=text,
        savings_per_hour=number_text(details.savings_per_hour),
        cost=number_text(details.cost),
    )


def tables(details: KarpenterDetails) -> tuple[Grid, ...]:
    """All that is known; the types that were left as a table of their own."""
    if isinstance(details, MachineLaunch):
        rows = tuple((each.name, number_text(each.price_per_hour)) for each in details.options)
        facts = {name: value for name, value in details._asdict().items() if name != "options"}
        return facts_grid(facts), Grid(
            tr("Cheapest types that were left"), (tr("Type"), tr("Price per hour")), rows, (0,)
        )
    return (facts_grid(details._asdict()),)


def headline(details: KarpenterDetails) -> str:
    """The decision in a few words."""
    match details:
        case MachineLaunch():
            return tr("launched {machine}", machine=details.machine)
        case NoRoomFromPools():
            return tr("no pool has room")
        case LaunchRefused():
            return tr("no machine bought")
        case NodeDisruption():
            return tr("to be replaced") if details.replacements else tr("to be deleted")
        case DisruptionDropped():
            return tr("consolidation rejected")
        case NodeKept():
            return "stays"
        case ClaimOutdated(reason):
            return reason
