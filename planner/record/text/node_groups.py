"""The Cluster Autoscaler's decisions as sentences and tables, in the words of its events."""

from types import MappingProxyType

from planner.language.translation import marked, tr
from planner.language.values import percent
from planner.plan.model.autoscalers.expanders import ExpanderName
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
from planner.record.text.tables import Grid, Money, Step, steps_grid
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
        ScaleUpEvent.TIMED_OUT: marked("{nodes} of {group} did not register in time"),
        ScaleUpEvent.FAILED: marked("The cloud could not create {nodes} of {group}"),
        ScaleUpEvent.FAILED_TO_REVERT: marked("The target size of {group} could not be lowered by {nodes}: they exist"),
        ScaleUpEvent.REFUSED: marked("The cloud refused to add {nodes} to {group}"),
        ScaleUpEvent.DELETE_UNREGISTERED: marked("Removed unregistered node {group}"),
        ScaleUpEvent.MAX_NODES_TOTAL_REACHED: marked("The cluster has reached its maximum number of nodes"),
        ScaleUpEvent.CLUSTER_UNHEALTHY: marked("Too many nodes are not ready, or none is ready: no scaling"),
    }
)
_ASKED_AGAIN = marked(
    "; its pool is not in back-off and may be chosen again: an instance that is this late no "
    "longer counts as on its way, so the request had ended before it could time out"
)
_REMOVAL_FAILURES = MappingProxyType(
    {
        "NewPods": marked("pods were scheduled onto the node in the meantime"),
        "Blocked": marked("a pod now blocks the removal"),
        "EvictionRefused": marked("a pod could not be evicted in time"),
        "PodsRemain": marked("pods did not terminate in time"),
        "CloudRefused": marked("the cloud refused to delete the node"),
        "GroupStays": marked(
            "another node of its group could not be removed, and the group is removed only as a whole"
        ),
    }
)


def sentence(decision: Decision, details: NodeGroupDetails) -> str:
    """Why the Cluster Autoscaler decided so."""
    match details:
        case ScaleUp():
            return _triggered(decision, details)
        case Expendable(priority, cutoff):
            return tr(
                "pod didn't trigger scale-up: it is expendable, its priority {priority} is below the "
                "cutoff {cutoff} (expendablePodsPriorityCutoff)",
                priority=priority,
                cutoff=cutoff,
            )
        case NoScaleUp(refused):
            return tr("pod didn't trigger scale-up{after_colon}", after_colon=after_colon(refusals(refused)))
        case GroupProblem():
            return _problem(decision.subject, details)
        case NodeReview():
            return _reviewed(decision.verdict, details)
        case NodeRemoval():
            return _removal(decision, details)
        case RemovalFailed(reason):
            return tr("ScaleDownFailed: {get}", get=tr(_REMOVAL_FAILURES.get(reason, reason)))


def tables(decision: Decision, details: NodeGroupDetails) -> tuple[Grid, ...]:
    """What the Cluster Autoscaler looked at."""
    match details:
        case ScaleUp():
            return _scale_up_grids(decision, details)
        case NoScaleUp(refused, groups):
            rows = tuple((str(count), reason) for reason, count in refused.items())
            return Grid(tr("Why no pool can grow"), (tr("Pools"), tr("Reason")), rows), _rejected_grid(
                tr("Pool by pool"), groups
            )
        case Expendable(priority, cutoff):
            steps: tuple[Step, ...] = (
                (tr("Priority"), number_text(priority)),
                (tr("Cutoff"), number_text(cutoff)),
                (tr("That means"), tr("the pod waits for room that others leave, and no node is added for it")),
            )
            return (steps_grid(tr("Expendable pod"), steps),)
        case GroupProblem(event, nodes, cloud):
            steps = ((tr("Event"), event), (tr("Nodes"), optional_number(nodes)), (tr("Cloud"), cloud))
            return (steps_grid(tr("Scale-up"), steps),)
        case NodeReview():
            return (steps_grid(tr("Scale-down"), _review_steps(details)),)
        case NodeRemoval(is_drain, unneeded_s, moves):
            way = tr("its pods are evicted first") if is_drain else tr("it is empty")
            after = "" if unneeded_s is None else f"{number_text(unneeded_s)} s"
            moved = Grid(tr("Pods that leave"), (tr("Pod"), tr("Room was found on")), moves)
            return steps_grid(tr("Scale-down"), ((tr("Unneeded for"), after), (tr("How"), way))), moved
        case RemovalFailed(reason):
            steps = ((tr("Failed"), reason), (tr("That means"), tr(_REMOVAL_FAILURES.get(reason, ""))))
            return (steps_grid(tr("Scale-down"), steps),)


# -- scale-up ---------------------------------------------------------------------------------


def _problem(subject: str, details: GroupProblem) -> str:
    count = "nodes" if details.nodes is None else counted(details.nodes, "node")
    text = tr(_GROUP_EVENTS[details.event], group=subject, nodes=count)
    asked_again = tr(_ASKED_AGAIN) if details.in_backoff is False else ""
    return f"{details.event}: {text}{after_colon(details.cloud)}{asked_again}"


