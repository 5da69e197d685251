"""Decisions as codes and numbers; text is made in explain.py alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

PREEMPTION = "preemption"
"""Detail of a refused pod: why it may not preempt. With a reason behind it a figure: nodes where it would not help."""
EMPTY: Mapping[str, float] = MappingProxyType({})


class Actor(StrEnum):
    """Who decides."""

    SCHEDULER = "scheduler"
    HPA = "hpa"
    PROPORTIONAL = "proportional autoscaler"
    SCALE_UP = "scale-up"
    SCALE_DOWN = "scale-down"
    CLOUD = "cloud"
    CONTROLLER = "controller"
    EVICTION = "eviction"
    """The eviction API and the budgets it asks."""
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
    KEPT = "kept"
    NO_METRICS = "no metrics"
    TRIGGERED = "triggered scale-up"
    NOT_TRIGGERED = "did not trigger scale-up"
    FAILED = "failed"
    NODE_READY = "node ready"
    UNNEEDED = "unneeded"
    NEEDED_AGAIN = "needed again"
    UNREMOVABLE = "unremovable"
    REMOVING = "removing"
    REMOVED = "removed"
    EVICTED = "evicted"
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


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision of one controller about one subject."""

    time_us: int
    actor: Actor
    verdict: Verdict
    subject: str
    """Name of the pod, workload, node or node group it is about."""
    target: str = ""
    """Name of the node or group chosen, if any."""
    refused: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """How many nodes (or groups) were refused per reason text code."""
    figures: Mapping[str, float] = field(default_factory=lambda: EMPTY)
    """Numbers behind the decision, for example ratio, current, desired."""
    details: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Names behind the decision, for example reason codes or option summaries."""
    repeats: int = 0
    """How often the same decision followed at once for this subject."""
