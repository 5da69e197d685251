"""Decisions: which component decided what about which object, and why, as data (see `planner.record.text`)."""

from enum import StrEnum
from typing import NamedTuple

from planner.record.details.karpenter import KarpenterDetails
from planner.record.details.node_groups import NodeGroupDetails
from planner.record.details.nodes import NodeDetails
from planner.record.details.replicas import ReplicaDetails
from planner.record.details.requests import RequestDetails
from planner.record.details.scheduling import SchedulingDetails
from planner.record.details.work import WorkDetails

Details = (
    SchedulingDetails
    | ReplicaDetails
    | RequestDetails
    | NodeGroupDetails
    | NodeDetails
    | WorkDetails
    | KarpenterDetails
)


class Actor(StrEnum):
    """Who decides."""

    SCHEDULER = "scheduler"
    HPA = "hpa"
    PROPORTIONAL = "proportional autoscaler"
    KEDA = "keda"
    VPA = "vpa"
    SCALE_UP = "scale-up"
    SCALE_DOWN = "scale-down"
    KARPENTER = "karpenter"
    CONTROLLER = "controller"
    EVICTION = "eviction"
    """The eviction API with the disruption budgets."""
    KUBELET = "kubelet"
    NODE_LIFECYCLE = "node-lifecycle"
    TAINT_EVICTION = "taint-eviction"
    DRAIN = "drain"
    PLAN_EVENT = "plan event"


class Verdict(StrEnum):
    """What was decided."""

    BOUND = "bound"
    UNSCHEDULABLE = "unschedulable"
    NOMINATED = "nominated"
    PREEMPTED = "preempted"
    SCALED = "scaled"
    ACTIVATED = "activated"
    DEACTIVATED = "deactivated"
    RECOMMENDED = "recommended"
    KEPT = "kept"
    NO_METRICS = "no metrics"
    TRIGGERED = "triggered scale-up"
    NOT_TRIGGERED = "did not trigger scale-up"
    FAILED = "failed"
    LAUNCHED = "launched"
    NODE_READY = "node ready"
    UNNEEDED = "unneeded"
    NEEDED_AGAIN = "needed again"
    UNREMOVABLE = "unremovable"
    REMOVING = "removing"
    REMOVED = "removed"
    EVICTED = "evicted"
    RESIZED = "resized"
    DEFERRED = "deferred"
    INFEASIBLE = "infeasible"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    TAINTED = "tainted"
    ZONE_STATE = "zone state"
    OOM_KILLED = "OOM killed"
    PRESSURE = "under pressure"
    PRESSURE_OVER = "no more pressure"
    DRAINING = "draining"
    DRAINED = "drained"
    HAPPENED = "happened"
    ENDED = "ended"


class Decision(NamedTuple):
    """One decision of one controller about one subject."""

    time_us: int
    actor: Actor
    verdict: Verdict
    subject: str
    """Name of the pod, workload, node or node group it is about."""
    target: str = ""
    """Name of the node chosen, if any."""
    details: Details | None = None
    """What led to it; None where the verdict says it all."""
    repeats: int = 0
    """How often the same decision followed at once for this subject, or for one of `others`."""
    others: tuple[str, ...] = ()
    """Subjects of which the same was found at that moment, and which have no decision of their own."""
