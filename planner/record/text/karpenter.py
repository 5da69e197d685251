"""Karpenter's decisions as sentences and tables, in the words of its events where there are any."""

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
            return f"Failed to schedule pod, {'; '.join(reasons)}"
        case LaunchRefused(reason):
            return f"No machine was bought: {reason}"
        case NodeDisruption():
            return _disruption(details)
        case DisruptionDropped(nodes, reason):
            return f"Consolidation of {some_of(nodes)} was rejected: {reason}"
        case NodeKept(reason):
            return f"Unconsolidatable: {reason}"
        case ClaimOutdated(reason):
            return f"NodeClaim: {reason}"


def _launch(details: MachineLaunch) -> str:
    others = details.option_count - 1
    choice = f"the cheapest of {details.option_count} types" if others > 0 else "the only type that was left"
    return (
        f"Launched {details.machine} ({details.capacity_type}, {details.zone}) for {counted(details.pods, 'pod')} "
        f"with {format_cpu(details.cpu_milli)} CPU: at {number_text(details.price_per_hour)} an hour {choice}"
    )


def _disruption(details: NodeDisruption) -> str:
    what = f"replaces {some_of(details.nodes)} by {some_of(details.replacements)}"
    text = what if details.replacements else f"deletes {some_of(details.nodes)}"
    return (
        f"{details.reason} ({details.method}): {text}, saving {number_text(details.savings_per_hour)} an hour; "
        f"moving the pods costs {number_text(details.cost)}"
    )


def tables(details: KarpenterDetails) -> tuple[Grid, ...]:
    """All that is known; the types that were left as a table of their own."""
    if isinstance(details, MachineLaunch):
        rows = tuple((each.name, number_text(each.price_per_hour)) for each in details.options)
        facts = {name: value for name, value in details._asdict().items() if name != "options"}
        return facts_grid(facts), Grid("Cheapest types that were left", ("Type", "Price per hour"), rows, (0,))
    return (facts_grid(details._asdict()),)


def headline(details: KarpenterDetails) -> str:
    """The decision in a few words."""
    match details:
        case MachineLaunch():
            return f"launched {details.machine}"
        case NoRoomFromPools():
            return "no pool has room"
        case LaunchRefused():
            return "no machine bought"
        case NodeDisruption():
            return "to be replaced" if details.replacements else "to be deleted"
        case DisruptionDropped():
            return "consolidation rejected"
        case NodeKept():
            return "stays"
        case ClaimOutdated(reason):
            return reason
