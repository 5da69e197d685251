"""Two questions that are asked of a cluster again and again, answered from what a run recorded.

"Why is this node still here?" and "why is there no new node for this pod?" are those of the FAQ of the Cluster
Autoscaler 1.36.1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from planner.language.translation import tr
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
            if each.time_us <= time_us
            and each.verdict is verdict
            and (subject in (None, each.subject) or subject in each.others)
        )
        return next(found, None)


# -- a node -----------------------------------------------------------------------------------


def why_node_stays(facts: RunFacts, node: str, time_us: int) -> list[str]:
    """Why its autoscaler has not removed a node until then: the reasons in sentences, weightiest first."""
    removed = facts.last_of(Verdict.REMOVED, time_us, node)
    if removed is not None:
        return [
            tr(
                "It has been gone since {time}{after_colon}.",
                time=_time(removed.time_us),
                after_colon=after_colon(why(removed)),
            )
        ]
    judged = _of_karpenter(facts, node, time_us)
    if judged:
        return judged
    if not facts.settings.enabled or not facts.settings.scale_down_enabled:
        return [tr("Nodes are not removed: scale-down is disabled (clusterAutoscaler.scaleDownEnabled).")]
    status = status_at(facts.statuses, time_us)
    if status is None:
        return [tr("The Cluster Autoscaler has not looked at the cluster yet.")]
    reasons = [*_of_cluster(facts, status, time_us), *_of_group(status, node), *_of_node(facts, status, node, time_us)]
    return reasons or [tr("No loop has judged the node yet: it is still starting, or its pool is not managed.")]


def _of_cluster(facts: RunFacts, status: AutoscalerStatus, time_us: int) -> Iterator[str]:
    if not status.is_healthy:
        yield tr("Nothing is scaled: too many nodes of the cluster are not ready.")
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
            yield tr(
                "Removals pause until {until}, after {what} at {time} ({setting}).",
                until=until,
                what=what,
                time=_time(last.time_us),
                setting=setting,
            )


def _of_group(status: AutoscalerStatus, node: str) -> Iterator[str]:
    group = _group_of(status, node)
    if group is not None and group.target <= group.min_size:
        yield tr(
            "Its pool {group} is at its minimum of {min_size}.",
            group=group.group,
            min_size=counted(group.min_size, "node"),
        )


def _of_node(facts: RunFacts, status: AutoscalerStatus, node: str, time_us: int) -> Iterator[str]:
    last = facts.last(Actor.SCALE_DOWN, time_us, node)
    candidates = [one for group in status.groups for one in group.candidates if one.node == node]
    for candidate in candidates:
        left_us = candidate.left_us(time_us)
        rest = tr("it may be removed in {time}", time=_time(left_us)) if left_us else tr("it waits for its turn")
        yield tr("It has not been needed since {time}, and {rest}.", time=_time(candidate.since_us), rest=rest)
    if last is not None and not (candidates and last.verdict is Verdict.UNNEEDED):
        details = last.details
        meaning = meaning_of(details.reason) if isinstance(details, NodeReview) else ""
        if isinstance(details, NodeReview) and details.pod:
            meaning = tr("pod {pod} stays: {meaning_of}", pod=details.pod, meaning_of=meaning_of(details.pod_reason))
        yield tr(
            "Since {time}: {why}{after_in_brackets}.",
            time=_time(last.time_us),
            why=why(last),
            after_in_brackets=after_in_brackets(meaning),
        )


def _group_of(status: AutoscalerStatus, node: str) -> GroupStatus | None:
    """The pool whose name the node's name begins with."""
    found = [group for group in status.groups if node.startswith(f"{group.group}-")]
    return max(found, key=lambda group: len(group.group), default=None)


def _of_karpenter(facts: RunFacts, subject: str, time_us: int) -> list[str]:
    """What Karpenter last said of one of its nodes, or of a pod that it found no room for."""
    last = facts.last(Actor.KARPENTER, time_us, subject)
    return [] if last is None else [tr("Since {time}: {why}.", time=_time(last.time_us), why=why(last))]


# -- a pod ------------------------------------------------------------------------------------


def why_no_scale_up(facts: RunFacts, pod: str, created_us: int, time_us: int) -> list[str]:
    """Why no node was added for a pod until then: the reasons in sentences, weightiest first."""
    bound = facts.last_of(Verdict.BOUND, time_us, pod)
    if bound is not None:
        return [
            tr("It needs none: it was bound to {target} at {time}.", target=bound.target, time=_time(bound.time_us))
        ]
    refused = _of_karpenter(facts, pod, time_us)
    if refused and not facts.statuses:
        return refused
    if not facts.settings.enabled:
        return [tr("No nodes are added: the Cluster Autoscaler is off (clusterAutoscaler.enabled).")]
    answers = [*_of_pod(facts, pod, created_us, time_us)]
    status = status_at(facts.statuses, time_us)
    if status is None:
        return [*answers, tr("The Cluster Autoscaler has not looked at the cluster yet.")]
    if not status.is_healthy:
        answers.append(tr("Nothing is scaled: too many nodes of the cluster are not ready."))
    for group in status.groups:
        answers += _state_of(group)
    return answers


def _of_pod(facts: RunFacts, pod: str, created_us: int, time_us: int) -> Iterator[str]:
    wait_us = facts.settings.new_pod_scale_up_delay
    if created_us + wait_us >= time_us and wait_us:
        yield tr("It is too young: pods count {time} after creation (newPodScaleUpDelay).", time=_time(wait_us))
    refused = facts.last_of(Verdict.NOT_TRIGGERED, time_us, pod)
    if refused is not None:
        yield tr("Since {time}: {why}.", time=_time(refused.time_us), why=why(refused))
        if isinstance(refused.details, NoScaleUp):
            yield from (
                tr("Pool {group}: {reason}.", group=one.group, reason=one.reason) for one in refused.details.groups
            )
    since_us = created_us if refused is None else refused.time_us
    grown = facts.last_of(Verdict.TRIGGERED, time_us)
    if grown is not None and isinstance(grown.details, ScaleUp) and grown.time_us >= since_us:
        named = tr(", this one among them") if pod in grown.details.triggers else ""
        count = counted(grown.details.pods, "pod")
        yield tr(
            "Pool {subject} was grown at {time} for {count}{named}; pods wait for its nodes.",
            subject=grown.subject,
            time=_time(grown.time_us),
            count=count,
            named=named,
        )
    stuck = facts.last_of(Verdict.UNSCHEDULABLE, time_us, pod)
    if stuck is not None:
        yield tr("The scheduler, at {time}: {why}.", time=_time(stuck.time_us), why=why(stuck))


def _state_of(group: GroupStatus) -> Iterator[str]:
    if group.scale_up is ScaleUpActivity.IN_PROGRESS:
        nodes = counted(max(group.target - group.ready, 0), "node")
        yield tr("Pool {group} waits for {nodes}, on which the pod may have room.", group=group.group, nodes=nodes)
    if group.backoff_until_us is not None:
        until = _time(group.backoff_until_us)
        yield tr(
            "Pool {group} is left alone until {until}{after_colon}.",
            group=group.group,
            until=until,
            after_colon=after_colon(group.backoff_cause),
        )
    if not group.is_healthy:
        yield tr("Pool {group} is not healthy: too many of its nodes are missing.", group=group.group)
    if group.target >= group.max_size:
        yield tr(
            "Pool {group} is at its maximum of {max_size}.", group=group.group, max_size=counted(group.max_size, "node")
        )


def _time(time_us: int) -> str:
    return format_duration(round(time_us, -5))
