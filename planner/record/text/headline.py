"""A decision in two or three words, for tables; the whole sentence is made in explain.py."""

from collections.abc import Mapping
from types import MappingProxyType

from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.karpenter import KarpenterDetails
from planner.record.details.node_groups import Expendable, NodeRemoval, NoScaleUp, ScaleUp
from planner.record.details.nodes import (
    DrainBegun,
    DrainEnded,
    DrainStopped,
    EvictionRefused,
    LimitEviction,
    NotAdmitted,
    OomKill,
    PressureChange,
    PressureEviction,
    TaintEviction,
    ZoneDisruption,
)
from planner.record.details.replicas import Evaluation, EventScaling, JobsMade, ProportionalSize
from planner.record.details.requests import PodUpdate, RequestsRecommended
from planner.record.details.scheduling import Nomination, Placement, Preempted
from planner.record.details.work import JobEnded, PlanEventEffect, RolloutEnded, UpgradeEnded
from planner.record.text import karpenter
from planner.record.text.wording import spelled_out

COMPONENTS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.SCHEDULER: "Scheduler",
        Actor.HPA: "HPA",
        Actor.PROPORTIONAL: "Proportional autoscaler",
        Actor.KEDA: "KEDA",
        Actor.VPA: "VPA",
        Actor.SCALE_UP: "CA scale-up",
        Actor.SCALE_DOWN: "CA scale-down",
        Actor.KARPENTER: "Karpenter",
        Actor.CONTROLLER: "Controller",
        Actor.EVICTION: "Eviction API",
        Actor.KUBELET: "Kubelet",
        Actor.NODE_LIFECYCLE: "Node lifecycle",
        Actor.TAINT_EVICTION: "Taint eviction",
        Actor.DRAIN: "Drain",
        Actor.PLAN_EVENT: "Event",
    }
)
"""Names of the components that decide, for people."""


def headline(decision: Decision) -> str:
    """For example "rescale 12 → 24", "bound to blue-0003", "unschedulable"."""
    if isinstance(decision.details, KarpenterDetails):
        return karpenter.headline(decision.details)
    words = _of_replicas_and_pools(decision) or _of_pods(decision) or _of_nodes_and_work(decision)
    return words or f"{decision.verdict} {decision.target}".strip()


def _of_replicas_and_pools(decision: Decision) -> str:
    match decision.details:
        case Evaluation(current=current, desired=desired) | ProportionalSize(current=current, desired=desired):
            sizes = {Verdict.SCALED: f"rescale {current} → {desired}", Verdict.KEPT: f"kept at {desired}"}
            return sizes.get(decision.verdict, "")
        case EventScaling(current=current, desired=desired):
            return f"rescale {current} → {desired}" if current != desired else ""
        case JobsMade(created=created):
            return f"{created} jobs made" if created != 1 else "1 job made"
        case ScaleUp(added, new_target):
            return f"scale-up {new_target - added} → {new_target}"
        case NoScaleUp():
            return "no pool can grow"
        case Expendable():
            return "expendable, no scale-up"
        case NodeRemoval(is_drain) if decision.verdict is Verdict.REMOVING:
            return "draining, to be removed" if is_drain else "removing empty node"
        case _:
            return ""


def _of_pods(decision: Decision) -> str:
    match decision.details:
        case Placement():
            return f"bound to {decision.target}"
        case Nomination():
            return f"preempts on {decision.target}"
        case Preempted(preemptor):
            return f"preempted by {preemptor}"
        case RequestsRecommended():
            return "new targets"
        case PodUpdate():
            return "evicted for new requests"
        case TaintEviction() | PressureEviction() | LimitEviction():
            return "evicted"
        case OomKill():
            return f"OOM killed on {decision.target}"
        case NotAdmitted(reason):
            return f"rejected: {reason}"
        case EvictionRefused(budget=budget):
            return f"eviction refused by {budget}" if budget else "eviction refused"
        case _:
            return ""


def _of_nodes_and_work(decision: Decision) -> str:
    match decision.details:
        case ZoneDisruption(state):
            return f"zone {state}"
        case PressureChange(conditions):
            named = ", ".join(conditions)
            return f"no {named}" if decision.verdict is Verdict.PRESSURE_OVER else named
        case DrainBegun(by=by):
            return f"draining ({by})"
        case DrainStopped():
            return "drain refused"
        case DrainEnded() if decision.verdict is Verdict.FAILED:
            return "drain gave up"
        case RolloutEnded():
            return "rollout finished"
        case JobEnded() if decision.verdict is Verdict.ENDED:
            return "job finished"
        case UpgradeEnded():
            return "node upgrade finished"
        case PlanEventEffect(what):
            return spelled_out(what)
        case _:
            return ""
