"""The Cluster Autoscaler's reasons for keeping a node (1.36, simulator/cluster.go and drain.go) in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "NotUnderutilized": "its pods request more than the scale-down utilization threshold",
        "NoPlaceToMovePods": "its pods do not fit on the other nodes",
        "BlockedByPod": "a pod on it must not be evicted",
        "NodeGroupMinSizeReached": "its pool is at its minimum size",
        "NotUnneededLongEnough": "the scale-down unneeded time has not passed yet",
        "NotUnreadyLongEnough": "the scale-down unready time has not passed yet",
        "RecentlyUnremovable": "a recent loop found that it cannot be removed",
        "CurrentlyBeingDeleted": "it is already being removed",
        "ScaleDownDisabledAnnotation": "an annotation forbids its removal",
        "ScaleDownUnreadyDisabled": "scale-down of unready nodes is disabled",
        "MinimalResourceLimitExceeded": "the cluster would fall below its minimum of resources",
        "BlockedByOnCompletionPod": "a pod on it has to finish first",
        "AtomicScaleDownFailed": "its pool is removed only as a whole, and another of its nodes has to stay",
        "ControllerNotFound": "the pod's controller is gone",
        "MinReplicasReached": "the pod's controller has too few replicas",
        "NotReplicated": "the pod has no controller that would replace it",
        "UnmovableKubeSystemPod": "a kube-system pod without a disruption budget is not evicted",
        "NotSafeToEvictAnnotation": "the pod is marked as not safe to evict",
        "LocalStorageRequested": "the pod uses local storage",
        "NotEnoughPdb": "a disruption budget does not allow its eviction now",
    }
)


def meaning_of(reason: str) -> str:
    """The reason in plain words; empty for one that is not known here."""
    return _MEANINGS.get(reason, "")
