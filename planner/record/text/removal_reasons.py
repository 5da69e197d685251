"""The Cluster Autoscaler's reasons for keeping a node (1.36, simulator/cluster.go and drain.go) in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "NotUnderutilized": "its pods request more than the scale-down utilization threshold",
        "NoPlaceToMovePods": "its pods do not fit on the other nodes",
        "BlockedByPod": "a pod on it must not be moved",
        "NodeGroupMinSizeReached": "its pool is at its minimum size",
        "NotUnneededLongEnough": "the scale-down unneeded time is not over yet",
        "NotUnreadyLongEnough": "the scale-down unready time is not over yet",
        "RecentlyUnremovable": "a recent loop found that it cannot be removed",
        "CurrentlyBeingDeleted": "it is being removed already",
        "ScaleDownDisabledAnnotation": "an annotation forbids to remove it",
        "ScaleDownUnreadyDisabled": "unready nodes are not to be removed",
        "MinimalResourceLimitExceeded": "the cluster would have less than its minimum of resources",
        "BlockedByOnCompletionPod": "a pod on it has to come to its end first",
        "AtomicScaleDownFailed": "its pool goes as a whole or not at all, and another node of it has to stay",
        "ControllerNotFound": "the pod's controller is gone",
        "MinReplicasReached": "the pod's controller has too few replicas",
        "NotReplicated": "the pod has no controller that would make a new one",
        "UnmovableKubeSystemPod": "a pod of kube-system without a disruption budget stays",
        "NotSafeToEvictAnnotation": "the pod is marked as not safe to evict",
        "LocalStorageRequested": "the pod uses local storage",
        "NotEnoughPdb": "a disruption budget does not allow it now",
    }
)


def meaning_of(reason: str) -> str:
    """The reason in plain words; empty for one that is not known here."""
    return _MEANINGS.get(reason, "")
