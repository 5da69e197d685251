"""Drain rules for the state of a pod and its controller: would the pod be recreated elsewhere?"""

from planner.autoscaler.scaledown.drain.rules.pod import (
    IGNORE,
    MOVE,
    DrainContext,
    DrainOutcome,
    DrainPod,
    blocked,
)
from planner.autoscaler.scaledown.reasons import BlockingReason
from planner.autoscaler.scaledown.utilization import is_long_terminating
from planner.state.scaling import ControllerKind

_REPLICATED = (
    ControllerKind.REPLICATION_CONTROLLER,
    ControllerKind.REPLICA_SET,
    ControllerKind.STATEFUL_SET,
    ControllerKind.JOB,
)
_WITH_REPLICA_COUNT = (ControllerKind.REPLICATION_CONTROLLER, ControllerKind.REPLICA_SET)


def controller_exists(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """A controller of a known kind must exist and have enough replicas (before safe-to-evict)."""
    known = (*_REPLICATED, ControllerKind.DAEMON_SET)
    if not context.skip_custom_controller_pods or pod.controller not in known:
        return None
    if not pod.controller_exists:
        return blocked(BlockingReason.CONTROLLER_NOT_FOUND)
    if pod.controller in _WITH_REPLICA_COUNT and pod.controller_replicas < context.min_replica_count:
        return blocked(BlockingReason.MIN_REPLICAS_REACHED)
    return None


def daemon_set_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """DaemonSet pods are fine and not moved."""
    return IGNORE if pod.controller is ControllerKind.DAEMON_SET else None


def not_replicated(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """The pod would not be recreated."""
    if pod.controller is ControllerKind.NONE:
        return blocked(BlockingReason.NOT_REPLICATED)
    if context.skip_custom_controller_pods and pod.controller not in _REPLICATED:
        return blocked(BlockingReason.NOT_REPLICATED)
    return None


def mirror_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Mirror pods belong to the node and go with it."""
    return IGNORE if pod.is_mirror else None


def long_terminating_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Pods that should be gone by now are no concern."""
    return IGNORE if is_long_terminating(pod.deletion_stamp_us, pod.grace_us, context.now_us) else None


def terminal_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Finished pods never block."""
    return MOVE if pod.is_terminal else None
