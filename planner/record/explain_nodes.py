"""Sentences on what ends pods and nodes: evictions, memory, taints, drains, rollouts, faults."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Verdict
from planner.record.facts import Facts, counted, join


def _after_colon(text: str | None) -> str:
    return f": {text}" if text else ""


def _eviction_refused(facts: Facts) -> str:
    budget, by = facts.word("budget"), facts.word("by")
    healthy, desired = facts.number("current_healthy"), facts.number("desired_healthy")
    if budget is None:
        text = f"Cannot evict pod: {facts.word('reason') or 'refused'}"
    else:
        text = f"Cannot evict pod as it would violate the pod's disruption budget {budget}"
    if desired is not None:
        text += f", which needs {counted(desired, 'healthy pod')} and has {healthy}"
    return join(text, by and f"asked by {by}")


def _unreachable(facts: Facts) -> str:
    pods = facts.number("pods") or "0"
    return f"Kubelet stopped posting node status: Ready is Unknown, {counted(pods, 'pod')} marked not Ready"


def _node_tainted(facts: Facts) -> str:
    pods = facts.number("pods") or "0"
    return f"NoExecute taint added: {counted(pods, 'pod')} will be deleted when their tolerations end"


def _node_back(facts: Facts) -> str:
    pods = facts.number("pods") or "0"
    return f"Node is Ready again with {counted(pods, 'pod')}"


def _zone_state(facts: Facts) -> str:
    return f"Zone {facts.decision.subject} is in state {facts.word('state')}"


def _taint_eviction(facts: Facts) -> str:
    taint, tolerated = facts.word("taint") or "NoExecute", facts.number("tolerated_s")
    text = f"Deleted from {facts.decision.target} because of the taint {taint}"
    return text + (f", tolerated for {tolerated} s" if tolerated not in (None, "0") else "")


def _kubelet_evicted(facts: Facts) -> str:
    signal, kind = facts.word("signal") or "memory.available", facts.word("kind")
    if "limit" in facts.decision.figures:
        used, limit = _mebi(facts, "used"), _mebi(facts, "limit")
        return f"The pod used {used} of scratch space, above the limit of {limit} of its containers"
    what = "memory" if "emory" in signal else "ephemeral-storage"
    threshold, available = _mebi(facts, "threshold"), _mebi(facts, "available")
    used, request = _mebi(facts, "used"), _mebi(facts, "request")
    text = f"The node was low on resource: {what}. {signal} was {available}, {kind} threshold {threshold}"
    return f"{text}; the pod used {used} of a request of {request}"


def _reclaimed(facts: Facts) -> str:
    return f"Deleted {facts.word('what')}: {_mebi(facts, 'freed')} came free"


def _oom_killed(facts: Facts) -> str:
    used, wait = _mebi(facts, "used"), facts.number("restart_wait_s")
    container = facts.word("container")
    what = f"Container {container} OOMKilled" if container else "OOMKilled"
    text = f"{what} on {facts.decision.target} at {used}: {facts.word('reason')}"
    if wait is None:
        return f"{text}; the pod fails"
    return f"{text}; restarts at once" if wait == "0" else f"{text}; restarts after {wait} s"


def _pressure(facts: Facts) -> str:
    return f"Node has {facts.word('condition')}: no new pods that do not tolerate it"


def _pressure_over(facts: Facts) -> str:
    return f"Node has no {facts.word('condition')} any more"


def _mebi(facts: Facts, key: str) -> str:
    """Bytes as whole MiB."""
    facts.used.append(key)
    return f"{round(facts.decision.figures.get(key, 0.0) / (1 << 20))}Mi"


def _not_admitted(facts: Facts) -> str:
    reason = facts.word("reason") or ""
    has = "the node has " if reason.endswith("Pressure") else ""
    return f"Rejected by the kubelet of {facts.decision.target}: {has}{reason}"


def _orphan_removed(facts: Facts) -> str:
    return f"Removed without having run on {facts.decision.target}: {facts.word('reason')}"


def _draining(facts: Facts) -> str:
    pods, by = facts.number("pods") or "0", facts.word("by")
    return f"Cordoned, draining {counted(pods, 'pod')}" + (f" ({by})" if by else "")


def _drained(facts: Facts) -> str:
    evicted, took, by = facts.number("evicted") or "0", facts.number("took_s"), facts.word("by")
    if facts.decision.figures.get("left") == 0:
        facts.used.append("left")
    return f"Drained: {counted(evicted, 'pod')} evicted in {took} s" + (f" ({by})" if by else "")


def _drain_failed(facts: Facts) -> str:
    left, took, by = facts.number("left") or "0", facts.number("took_s"), facts.word("by")
    return f"Drain gave up after {took} s with {counted(left, 'pod')} left" + (f" ({by})" if by else "")


def _drains_ended(facts: Facts) -> str:
    nodes, took = facts.number("nodes") or "0", facts.number("took_s")
    return f"{(facts.word('what') or 'work').capitalize()} finished: {counted(nodes, 'node')} replaced in {took} s"


def _rollout_ended(facts: Facts) -> str:
    pods, took = facts.number("pods"), facts.number("took_s")
    if pods is None:
        succeeded, failed = facts.number("succeeded") or "0", facts.number("failed") or "0"
        facts.used += ["what", "reason"]
        return f"Job completed in {took} s: {counted(succeeded, 'pod')} succeeded, {failed} failed"
    return f"{(facts.word('what') or 'work').capitalize()} finished: {counted(pods, 'pod')} updated in {took} s"


def _job_failed(facts: Facts) -> str:
    failed, took = facts.number("failed") or "0", facts.number("took_s")
    reason = _after_colon(facts.word("reason"))
    return f"Job has failed after {took} s with {counted(failed, 'failed pod')}{reason}"


def _happened(facts: Facts) -> str:
    what, hit = facts.word("what") or "event", facts.word("on")
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in what)
    return words.capitalize() + (f" on {hit}" if hit else "")


NODE_SENTENCES: Mapping[tuple[Actor, Verdict], Callable[[Facts], str]] = MappingProxyType(
    {
        (Actor.EVICTION, Verdict.REFUSED): _eviction_refused,
        (Actor.NODE_LIFECYCLE, Verdict.UNREACHABLE): _unreachable,
        (Actor.NODE_LIFECYCLE, Verdict.TAINTED): _node_tainted,
        (Actor.NODE_LIFECYCLE, Verdict.NODE_READY): _node_back,
        (Actor.NODE_LIFECYCLE, Verdict.ZONE_STATE): _zone_state,
        (Actor.TAINT_EVICTION, Verdict.EVICTED): _taint_eviction,
        (Actor.KUBELET, Verdict.EVICTED): _kubelet_evicted,
        (Actor.KUBELET, Verdict.REMOVED): _reclaimed,
        (Actor.KUBELET, Verdict.REFUSED): _not_admitted,
        (Actor.KUBELET, Verdict.OOM_KILLED): _oom_killed,
        (Actor.KUBELET, Verdict.PRESSURE): _pressure,
        (Actor.KUBELET, Verdict.PRESSURE_OVER): _pressure_over,
        (Actor.DRAIN, Verdict.DRAINING): _draining,
        (Actor.DRAIN, Verdict.DRAINED): _drained,
        (Actor.DRAIN, Verdict.FAILED): _drain_failed,
        (Actor.DRAIN, Verdict.ENDED): _drains_ended,
        (Actor.CONTROLLER, Verdict.ENDED): _rollout_ended,
        (Actor.CONTROLLER, Verdict.REMOVED): _orphan_removed,
        (Actor.CONTROLLER, Verdict.FAILED): _job_failed,
        (Actor.PLAN_EVENT, Verdict.HAPPENED): _happened,
    }
)
