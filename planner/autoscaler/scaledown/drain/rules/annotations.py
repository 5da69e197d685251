"""Drain rules for annotations, system pods and local storage."""

from planner.autoscaler.scaledown.drain.rules.pod import (
    MOVE,
    WAIT,
    DrainContext,
    DrainOutcome,
    DrainPod,
    blocked,
)
from planner.autoscaler.scaledown.reasons import BlockingReason
from planner.plan.model.scaling_marks import SafeToEvict


def safe_to_evict(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """safe-to-evict "true" moves the pod whatever the later rules say, disruption budgets included."""
    return MOVE if pod.safe_to_evict is SafeToEvict.YES else None


def safe_to_evict_on_completion(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """The pod needs no room elsewhere; the node may become unneeded, but its removal waits."""
    return WAIT if pod.safe_to_evict is SafeToEvict.ON_COMPLETION else None


def system_pod(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """kube-system pods without a disruption budget block until they are old enough, then they move."""
    if not context.skip_system_pods or not pod.is_kube_system or pod.budgets:
        return None
    if context.now_us - pod.created_us > context.blocking_system_pod_timeout_us:
        return MOVE
    return blocked(BlockingReason.UNMOVABLE_KUBE_SYSTEM_POD)


def not_safe_to_evict(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """safe-to-evict "false" keeps the node."""
    if pod.safe_to_evict is SafeToEvict.NO:
        return blocked(BlockingReason.NOT_SAFE_TO_EVICT_ANNOTATION)
    return None


def local_storage(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Data on the node's disk keeps the node, unless every such volume is named as safe."""
    if not context.skip_local_storage or all(name in pod.safe_local_volumes for name in pod.local_volumes):
        return None
    return blocked(BlockingReason.LOCAL_STORAGE_REQUESTED)


def disruption_budget(pod: DrainPod, context: DrainContext) -> DrainOutcome | None:
    """Every budget that selects the pod must allow one more disruption."""
    if any(context.disruptions_allowed[budget] < 1 for budget in pod.budgets):
        return blocked(BlockingReason.NOT_ENOUGH_PDB)
    return None
