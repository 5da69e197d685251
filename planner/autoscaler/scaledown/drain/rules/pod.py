"""Inputs and results of the drain rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from planner.autoscaler.scaledown.reasons import BlockingReason
from planner.plan.model.scaling_marks import SafeToEvict
from planner.state.scaling import ControllerKind
from planner.units import US_PER_H


@dataclass(frozen=True, slots=True)
class DrainPod:
    """A running pod as the drain rules see it."""

    controller: ControllerKind = ControllerKind.REPLICA_SET
    controller_exists: bool = True
    controller_replicas: int = 1
    """Wanted replicas of the controller (ReplicaSet and ReplicationController)."""
    safe_to_evict: SafeToEvict = SafeToEvict.UNSET
    is_mirror: bool = False
    is_terminal: bool = False
    """Failed, or succeeded and never started again."""
    is_kube_system: bool = False
    created_us: int = 0
    deletion_stamp_us: int | None = None
    grace_us: int = 30_000_000
    budgets: tuple[int, ...] = ()
    """Rows of the disruption budgets that select the pod."""
    local_volumes: tuple[str, ...] = ()
    """Names of hostPath volumes and of emptyDir volumes that are not in memory."""
    safe_local_volumes: tuple[str, ...] = ()
    """Names in the annotation safe-to-evict-local-volumes."""


@dataclass(frozen=True, slots=True)
class DrainContext:
    """The current time and the flags, with the defaults of Cluster Autoscaler 1.36.1, config/flags/flags.go."""

    now_us: int
    disruptions_allowed: Sequence[int] = ()
    """Disruptions left by budget row, as far as this loop has used them up."""
    skip_custom_controller_pods: bool = True
    skip_system_pods: bool = True
    skip_local_storage: bool = True
    min_replica_count: int = 0
    blocking_system_pod_timeout_us: int = US_PER_H


class PodDrain(Enum):
    """What happens to a pod when its node is removed."""

    IGNORE = auto()
    """Neither moved nor in the way."""
    MOVE = auto()
    WAIT = auto()
    """Stays until it is done, and the removal with it."""
    BLOCK = auto()


@dataclass(frozen=True, slots=True)
class DrainOutcome:
    """The answer for one pod; `reason` is given when it blocks."""

    drain: PodDrain
    reason: BlockingReason | None = None


IGNORE = DrainOutcome(PodDrain.IGNORE)
MOVE = DrainOutcome(PodDrain.MOVE)
WAIT = DrainOutcome(PodDrain.WAIT)


def blocked(reason: BlockingReason) -> DrainOutcome:
    """The pod keeps its node."""
    return DrainOutcome(PodDrain.BLOCK, reason)


class DrainRule(Protocol):
    """One rule: an outcome when it is decisive for the pod, else None."""

    def __call__(self, pod: DrainPod, context: DrainContext, /) -> DrainOutcome | None: ...
