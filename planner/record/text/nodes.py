"""What happens to nodes and to the pods on them, as sentences and tables."""

from planner.language.translation import marked, tr
from planner.record.decisions import Decision, Verdict
from planner.record.details.nodes import (
    DrainBegun,
    DrainEnded,
    DrainStopped,
    EvictionRefused,
    LimitEviction,
    NodeDetails,
    NotAdmitted,
    OomKill,
    OomScore,
    OrphanRemoved,
    PodsOnNode,
    PressureChange,
    PressureEviction,
    Reclaimed,
    TaintEviction,
    ZoneDisruption,
)
from planner.record.text.tables import Grid, Step, facts_grid, steps_grid
from planner.record.text.wording import counted, join, mebibytes, number_text, optional_number

_Lifecycle = PodsOnNode | ZoneDisruption | TaintEviction | PressureChange
_Drains = EvictionRefused | DrainBegun | DrainStopped | DrainEnded


def sentence(decision: Decision, details: NodeDetails) -> str:
    """What happened, and why."""
    if isinstance(details, _Lifecycle):
        return _lifecycle(decision, details)
    if isinstance(details, _Drains):
        return _drain(decision, details)
    match details:
        case PressureEviction():
            return _pressure_eviction(details)
        case LimitEviction(used, limit):
            amounts = tr(
                "{used} of scratch space, above the limit of {limit}", used=mebibytes(used), limit=mebibytes(limit)
            )
            return tr("The pod used {amounts} of its containers", amounts=amounts)
        case Reclaimed(freed):
            return tr("Deleted unused images and dead containers: {freed} freed", freed=mebibytes(freed))
        case OomKill():
            return _oom_killed(decision, details)
        case NotAdmitted(reason):
            has = tr("the node has ") if reason.endswith("Pressure") else ""
            return tr(
                "Rejected by the kubelet of {target}: {has}{reason}", target=decision.target, has=has, reason=reason
            )
        case OrphanRemoved(reason):
            return tr("Removed without having run on {target}: {reason}", target=decision.target, reason=reason)


def _lifecycle(decision: Decision, details: _Lifecycle) -> str:
    match details:
        case PodsOnNode(pods):
            return tr(_NODE_STATES[decision.verdict], pods=counted(pods, "pod"))
        case ZoneDisruption(state):
            return tr("Zone {subject} is in state {state}", subject=decision.subject, state=state)
        case TaintEviction(taints, tolerated_s):
            text = tr(
                "Deleted from {target} because of the taint {taints}",
                target=decision.target,
                taints=", ".join(taints) or "NoExecute",
            )
            return (
                tr("{text}, tolerated for {tolerated_s} s", text=text, tolerated_s=number_text(tolerated_s))
                if tolerated_s
                else text
            )
        case PressureChange(conditions):
            named = ", ".join(conditions)
            if decision.verdict is Verdict.PRESSURE_OVER:
                return tr("Node no longer has {named}", named=named)
            return tr("Node has {named}: only pods that tolerate it are scheduled there", named=named)


_NODE_STATES = {
    Verdict.UNREACHABLE: marked("Kubelet stopped posting node status: Ready is Unknown, {pods} marked not Ready"),
    Verdict.TAINTED: marked("NoExecute taint added: {pods} will be deleted when their tolerations expire"),
    Verdict.NODE_READY: marked("Node is Ready again with {pods}"),
}


def _pressure_eviction(details: PressureEviction) -> str:
    what = "memory" if "emory" in details.signal else "ephemeral-storage"
    kind, threshold = _kind(details), mebibytes(details.threshold)
    text = tr(
        "The node was low on resource: {what}. {signal} was {available}",
        what=what,
        signal=details.signal,
        available=mebibytes(details.available),
    )
    if details.minimum_reclaim:
        threshold += tr(
            " plus {minimum_reclaim} to reclaim at least", minimum_reclaim=mebibytes(details.minimum_reclaim)
        )
    amounts = tr("{used} of a request of {request}", used=mebibytes(details.used), request=mebibytes(details.request))
    return tr(
        "{text}, {kind} threshold {threshold}; the pod used {amounts}",
        text=text,
        kind=kind,
        threshold=threshold,
        amounts=amounts,
    )


