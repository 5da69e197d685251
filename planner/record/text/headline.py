"""A decision in two or three words, for tables; the whole sentence is made in explain.py."""

from collections.abc import Mapping
from types import MappingProxyType

from planner.language.translation import marked, tr, tr_count
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
from planner.record.details.requests import PodUpdate, RequestsRecommended, ResizeApplied, ResizePending
from planner.record.details.scheduling import Nomination, Placement, Preempted
from planner.record.details.work import CronJobLook, JobEnded, PlanEventEffect, RolloutEnded, UpgradeEnded
from planner.record.text import karpenter
from planner.record.text.wording import event_name

COMPONENTS: Mapping[Actor, str] = MappingProxyType(
    {
        Actor.SCHEDULER: marked("Scheduler"),
        Actor.HPA: "HPA",
        Actor.PROPORTIONAL: marked("Proportional autoscaler"),
        Actor.KEDA: "KEDA",
        Actor.VPA: "VPA",
        Actor.SCALE_UP: marked("CA scale-up"),
        Actor.SCALE_DOWN: marked("CA scale-down"),
        Actor.KARPENTER: marked("Karpenter"),
        Actor.CONTROLLER: marked("Controller"),
        Actor.EVICTION: marked("Eviction API"),
        Actor.KUBELET: marked("Kubelet"),
        Actor.NODE_LIFECYCLE: marked("Node lifecycle"),
        Actor.TAINT_EVICTION: marked("Taint eviction"),
        Actor.DRAIN: marked("Drain"),
        Actor.PLAN_EVENT: marked("Event"),
    }
)
"""Names of the components that decide, for people."""


def headline(decision: Decision) -> str:
    """For example "rescale 12 → 24", "bound to blue-0003", "unschedulable"."""
    if isinstance(decision.details, KarpenterDetails):
        return karpenter.headline(decision.details)
    words = _of_replicas_and_pools(decision) or _of_pods(decision) or _of_nodes_and_work(decision)
    return words or f"{tr(decision.verdict.value)} {decision.target}".strip()


def _of_replicas_and_pools(decision: Decision) -> str:
    match decision.details:
        case Evaluation(current=current, desired=desired) | ProportionalSize(current=current, desired=desired):
            sizes = {
                Verdict.SCALED: tr("rescale {current} → {desired}", current=current, desired=desired),
                Verdict.KEPT: tr("kept at {desired}", desired=desired),
            }
            return sizes.get(decision.verdict, "")
        case EventScaling(current=current, desired=desired):
            return tr("rescale {current} → {desired}", current=current, desired=desired) if current != desired else ""
        case JobsMade(created=created):
            return tr_count("{created} job made", "{created} jobs made", created, created=created)
        case ScaleUp(added, new_target):
            return tr("scale-up {before} → {after}", before=new_target - added, after=new_target)
        case NoScaleUp():
            return tr("no pool can grow")
        case Expendable():
            return tr("expendable, no scale-up")
        case NodeRemoval(is_drain) if decision.verdict is Verdict.REMOVING:
            return tr("draining, to be removed") if is_drain else tr("removing empty node")
        case _:
            return ""


def _of_pods(decision: Decision) -> str:
    match decision.details:
        case Placement():
            return tr("bound to {target}", target=decision.target)
        case Nomination():
            return tr("preempts on {target}", target=decision.target)
        case Preempted(preemptor):
            return tr("preempted by {preemptor}", preemptor=preemptor)
        case RequestsRecommended():
            return tr("new targets")
        case PodUpdate(in_place=in_place):
            return tr("to be resized in place") if in_place else tr("evicted for new requests")
        case ResizePending(reason=reason):
            return tr("resize {reason}", reason=reason)
        case ResizeApplied():
            return tr("resized in place")
        case TaintEviction() | PressureEviction() | LimitEviction():
            return tr("evicted")
        case OomKill():
            return tr("OOM killed on {target}", target=decision.target)
        case NotAdmitted(reason):
            return tr("rejected: {reason}", reason=reason)
        case EvictionRefused(budget=budget):
            return tr("eviction refused by {budget}", budget=budget) if budget else tr("eviction refused")
        case _:
            return ""


def _of_nodes_and_work(decision: Decision) -> str:
    match decision.details:
        case ZoneDisruption(state):
            return tr("zone {state}", state=state)
        case PressureChange(conditions):
            named = ", ".join(conditions)
            return tr("no {named}", named=named) if decision.verdict is Verdict.PRESSURE_OVER else named
        case DrainBegun(by=by):
            return tr("draining ({by})", by=tr(by))
        case DrainStopped():
            return tr("drain refused")
        case DrainEnded() if decision.verdict is Verdict.FAILED:
            return tr("drain gave up")
        case RolloutEnded():
            return tr("rollout finished")
        case JobEnded() if decision.verdict is Verdict.ENDED:
            return tr("job finished")
        case CronJobLook():
            return _cron_job(decision.verdict)
        case UpgradeEnded():
            return tr("node upgrade finished")
        case PlanEventEffect(what):
            name = event_name(what)
            return name[0].lower() + name[1:]
        case _:
            return ""


def _cron_job(verdict: Verdict) -> str:
    if verdict is Verdict.LAUNCHED:
        return tr("Job made")
    return tr("start waits") if verdict is Verdict.REFUSED else tr("starts missed")
