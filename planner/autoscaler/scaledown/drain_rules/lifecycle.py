"""Drain rules on the state of a pod."""

from planner.autoscaler.scaledown.drain_rules.pod import IGNORE, MOVE, DrainContext, DrainOutcome, DrainPod
from planner.autoscaler.scaledown.utilization import is_long_terminating


def mirror_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Mirror pods belong to the node and go with it."""
    return IGNORE if pod.is_mirror else None


def long_terminating_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Pods that should be gone by now are no concern."""
    return IGNORE if is_long_terminating(pod.deletion_stamp_us, pod.grace_us, context.now_us) else None


def terminal_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Finished pods never block."""
    return MOVE if pod.is_terminal else None