def _oom_killed(decision: Decision, details: OomKill) -> str:
    what = tr("Container {container} OOMKilled", container=details.container) if details.container else "OOMKilled"
    text = tr(
        "{what} on {target} at {used_bytes}: {reason}",
        what=what,
        target=decision.target,
        used_bytes=mebibytes(details.used_bytes),
        reason=tr(details.reason),
    )
    if details.oom is not None:
        text += tr(
            ", oom_score {score:.0f} (oom_score_adj {adjustment})",
            score=details.oom.score,
            adjustment=details.oom.adjustment,
        )
        text += tr(", the highest of {containers}", containers=counted(details.oom.containers, "container"))
    wait_s = details.restart_wait_s
    if wait_s is None:
        return tr("{text}; the pod fails", text=text)
    return (
        tr("{text}; restarts after {wait_s} s", text=text, wait_s=number_text(wait_s))
        if wait_s
        else tr("{text}; restarts at once", text=text)
    )


def _kind(details: PressureEviction) -> str:
    return tr("hard") if details.is_hard else tr("soft")


def _drain(decision: Decision, details: _Drains) -> str:
    match details:
        case EvictionRefused():
            return _eviction_refused(details)
        case DrainBegun(pods, by):
            return tr("Cordoned, draining {pods} ({by})", pods=counted(pods, "pod"), by=tr(by))
        case DrainStopped(pod, reason, pods, by):
            more = tr(" and {pods}", pods=counted(pods - 1, "more pod")) if pods > 1 else ""
            return tr(
                "Cordoned, nothing evicted: {pod} {reason}{more}; only a drain with force evicts such pods ({by})",
                pod=pod,
                reason=reason,
                more=more,
                by=tr(by),
            )
        case DrainEnded(evicted, left, took_s, by):
            took, rest = f"{number_text(took_s)} s", tr("{left} left", left=counted(left, "pod"))
            if decision.verdict is Verdict.FAILED:
                return tr(
                    "Drain gave up after {took} with {rest}, {evicted} evicted ({by})",
                    took=took,
                    rest=rest,
                    evicted=evicted,
                    by=tr(by),
                )
            text = tr("Drained: {evicted} evicted in {took}", evicted=counted(evicted, "pod"), took=took)
            return f"{text}, {rest} ({tr(by)})" if left else f"{text} ({tr(by)})"


def _eviction_refused(details: EvictionRefused) -> str:
    if not details.budget:
        text = tr("Cannot evict pod: {reason}", reason=details.reason)
    else:
        text = tr("Cannot evict pod as it would violate the pod's disruption budget {budget}", budget=details.budget)
    if details.desired_healthy is not None:
        needs, has = counted(details.desired_healthy, "healthy pod"), optional_number(details.current_healthy)
        text += tr(", which needs {needs} and has {has}", needs=needs, has=has)
    return tr("{text} (code {code})", text=join(text, tr("requested by {by}", by=tr(details.by))), code=details.code)


# -- tables -----------------------------------------------------------------------------------


def tables(decision: Decision, details: NodeDetails) -> tuple[Grid, ...]:
    """The numbers behind what happened."""
    match details:
        case PressureEviction():
            steps: tuple[Step, ...] = (
                (tr("Signal"), details.signal),
                (tr("Available"), mebibytes(details.available)),
                (tr("Threshold"), f"{mebibytes(details.threshold)} ({_kind(details)})"),
                (tr("Minimum reclaim"), mebibytes(details.minimum_reclaim) if details.minimum_reclaim else ""),
                (tr("Pods compared"), number_text(details.pods)),
                (tr("Pod used"), mebibytes(details.used)),
                (tr("Pod requested"), mebibytes(details.request)),
                (tr("Priority of the pod"), str(details.priority)),
            )
        case LimitEviction(used, limit):
            steps = ((tr("Pod used"), mebibytes(used)), (tr("Limit"), mebibytes(limit)))
        case OomKill(oom=OomScore() as oom):
            return facts_grid(details._replace(oom=None)._asdict()), _oom_grid(decision, oom)
        case _:
            return (facts_grid(details._asdict()),)
    return (steps_grid(tr("Eviction"), steps),)


def _oom_grid(decision: Decision, oom: OomScore) -> Grid:
    rows = [(decision.subject, f"{oom.score:.0f}", str(oom.adjustment))]
    if oom.next_score is not None:
        rows.append((oom.next_pod, f"{oom.next_score:.0f}", ""))
    title = tr("Worst of {containers}", containers=counted(oom.containers, "container"))
    return Grid(title, (tr("Pod"), "oom_score", "oom_score_adj"), tuple(rows), (0,))
