"""Karpenter's decisions as sentences and tables, in the words of its events where there are any."""

from planner.language.translation import tr
from planner.plan.values.money import in_currency
from planner.record.details.karpenter import (
    ClaimOutdated,
    DisruptedNode,
    DisruptionDropped,
    KarpenterDetails,
    LaunchRefused,
    MachineLaunch,
    NodeDisruption,
    NodeKept,
    NoRoomFromPools,
    OfferedType,
)
from planner.record.text.tables import Grid, Money, facts_grid
from planner.record.text.wording import counted, number_text, some_of
from planner.units import format_cpu


def sentence(details: KarpenterDetails, currency: str = "") -> str:
    """Why Karpenter decided so, with the currency of its prices where it is known."""
    match details:
        case MachineLaunch():
            return _launch(details, currency)
        case NoRoomFromPools(reasons):
            return tr("Failed to schedule pod, {reasons}", reasons="; ".join(reasons))
        case LaunchRefused(reason):
            return tr("No machine was bought: {reason}", reason=reason)
        case NodeDisruption():
            return _disruption(details, currency)
        case DisruptionDropped(nodes, reason):
            return tr("Consolidation of {nodes} was rejected: {reason}", nodes=some_of(nodes), reason=reason)
        case NodeKept(reason):
            return tr("Unconsolidatable: {reason}", reason=reason)
        case ClaimOutdated(reason):
            return tr("NodeClaim: {reason}", reason=tr(reason))


def _launch(details: MachineLaunch, currency: str) -> str:
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
        price_per_hour=_price(details.price_per_hour, currency),
        choice=choice,
    )


def _disruption(details: NodeDisruption, currency: str) -> str:
    what = tr(
        "replaces {nodes} by {replacements}", nodes=some_of(details.nodes), replacements=some_of(details.replacements)
    )
    text = what if details.replacements else tr("deletes {nodes}", nodes=some_of(details.nodes))
    return tr(
        "{reason} ({method}): {text}, saving {savings_per_hour} an hour; disruption cost of the pods {cost}",
        reason=details.reason,
        method=details.method,
        text=text,
        savings_per_hour=_price(details.savings_per_hour, currency),
        cost=number_text(details.cost),
    )


def _price(amount: float, currency: str) -> str:
    return in_currency(number_text(amount), currency) if currency else number_text(amount)


def tables(details: KarpenterDetails) -> tuple[Grid, ...]:
    """All that is known; the types that were left as a table of their own."""
    facts = {name: value for name, value in details._asdict().items() if name not in _TABLES}
    more: list[Grid] = []
    if isinstance(details, MachineLaunch):
        lacked = tuple((each.name, each.lacked) for each in details.passed_over)
        more.append(Grid(tr("Pools that were tried before"), (tr("Pool"), tr("Lacked")), lacked))
        more.append(_types(tr("Cheapest types that were left"), details.options))
    elif isinstance(details, NodeDisruption):
        more.append(_candidates(details.candidates))
        more.append(_types(tr("Types that the replacement may have"), details.options))
    return (facts_grid(facts), *(grid for grid in more if grid.rows))


_TABLES = ("options", "passed_over", "candidates")


def _types(title: str, options: tuple[OfferedType, ...]) -> Grid:
    rows = tuple((each.name, Money(number_text(each.price_per_hour))) for each in options)
    return Grid(title, (tr("Type"), tr("Price per hour")), rows, (0,))


def _candidates(nodes: tuple[DisruptedNode, ...]) -> Grid:
    columns = (
        tr("Node"),
        tr("Type"),
        tr("Market"),
        tr("Price per hour"),
        tr("Pods"),
        tr("Disruption cost"),
        tr("Allowed"),
    )
    rows = tuple(
        (
            each.name,
            each.machine,
            each.capacity_type,
            "" if each.price_per_hour is None else Money(number_text(each.price_per_hour)),
            str(each.pods),
            number_text(each.cost),
            str(each.allowed),
        )
        for each in nodes
    )
    return Grid(tr("Nodes that go, and how many budgets allow"), columns, rows)


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
            return tr("stays")
        case ClaimOutdated(reason):
            return tr(reason)
