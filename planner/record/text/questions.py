"""Two questions that are asked of a cluster again and again, answered from what a run recorded.

"Why is this node still here?" and "why is there no new node for this pod?" are those of the FAQ of the Cluster
Autoscaler 1.36.1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.record.autoscaler_status import AutoscalerStatus, GroupStatus, ScaleUpActivity, status_at
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import NodeReview, NoScaleUp, ScaleUp
from planner.record.text.explain import why
from planner.record.text.removal_reasons import meaning_of
from planner.record.text.wording import after_colon, after_in_brackets, counted
from planner.units import format_duration


@dataclass(frozen=True)
class RunFacts:
    """What the answers are made from: decisions and statuses in order of time."""

    settings: ClusterAutoscalerSettings
    decisions: Sequence[Decision]
    statuses: Sequence[AutoscalerStatus]

    def last(self, actor: Actor, time_us: int, subject: str | None = None) -> Decision | None:
        """The newest decision of an actor until then, about a subject if one is given."""
        found = (
            each
            for each in reversed(self.decisions)
            if each.time_us <= time_us and each.actor is actor and subject in (None, each.subject)
        )
        return next(found, None)

    def last_of(self, verdict: Verdict, time_us: int, subject: str | None = None) -> Decision | None:
        """The newest decision with a verdict until then, about a subject if one is given."""
        found = (
            each
            for each in reversed(self.decisions)
            if each.time_us <= time_us and each.verdict is verdict and subject in (None, each.subject)
        )
        return next(found, None)


# -- a node -----------------------------------------------------------------------------------


def why_node_stays(facts: RunFacts, node: str, time_us: int) -> list[str]:
    """Why the Cluster Autoscaler has not removed a node until then: the reasons in sentences, weightiest first."""
    removed = facts.last_of(Verdict.REMOVED, time_us, node)
    if removed is not None:
        return [f"It has been gone since {_time(removed.time_us)}{after_colon(why(removed))}."]
    if not facts.settings.enabled or not facts.settings.scale_down_enabled:
        return ["Nodes are not removed: scale-down is disabled (clusterAutoscaler.scaleDownEnabled)."]
    status = status_at(facts.statuses, time_us)
    if status is None:
        return ["The Cluster Autoscaler has not looked at the cluster yet."]
    reasons = [*_of_cluster(facts, status, time_us), *_of_group(status, node), *_of_node(facts, status, node, time_us)]
    return reasons or ["No loop has judged the node yet: it is still starting, or its pool is not managed."]


def _of_cluster(facts: RunFacts, status: AutoscalerStatus, time_us: int) -> Iterator[str]:
    if not status.is_healthy:
        yield "Nothing is scaled: too many nodes of the cluster are not ready."
    settings = facts.settings
    if settings.scale_down_delay_type_local:
        return
    pauses = (
        (Verdict.TRIGGERED, settings.scale_down_delay_after_add, "a scale-up", "scaleDownDelayAfterAdd"),
        (Verdict.REMOVING, settings.scale_down_delay_after_delete, "a removal", "scaleDownDelayAfterDelete"),
    )
    for verdict, delay_us, what, setting in pauses:
        last = facts.last_of(verdict, time_us)
        if last is not None and time_us < last.time_us + delay_us:
            until = _time(last.time_us + delay_us)
            yield f"Removals pause until {until}, after {what} at {_time(last.time_us)} ({setting})."


def _of_group(status: AutoscalerStatus, node: str) -> Iterator[str]:
    group = _group_of(status, node)
    if group is not None and group.target <= group.min_size:
        yield f"Its pool {group.group} is at its minimum of {counted(group.min_size, 'node')}."


def _of_node(facts: RunFacts, status: AutoscalerStatus, node: str, time_us: int) -> Iterator[str]:
    last = facts.last(Actor.SCALE_DOWN, time_us, node)
    candidates = [one for group in status.groups for one in group.candidates if one.node == node]
    for candidate in candidates:
        left_us = candidate.left_us(time_us)
        rest = f"it may be removed in {_time(left_us)}" if left_us else "it waits for its turn"
        yield f"It has not been needed since {_time(candidate.since_us)}, and {rest}."
    if last is not None and not (candidates and last.verdict is Verdict.UNNEEDED):
        details = last.details
        meaning = meaning_of(details.reason) if isinstance(details, NodeReview) else ""
        if isinstance(details, NodeReview) and details.pod:
            meaning = f"pod {details.pod} stays: {meaning_of(details.pod_reason)}"
        yield f"Since {_time(last.time_us)}: {why(last)}{after_in_brackets(meaning)}."


def _group_of(status: AutoscalerStatus, node: str) -> GroupStatus | None:
    """The pool whose name the node's name begins with."""
    found = [group for group in status.groups if node.startswith(f"{group.group}-")]
    return max(found, key=lambda group: len(group.group), default=None)


