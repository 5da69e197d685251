"""The Cluster Autoscaler's decisions as sentences and tables, in the words of its events."""

from types import MappingProxyType

from planner.record.decisions import Decision, Verdict
from planner.record.details.node_groups import (
    ExpanderFigure,
    Expendable,
    GroupProblem,
    NodeGroupDetails,
    NodeRemoval,
    NodeReview,
    NoScaleUp,
    RejectedGroup,
    RemovalFailed,
    ScaleUp,
    ScaleUpEvent,
    TieBreak,
    WeighedOption,
)
from planner.record.text.removal_reasons import meaning_of
from planner.record.text.tables import Grid, Step, steps_grid
from planner.record.text.wording import (
    after_colon,
    after_in_brackets,
    counted,
    join,
    number_text,
    optional_number,
    refusals,
)

_GROUP_EVENTS = MappingProxyType(
    {
        ScaleUpEvent.TIMED_OUT: "{nodes} of {group} did not register in time",
        ScaleUpEvent.FAILED: "The cloud could not create {nodes} of {group}",
        ScaleUpEvent.FAILED_TO_REVERT: "The target size of {group} could not be lowered by {nodes}: they exist",
        ScaleUpEvent.REFUSED: "The cloud refused to add {nodes} to {group}",
        ScaleUpEvent.DELETE_UNREGISTERED: "Removed unregistered node {group}",
        ScaleUpEvent.MAX_NODES_TOTAL_REACHED: "The cluster has reached its maximum number of nodes",
        ScaleUpEvent.CLUSTER_UNHEALTHY: "Too many nodes are not ready, or none is ready: no scaling",
    }
)
_ASKED_AGAIN = (
    "; its pool is not in back-off and may be chosen again: an instance that is this late no longer counts as on its "
    "way, so the request had ended before it could time out"
)
_REMOVAL_FAILURES = MappingProxyType(
    {
        "NewPods": "pods were scheduled onto the node in the meantime",
        "Blocked": "a pod now blocks the removal",
        "EvictionRefused": "a pod could not be evicted in time",
        "PodsRemain": "pods did not terminate in time",
        "CloudRefused": "the cloud refused to delete the node",
        "GroupStays": "another node of its group could not be removed, and the group is removed only as a whole",
    }
)


def sentence(decision: Decision, details: NodeGroupDetails) -> str:
    """Why the Cluster Autoscaler decided so."""
    match details:
        case ScaleUp():
            return _triggered(decision, details)
        case Expendable(priority, cutoff):
            return (
                f"pod didn't trigger scale-up: it is expendable, its priority {priority} is below the cutoff {cutoff} "
                "(expendablePodsPriorityCutoff)"
            )
        case NoScaleUp(refused):
            return f"pod didn't trigger scale-up{after_colon(refusals(refused))}"
        case GroupProblem():
            return _problem(decision.subject, details)
        case NodeReview():
            return _reviewed(decision.verdict, details)
        case NodeRemoval():
            return _removal(decision, details)
        case RemovalFailed(reason):
            return f"ScaleDownFailed: {_REMOVAL_FAILURES.get(reason, reason)}"


def tables(decision: Decision, details: NodeGroupDetails) -> tuple[Grid, ...]:
    """What the Cluster Autoscaler looked at."""
    match details:
        case ScaleUp():
            return _scale_up_grids(decision, details)
        case NoScaleUp(refused, groups):
            rows = tuple((str(count), reason) for reason, count in refused.items())
            return Grid("Why no pool can grow", ("Pools", "Reason"), rows), _rejected_grid("Pool by pool", groups)
        case Expendable(priority, cutoff):
            steps: tuple[Step, ...] = (
                ("Priority", number_text(priority)),
                ("Cutoff", number_text(cutoff)),
                ("That means", "the pod waits for room that others leave, and no node is added for it"),
            )
            return (steps_grid("Expendable pod", steps),)
        case GroupProblem(event, nodes, cloud):
            steps = (("Event", event), ("Nodes", optional_number(nodes)), ("Cloud", cloud))
            return (steps_grid("Scale-up", steps),)
        case NodeReview():
            return (steps_grid("Scale-down", _review_steps(details)),)
        case NodeRemoval(is_drain, unneeded_s, moves):
            way = "its pods are evicted first" if is_drain else "it is empty"
            after = "" if unneeded_s is None else f"{number_text(unneeded_s)} s"
            moved = Grid("Pods that leave", ("Pod", "Room was found on"), moves)
            return steps_grid("Scale-down", (("Unneeded for", after), ("How", way))), moved
        case RemovalFailed(reason):
            steps = (("Failed", reason), ("That means", _REMOVAL_FAILURES.get(reason, "")))
            return (steps_grid("Scale-down", steps),)


# -- scale-up ---------------------------------------------------------------------------------


def _problem(subject: str, details: GroupProblem) -> str:
    count = "nodes" if details.nodes is None else counted(details.nodes, "node")
    text = _GROUP_EVENTS[details.event].format(group=subject, nodes=count)
    asked_again = _ASKED_AGAIN if details.in_backoff is False else ""
    return f"{details.event}: {text}{after_colon(details.cloud)}{asked_again}"


