"""Sentences on what the Cluster Autoscaler decided, in the words of its events."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Verdict
from planner.record.facts import Facts, counted, join, number_text, refusals
from planner.record.options import Option, read_options

_GROUP_EVENTS: Mapping[str, str] = MappingProxyType(
    {
        "ScaleUpTimedOut": "Nodes of {group} did not come in time ({nodes})",
        "ScaleUpFailed": "The cloud could not create {nodes} of {group}",
        "FailedToRevertScaleUp": "The target of {group} could not be lowered by {nodes}: instances exist",
        "FailedToScaleUpGroup": "The cloud refused to add {nodes} to {group}",
        "MaxNodesTotalReached": "The cluster has all the nodes it may have",
        "ClusterUnhealthy": "Too many nodes are not ready, or none is: nothing is scaled",
    }
)
_REMOVAL_FAILURES: Mapping[str, str] = MappingProxyType(
    {
        "NewPods": "pods came to the node meanwhile",
        "Blocked": "a pod keeps the node by now",
        "EvictionRefused": "a pod could not be evicted in time",
        "PodsRemain": "pods did not go in time",
        "CloudRefused": "the cloud refused to delete the node",
        "GroupStays": "another node of its group could not be removed, and the group goes only as a whole",
    }
)


def _triggered(facts: Facts) -> str:
    pods, expanders, options = facts.number("pods"), facts.word("expander"), facts.word("options")
    told = ", ".join(f"{name}{_figure(facts, name)}" for name in (expanders or "").split())
    return join(
        f"pod triggered scale-up: {facts.decision.subject}{_grown(facts)}",
        pods and f"for {counted(pods, 'pod')}",
        told and f"expander {told}",
        options and f"options: {'; '.join(map(_option, read_options(options)))}",
    )


def _option(option: Option) -> str:
    scores = ", ".join(f"{name} {number_text(value)}" for name, value in option.scores.items())
    text = f"{option.group}: {counted(str(option.nodes), 'node')} for {counted(str(option.pods), 'pod')}"
    return f"{text} ({scores})" if scores else text


def _grown(facts: Facts) -> str:
    """Size before and after, as the events of the autoscaler write it."""
    delta, target = facts.decision.figures.get("delta"), facts.decision.figures.get("new_target")
    if delta is None or target is None:
        return ""
    facts.used += ["delta", "new_target"]
    return f" {number_text(target - delta)}->{number_text(target)}"


def _figure(facts: Facts, expander: str) -> str:
    figure = facts.number(expander)
    return f" ({figure})" if figure is not None else ""


def _not_triggered(facts: Facts) -> str:
    reason = facts.word("reason")
    return ": ".join(filter(None, ("pod didn't trigger scale-up", refusals(facts.decision.refused), reason)))


def _failed(facts: Facts) -> str:
    reason, count, cloud = facts.word("reason") or "", facts.number("delta"), facts.word("cloud")
    pattern = _GROUP_EVENTS.get(reason)
    if pattern is None:
        by = f" by {counted(count, 'node')}" if count is not None else ""
        return f"Failed to scale up {facts.decision.subject}{by}{_after_colon(reason)}"
    nodes = counted(count, "node") if count is not None else "nodes"
    return f"{reason}: {pattern.format(group=facts.decision.subject, nodes=nodes)}{_after_colon(cloud)}"


def _given_up(facts: Facts) -> str:
    facts.word("reason")
    return f"DeleteUnregistered: Removed unregistered node {facts.decision.subject}"


def _unneeded(facts: Facts) -> str:
    wait = facts.number("wait_s")
    after = f", may go when it stays so for more than {wait} s" if wait is not None else ""
    return f"node is unneeded: its pods fit elsewhere{_utilization(facts)}{after}"


def _needed_again(facts: Facts) -> str:
    return f"node is needed again{_after_colon(_why_kept(facts))}{_utilization(facts)}"


def _unremovable(facts: Facts) -> str:
    return f"node cannot be removed{_after_colon(_why_kept(facts))}{_utilization(facts)}"


def _why_kept(facts: Facts) -> str | None:
    reason, blocking, pod = facts.word("reason"), facts.word("blocking"), facts.word("pod")
    return reason if blocking is None else f"{reason}: {blocking} (pod {pod})"


def _utilization(facts: Facts) -> str:
    used, threshold = facts.number("utilization"), facts.number("threshold")
    if used is None:
        return ""
    return f", utilization {used}" + (f" (threshold {threshold})" if threshold is not None else "")


def _removing(facts: Facts) -> str:
    how, since = facts.word("how"), facts.number("unneeded_s")
    event = "ScaleDownEmpty" if how == "empty" else "ScaleDown"
    kind = "empty node" if how == "empty" else "node"
    pods = ", its pods are evicted first" if how == "drain" else ""
    unneeded = f", unneeded for {since} s" if since is not None else ""
    return f"{event}: removing {kind} {facts.decision.subject}{pods}{unneeded}"


def _removed(facts: Facts) -> str:
    how = facts.word("how") or ""
    text = {"empty": "empty node removed", "drain": "node removed after its pods were evicted"}
    event = "ScaleDownEmpty" if how == "empty" else "ScaleDown"
    return f"{event}: {text.get(how, 'node removed')}{_after_colon(facts.word('reason'))}"


def _removal_failed(facts: Facts) -> str:
    reason = facts.word("reason") or ""
    return f"ScaleDownFailed: {_REMOVAL_FAILURES.get(reason, reason) or 'the node stays'}"


def _after_colon(text: str | None) -> str:
    return f": {text}" if text else ""


SENTENCES: Mapping[tuple[Actor, Verdict], Callable[[Facts], str]] = MappingProxyType(
    {
        (Actor.SCALE_UP, Verdict.TRIGGERED): _triggered,
        (Actor.SCALE_UP, Verdict.NOT_TRIGGERED): _not_triggered,
        (Actor.SCALE_UP, Verdict.FAILED): _failed,
        (Actor.SCALE_UP, Verdict.REMOVED): _given_up,
        (Actor.SCALE_DOWN, Verdict.UNNEEDED): _unneeded,
        (Actor.SCALE_DOWN, Verdict.NEEDED_AGAIN): _needed_again,
        (Actor.SCALE_DOWN, Verdict.UNREMOVABLE): _unremovable,
        (Actor.SCALE_DOWN, Verdict.REMOVING): _removing,
        (Actor.SCALE_DOWN, Verdict.REMOVED): _removed,
        (Actor.SCALE_DOWN, Verdict.FAILED): _removal_failed,
    }
)