# -- a pod ------------------------------------------------------------------------------------


def why_no_scale_up(facts: RunFacts, pod: str, created_us: int, time_us: int) -> list[str]:
    """Why no node was added for a pod until then: the reasons in sentences, weightiest first."""
    bound = facts.last_of(Verdict.BOUND, time_us, pod)
    if bound is not None:
        return [f"It needs none: it was bound to {bound.target} at {_time(bound.time_us)}."]
    if not facts.settings.enabled:
        return ["No nodes are added: the Cluster Autoscaler is off (clusterAutoscaler.enabled)."]
    answers = [*_of_pod(facts, pod, created_us, time_us)]
    status = status_at(facts.statuses, time_us)
    if status is None:
        return [*answers, "The Cluster Autoscaler has not looked at the cluster yet."]
    if not status.is_healthy:
        answers.append("Nothing is scaled: too many nodes of the cluster are not ready.")
    for group in status.groups:
        answers += _state_of(group)
    return answers


def _of_pod(facts: RunFacts, pod: str, created_us: int, time_us: int) -> Iterator[str]:
    wait_us = facts.settings.new_pod_scale_up_delay
    if created_us + wait_us >= time_us and wait_us:
        yield f"It is too young: pods count {_time(wait_us)} after creation (newPodScaleUpDelay)."
    refused = facts.last_of(Verdict.NOT_TRIGGERED, time_us, pod)
    if refused is not None:
        yield f"Since {_time(refused.time_us)}: {why(refused)}."
        if isinstance(refused.details, NoScaleUp):
            yield from (f"Pool {one.group}: {one.reason}." for one in refused.details.groups)
    since_us = created_us if refused is None else refused.time_us
    grown = facts.last_of(Verdict.TRIGGERED, time_us)
    if grown is not None and isinstance(grown.details, ScaleUp) and grown.time_us >= since_us:
        named = ", this one among them" if pod in grown.details.triggers else ""
        count = counted(grown.details.pods, "pod")
        yield f"Pool {grown.subject} was grown at {_time(grown.time_us)} for {count}{named}; pods wait for its nodes."
    stuck = facts.last_of(Verdict.UNSCHEDULABLE, time_us, pod)
    if stuck is not None:
        yield f"The scheduler, at {_time(stuck.time_us)}: {why(stuck)}."


def _state_of(group: GroupStatus) -> Iterator[str]:
    if group.scale_up is ScaleUpActivity.IN_PROGRESS:
        nodes = counted(max(group.target - group.ready, 0), "node")
        yield f"Pool {group.group} waits for {nodes}, on which the pod may have room."
    if group.backoff_until_us is not None:
        until = _time(group.backoff_until_us)
        yield f"Pool {group.group} is left alone until {until}{after_colon(group.backoff_cause)}."
    if not group.is_healthy:
        yield f"Pool {group.group} is not healthy: too many of its nodes are missing."
    if group.target >= group.max_size:
        yield f"Pool {group.group} is at its maximum of {counted(group.max_size, 'node')}."


def _time(time_us: int) -> str:
    return format_duration(round(time_us, -5))
