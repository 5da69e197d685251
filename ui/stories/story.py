"""Writes the story of a node or a pod from what is known of its life and the decisions that name it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QCoreApplication

from planner.language.translation import tr
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.history import NEVER, ClusterHistory
from planner.units import format_bytes, format_cpu
from ui.wording.explained import component_of, headline_of, why_of

_FEW = 4
"""Names that are listed in full."""


@dataclass(frozen=True)
class StoryLine:
    """One thing that happened."""

    time_us: int
    what: str
    why: str = ""
    decision: Decision | None = None


@dataclass(frozen=True)
class Story:
    """What it is about, facts that never change, and what happened."""

    title: str
    facts: str
    lines: tuple[StoryLine, ...]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Story", text)


def story_of_pod(history: ClusterHistory, pod: int, decisions: Iterable[Decision]) -> Story:
    """From creation to end."""
    pods = history.pods
    name, workload = pods.name(pod), pods.workloads[pods.workload[pod]]
    facts = _tr("Pod of {workload} in {namespace}; requests {cpu} CPU, {memory}; priority {priority}").format(
        workload=workload,
        namespace=pods.namespaces[pods.workload[pod]],
        cpu=format_cpu(int(pods.cpu_milli[pod])),
        memory=format_bytes(int(pods.memory_bytes[pod])),
        priority=f"{int(pods.priority[pod]):,}",
    )
    told = list(decisions)
    lines = [StoryLine(int(pods.created_us[pod]), _tr("created")), *(_of_decision(one, name) for one in told)]
    bound_us = int(pods.bound_us[pod])
    if pods.node[pod] != NEVER and not any(one.verdict is Verdict.BOUND and one.subject == name for one in told):
        node = history.nodes.names[pods.node[pod]]
        lines.append(StoryLine(bound_us, _tr("bound to {0}").format(node)))
    reason = pods.reason(pod)
    ending = _tr("gone") if not reason else _tr("gone ({0})").format(reason)
    moments = (
        (pods.running_us, _tr("its containers run")),
        (pods.ready_us, _tr("Ready")),
        (pods.deletion_us, _tr("its deletion begins")),
        (pods.ended_us, ending),
    )
    lines += [StoryLine(int(column[pod]), what) for column, what in moments if column[pod] != NEVER]
    return Story(name, facts, _in_order(lines, history.until_us))


def story_of_node(
    history: ClusterHistory, node: int, decisions: Iterable[Decision], of_group: Iterable[Decision]
) -> Story:
    """From the request at the cloud to removal; `of_group` are the decisions about its pool."""
    nodes = history.nodes
    name, group = nodes.names[node], nodes.groups[nodes.group[node]]
    facts = _tr("Node of pool {pool}{zone}; offers {cpu} CPU, {memory}, {pods} pods").format(
        pool=group,
        zone=_tr(" in zone {0}").format(nodes.zones[nodes.zone[node]]) if nodes.zones[nodes.zone[node]] else "",
        cpu=format_cpu(int(nodes.cpu_milli[node])),
        memory=format_bytes(int(nodes.memory_bytes[node])),
        pods=int(nodes.pods[node]),
    )
    requested_us = int(nodes.requested_us[node])
    cause = next((one for one in of_group if _is_cause(one, requested_us)), None)
    what = _tr("requested from the cloud")
    lines = [StoryLine(requested_us, what, why_of(cause) if cause else "", cause)]
    moments = (
        (nodes.registered_us, _tr("registered as a Node")),
        (nodes.ready_us, _tr("Ready")),
        (nodes.failed_us, _tr("the cloud cannot create it")),
    )
    endings = (
        (nodes.delete_requested_us, _tr("its deletion is requested from the cloud")),
        (nodes.removed_us, _tr("gone")),
    )
    lines += [StoryLine(int(column[node]), text) for column, text in moments if column[node] != NEVER]
    lines += _without_crowds(list(decisions), name)
    lines += [StoryLine(int(column[node]), text) for column, text in endings if column[node] != NEVER]
    return Story(name, facts, _in_order(lines, history.until_us))


def _is_cause(decision: Decision, requested_us: int) -> bool:
    is_scale_up = decision.actor is Actor.SCALE_UP and decision.verdict is Verdict.TRIGGERED
    return is_scale_up and decision.time_us == requested_us


def _without_crowds(decisions: Sequence[Decision], name: str) -> Iterator[StoryLine]:
    """Pods that come to a node at one moment share a line."""
    for (time_us, verdict, is_own), group in groupby(
        decisions, lambda one: (one.time_us, one.verdict, one.subject == name)
    ):
        members = list(group)
        if is_own or len(members) == 1:
            yield from (_of_decision(one, name) for one in members)
            continue
        names = [one.subject for one in members]
        text = ", ".join(names[:_FEW])
        if len(names) > _FEW:
            text = _tr("{names} and {count} more").format(names=text, count=len(names) - _FEW)
        what = _tr("{count} pods {verdict}: {names}")
        yield StoryLine(time_us, what.format(count=len(names), verdict=tr(verdict.value), names=text), "", members[0])


def _of_decision(decision: Decision, name: str) -> StoryLine:
    what = f"{component_of(decision)}: {headline_of(decision)}"
    if decision.subject != name:
        what = f"{component_of(decision)}: {decision.subject} {headline_of(decision)}"
    if decision.repeats:
        what = _tr("{what} ({count} times)").format(what=what, count=decision.repeats + 1)
    return StoryLine(decision.time_us, what, why_of(decision), decision)


def _in_order(lines: Sequence[StoryLine], until_us: int) -> tuple[StoryLine, ...]:
    """By time, and in the given order where that is the same; what was before the run was at its begin."""
    return tuple(sorted((one for one in lines if one.time_us <= until_us), key=lambda one: max(0, one.time_us)))