def _triggered(decision: Decision, details: ScaleUp) -> str:
    values = {one.expander: f" ({number_text(one.value)})" for one in details.figures}
    expanders = ", ".join(f"{name}{values.get(name, '')}" for name in _chain(details))
    options = "; ".join(map(_option, details.options))
    rejected = ", ".join(f"{one.group} ({one.reason})" for one in details.rejected)
    return join(
        tr(
            "pod triggered scale-up: {subject} {new_target}->{new_target_2}",
            subject=decision.subject,
            new_target=details.new_target - details.added,
            new_target_2=details.new_target,
        ),
        tr(
            "for {pods}{after_in_brackets}",
            pods=counted(details.pods, "pod"),
            after_in_brackets=after_in_brackets(_named(details)),
        ),
        expanders and tr("expander {expanders}", expanders=expanders),
        options and tr("options: {options}", options=options),
        _tie(decision.subject, details),
        rejected and tr("not considered: {rejected}", rejected=rejected),
    )


def _chain(details: ScaleUp) -> tuple[str, ...]:
    """The expanders that chose: one that draws is the end of every chain, and no filter that would be listed."""
    is_drawn = details.tie_break is TieBreak.DRAWN or bool(details.options and not details.expanders)
    return (*details.expanders, ExpanderName.RANDOM) if is_drawn else details.expanders


def _named(details: ScaleUp) -> str:
    more = details.pods - len(details.triggers)
    rest = (tr("and {more} more", more=more),) if details.triggers and more else ()
    return ", ".join((*details.triggers, *rest))


def _tie(chosen: str, details: ScaleUp) -> str:
    """Which option was taken of several that are equal, and how."""
    if details.tie_break is None:
        return ""
    tied = ", ".join(details.tied)
    if details.tie_break is TieBreak.DRAWN:
        return tr("drawn at random among {tied}", tied=tied)
    return tr("equal: {tied}, the first by name was taken", tied=tied)


def _option(option: WeighedOption) -> str:
    text = tr(
        "{group}: {nodes} for {pods}",
        group=option.group,
        nodes=counted(option.nodes, "node"),
        pods=counted(option.pods, "pod"),
    )
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
            Money(optional_number(option.price_per_hour)),
        )
        for option in details.options
    )
    chosen = tuple(row for row, option in enumerate(details.options) if option.group == decision.subject)
    steps = (
        (tr("Pods that triggered it"), number_text(details.pods)),
        (tr("Among them"), _named(details)),
        (tr("Expanders"), ", ".join(_chain(details))),
        (tr("Tie"), _tie(decision.subject, details)),
        (tr("New nodes"), number_text(details.added)),
        (tr("New target size"), number_text(details.new_target)),
    )
    columns = (tr("Pool"), tr("Rank"), tr("Nodes"), tr("Pods"), *expanders, tr("Price per hour"))
    options = Grid(tr("Options"), columns, rows, chosen)
    return options, steps_grid(tr("Scale-up"), steps), _rejected_grid(tr("Pools that were no option"), details.rejected)


def _rejected_grid(title: str, groups: tuple[RejectedGroup, ...]) -> Grid:
    return Grid(title, (tr("Pool"), tr("Reason")), tuple((one.group, one.reason) for one in groups))


def _cells(figures: tuple[ExpanderFigure, ...], expanders: list[str]) -> list[str]:
    values = dict(figures)
    return [optional_number(values.get(name)) for name in expanders]


# -- scale-down -------------------------------------------------------------------------------


def _reviewed(verdict: Verdict, details: NodeReview) -> str:
    used = tr(
        ", utilization {utilization} (threshold {threshold})",
        utilization=number_text(details.utilization),
        threshold=number_text(details.threshold),
    )
    if verdict is Verdict.UNNEEDED:
        wait = "" if details.wait_s is None else number_text(details.wait_s)
        after = tr(", may be removed once unneeded for more than {wait} s", wait=wait) if wait else ""
        return tr("node is unneeded: its pods fit elsewhere{used}{after}", used=used, after=after)
    text = tr("node is needed again") if verdict is Verdict.NEEDED_AGAIN else tr("node cannot be removed")
    reason = (
        tr("{reason}: {pod_reason} (pod {pod})", reason=details.reason, pod_reason=details.pod_reason, pod=details.pod)
        if details.pod
        else details.reason
    )
    return f"{text}{after_colon(reason)}{used}"


def _review_steps(details: NodeReview) -> tuple[Step, ...]:
    return (
        (tr("Utilization"), percent(details.utilization)),
        (tr("Reason"), details.reason),
        (tr("That means"), meaning_of(details.reason)),
        (tr("Pod that blocks"), details.pod),
        (tr("Why it blocks"), details.pod_reason),
        (tr("Which means"), meaning_of(details.pod_reason)),
    )


def _removal(decision: Decision, details: NodeRemoval) -> str:
    event = "ScaleDown" if details.is_drain else "ScaleDownEmpty"
    if decision.verdict is Verdict.REMOVED:
        text = tr("node removed after its pods were evicted") if details.is_drain else tr("empty node removed")
        return f"{event}: {text}"
    kind, pods = ("node", tr(" after evicting its pods")) if details.is_drain else (tr("empty node"), "")
    unneeded = (
        tr(", unneeded for {unneeded_s} s", unneeded_s=number_text(details.unneeded_s))
        if details.unneeded_s is not None
        else ""
    )
    moves = ", ".join(tr("{pod} to {to}", pod=move.pod, to=move.to) if move.to else move.pod for move in details.moves)
    return join(
        tr(
            "{event}: removing {kind} {subject}{pods}{unneeded}",
            event=event,
            kind=kind,
            subject=decision.subject,
            pods=pods,
            unneeded=unneeded,
        ),
        moves and tr("room was found for {moves}", moves=moves),
    )