def _triggered(decision: Decision, details: ScaleUp) -> str:
    values = {one.expander: f" ({number_text(one.value)})" for one in details.figures}
    expanders = ", ".join(f"{name}{values.get(name, '')}" for name in details.expanders)
    options = "; ".join(map(_option, details.options))
    rejected = ", ".join(f"{one.group} ({one.reason})" for one in details.rejected)
    return join(
        f"pod triggered scale-up: {decision.subject} {details.new_target - details.added}->{details.new_target}",
        f"for {counted(details.pods, 'pod')}{after_in_brackets(_named(details))}",
        expanders and f"expander {expanders}",
        options and f"options: {options}",
        _tie(decision.subject, details),
        rejected and f"not considered: {rejected}",
    )


def _named(details: ScaleUp) -> str:
    more = details.pods - len(details.triggers)
    rest = (f"and {more} more",) if details.triggers and more else ()
    return ", ".join((*details.triggers, *rest))


def _tie(chosen: str, details: ScaleUp) -> str:
    """Which option was taken of several that are equal, and how."""
    if details.tie_break is None:
        return ""
    tied = ", ".join(details.tied)
    if details.tie_break is TieBreak.DRAWN:
        return f"drawn at random among {tied}"
    return f"equal: {tied}, the first by name was taken"


def _option(option: WeighedOption) -> str:
    text = f"{option.group}: {counted(option.nodes, 'node')} for {counted(option.pods, 'pod')}"
    return text + after_in_brackets(", ".join(f"{one.expander} {number_text(one.value)}" for one in option.figures))


def _scale_up_grids(decision: Decision, details: ScaleUp) -> tuple[Grid, ...]:
    expanders = list(dict.fromkeys(one.expander for option in details.options for one in option.figures))
    rows = tuple(
        (
            option.group,
            number_text(option.rank) if option.rank else "",
            str(option.nodes),
            str(option.pods),
            *_cells(option.figures, expanders),
            optional_number(option.price_per_hour),
        )
        for option in details.options
    )
    chosen = tuple(row for row, option in enumerate(details.options) if option.group == decision.subject)
    steps = (
        ("Pods that triggered it", number_text(details.pods)),
        ("Among them", _named(details)),
        ("Expanders", " ".join(details.expanders)),
        ("Tie", _tie(decision.subject, details)),
        ("New nodes", number_text(details.added)),
        ("New target size", number_text(details.new_target)),
    )
    columns = ("Pool", "Rank", "Nodes", "Pods", *expanders, "Price per hour")
    options = Grid("Options", columns, rows, chosen)
    return options, steps_grid("Scale-up", steps), _rejected_grid("Pools that were no option", details.rejected)


def _rejected_grid(title: str, groups: tuple[RejectedGroup, ...]) -> Grid:
    return Grid(title, ("Pool", "Reason"), tuple((one.group, one.reason) for one in groups))


def _cells(figures: tuple[ExpanderFigure, ...], expanders: list[str]) -> list[str]:
    values = dict(figures)
    return [optional_number(values.get(name)) for name in expanders]


# -- scale-down -------------------------------------------------------------------------------


def _reviewed(verdict: Verdict, details: NodeReview) -> str:
    used = f", utilization {number_text(details.utilization)} (threshold {number_text(details.threshold)})"
    if verdict is Verdict.UNNEEDED:
        wait = "" if details.wait_s is None else number_text(details.wait_s)
        after = f", may be removed once unneeded for more than {wait} s" if wait else ""
        return f"node is unneeded: its pods fit elsewhere{used}{after}"
    text = "node is needed again" if verdict is Verdict.NEEDED_AGAIN else "node cannot be removed"
    reason = f"{details.reason}: {details.pod_reason} (pod {details.pod})" if details.pod else details.reason
    return f"{text}{after_colon(reason)}{used}"


def _review_steps(details: NodeReview) -> tuple[Step, ...]:
    return (
        ("Utilization", f"{100.0 * details.utilization:.1f} %"),
        ("Reason", details.reason),
        ("That means", meaning_of(details.reason)),
        ("Pod that blocks", details.pod),
        ("Why it blocks", details.pod_reason),
        ("Which means", meaning_of(details.pod_reason)),
    )


def _removal(decision: Decision, details: NodeRemoval) -> str:
    event = "ScaleDown" if details.is_drain else "ScaleDownEmpty"
    if decision.verdict is Verdict.REMOVED:
        text = "node removed after its pods were evicted" if details.is_drain else "empty node removed"
        return f"{event}: {text}"
    kind, pods = ("node", " after evicting its pods") if details.is_drain else ("empty node", "")
    unneeded = f", unneeded for {number_text(details.unneeded_s)} s" if details.unneeded_s is not None else ""
    moves = ", ".join(f"{move.pod} to {move.to}" if move.to else move.pod for move in details.moves)
    return join(f"{event}: removing {kind} {decision.subject}{pods}{unneeded}", moves and f"room was found for {moves}")
