"""What happens to nodes and to the pods on them, as sentences and tables."""

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
            amounts = f"{mebibytes(used)} of scratch space, above the limit of {mebibytes(limit)}"
            return f"The pod used {amounts} of its containers"
        case Reclaimed(freed):
            return f"Deleted unused images and dead containers: {mebibytes(freed)} freed"
        case OomKill():
            return _oom_killed(decision, details)
        case NotAdmitted(reason):
            has = "the node has " if reason.endswith("Pressure") else ""
            return f"Rejected by the kubelet of {decision.target}: {has}{reason}"
        case OrphanRemoved(reason):
            return f"Removed without having run on {decision.target}: {reason}"


def _lifecycle(decision: Decision, details: _Lifecycle) -> str:
    match details:
        case PodsOnNode(pods):
            return _NODE_STATES[decision.verdict].format(pods=counted(pods, "pod"))
        case ZoneDisruption(state):
            return f"Zone {decision.subject} is in state {state}"
        case TaintEviction(taints, tolerated_s):
            text = f"Deleted from {decision.target} because of the taint {', '.join(taints) or 'NoExecute'}"
            return f"{text}, tolerated for {number_text(tolerated_s)} s" if tolerated_s else text
        case PressureChange(conditions):
            named = ", ".join(conditions)
            if decision.verdict is Verdict.PRESSURE_OVER:
                return f"Node no longer has {named}"
            return f"Node has {named}: only pods that tolerate it are scheduled there"


_NODE_STATES = {
    Verdict.UNREACHABLE: "Kubelet stopped posting node status: Ready is Unknown, {pods} marked not Ready",
    Verdict.TAINTED: "NoExecute taint added: {pods} will be deleted when their tolerations expire",
    Verdict.NODE_READY: "Node is Ready again with {pods}",
}


def _pressure_eviction(details: PressureEviction) -> str:
    what = "memory" if "emory" in details.signal else "ephemeral-storage"
    kind, threshold = "hard" if details.is_hard else "soft", mebibytes(details.threshold)
    text = f"The node was low on resource: {what}. {details.signal} was {mebibytes(details.available)}"
    if details.minimum_reclaim:
        threshold += f" plus {mebibytes(details.minimum_reclaim)} to reclaim at least"
    amounts = f"{mebibytes(details.used)} of a request of {mebibytes(details.request)}"
    return f"{text}, {kind} threshold {threshold}; the pod used {amounts}"


def _oom_killed(decision: Decision, details: OomKill) -> str:
    what = f"Container {details.container} OOMKilled" if details.container else "OOMKilled"
    text = f"{what} on {decision.target} at {mebibytes(details.used_bytes)}: {details.reason}"
    if details.oom is not None:
        text += f", oom_score {details.oom.score:.0f} (oom_score_adj {details.oom.adjustment})"
        text += f", the highest of {counted(details.oom.containers, 'container')}"
    wait_s = details.restart_wait_s
    if wait_s is None:
        return f"{text}; the pod fails"
    return f"{text}; restarts after {number_text(wait_s)} s" if wait_s else f"{text}; restarts at once"


def _drain(decision: Decision, details: _Drains) -> str:
    match details:
        case EvictionRefused():
            return _eviction_refused(details)
        case DrainBegun(pods, by):
            return f"Cordoned, draining {counted(pods, 'pod')} ({by})"
        case DrainStopped(pod, reason, pods, by):
            more = f" and {counted(pods - 1, 'more pod')}" if pods > 1 else ""
            return f"Cordoned, nothing evicted: {pod} {reason}{more}; only a drain with force evicts such pods ({by})"
        case DrainEnded(evicted, left, took_s, by):
            took, rest = f"{number_text(took_s)} s", f"{counted(left, 'pod')} left"
            if decision.verdict is Verdict.FAILED:
                return f"Drain gave up after {took} with {rest}, {evicted} evicted ({by})"
            text = f"Drained: {counted(evicted, 'pod')} evicted in {took}"
            return f"{text}, {rest} ({by})" if left else f"{text} ({by})"


def _eviction_refused(details: EvictionRefused) -> str:
    if not details.budget:
        text = f"Cannot evict pod: {details.reason}"
    else:
        text = f"Cannot evict pod as it would violate the pod's disruption budget {details.budget}"
    if details.desired_healthy is not None:
        needs, has = counted(details.desired_healthy, "healthy pod"), optional_number(details.current_healthy)
        text += f", which needs {needs} and has {has}"
    return f"{join(text, f'requested by {details.by}')} (code {details.code})"


# -- tables -----------------------------------------------------------------------------------


def tables(decision: Decision, details: NodeDetails) -> tuple[Grid, ...]:
    """The numbers behind what happened."""
    match details:
        case PressureEviction():
            steps: tuple[Step, ...] = (
                ("Signal", details.signal),
                ("Available", mebibytes(details.available)),
                ("Threshold", f"{mebibytes(details.threshold)} ({'hard' if details.is_hard else 'soft'})"),
                ("Minimum reclaim", mebibytes(details.minimum_reclaim) if details.minimum_reclaim else ""),
                ("Pods compared", number_text(details.pods)),
                ("Pod used", mebibytes(details.used)),
                ("Pod requested", mebibytes(details.request)),
                ("Priority of the pod", str(details.priority)),
            )
        case LimitEviction(used, limit):
            steps = (("Pod used", mebibytes(used)), ("Limit", mebibytes(limit)))
        case OomKill(oom=OomScore() as oom):
            return facts_grid(details._replace(oom=None)._asdict()), _oom_grid(decision, oom)
        case _:
            return (facts_grid(details._asdict()),)
    return (steps_grid("Eviction", steps),)


def _oom_grid(decision: Decision, oom: OomScore) -> Grid:
    rows = [(decision.subject, f"{oom.score:.0f}", str(oom.adjustment))]
    if oom.next_score is not None:
        rows.append((oom.next_pod, f"{oom.next_score:.0f}", ""))
    title = f"Worst of {counted(oom.containers, 'container')}"
    return Grid(title, ("Pod", "oom_score", "oom_score_adj"), tuple(rows), (0,))
