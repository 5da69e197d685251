"""Turns every decision into a sentence, in the wording of Kubernetes where there is one."""

from planner.language.translation import tr_count
from planner.record.decisions import Decision
from planner.record.details.karpenter import KarpenterDetails
from planner.record.details.node_groups import NodeGroupDetails
from planner.record.details.nodes import NodeDetails
from planner.record.details.replicas import ReplicaDetails
from planner.record.details.requests import RequestDetails
from planner.record.details.scheduling import SchedulingDetails
from planner.record.text import karpenter, node_groups, nodes, requests, scheduling, work
from planner.record.text.replicas import replicas


def why(decision: Decision, currency: str = "") -> str:
    """Why a controller decided so, as one line of text; with the plan's currency, amounts of money have it."""
    text = _sentence(decision, currency)
    if not decision.repeats:
        return text
    return tr_count(
        "{text} (repeated {repeats} time)",
        "{text} (repeated {repeats} times)",
        decision.repeats,
        text=text,
        repeats=decision.repeats,
    )


def _sentence(decision: Decision, currency: str) -> str:
    details = decision.details
    if details is None:
        return f"{str(decision.verdict).capitalize()} {decision.target}".strip()
    if isinstance(details, SchedulingDetails):
        return scheduling.sentence(decision, details)
    if isinstance(details, ReplicaDetails):
        return replicas.sentence(decision, details)
    if isinstance(details, RequestDetails):
        return requests.sentence(details)
    if isinstance(details, NodeGroupDetails):
        return node_groups.sentence(decision, details)
    if isinstance(details, NodeDetails):
        return nodes.sentence(decision, details)
    if isinstance(details, KarpenterDetails):
        return karpenter.sentence(details, currency)
    return work.sentence(decision, details)
