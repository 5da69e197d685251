"""The Cluster Autoscaler's reasons for keeping a node (1.36, simulator/cluster.go and drain.go) in plain words."""

from collections.abc import Mapping
from types import MappingProxyType

from planner.language.translation import marked, tr

_MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "NotUnderutilized": marked("its pods request more than the scale-down utilization threshold"),
        "NoPlaceToMovePods": marked("its pods do not fit on the other nodes"),
        "BlockedByPod": marked("a pod on it must not be evicted"),
        "NodeGroupMinSizeReached": marked("its pool is at its minimum size"),
        "NotUnneededLongEnough": marked("the scale-down unneeded time has not passed yet"),
        "NotUnreadyLongEnough": marked("the scale-down unready time has not passed yet"),
        "RecentlyUnremovable": marked("a recent loop found that it cannot be removed"),
        "CurrentlyBeingDeleted": marked("it is already being removed"),
        "ScaleDownDisabledAnnotation": marked("an annotation forbids its removal"),
        "ScaleDownUnreadyDisabled": marked("scale-down of unready nodes is disabled"),
        "MinimalResourceLimitExceeded": marked("the cluster would fall below its minimum of resources"),
        "BlockedByOnCompletionPod": marked("a pod on it has to finish first"),
        "AtomicScaleDownFailed": marked("its pool is removed only as a whole, and another of its nodes has to stay"),
        "ControllerNotFound": marked("the pod's controller is gone"),
        "MinReplicasReached": marked("the pod's controller has too few replicas"),
        "NotReplicated": marked("the pod has no controller that would replace it"),
        "UnmovableKubeSystemPod": marked("a kube-system pod without a disruption budget is not evicted"),
        "NotSafeToEvictAnnotation": marked("the pod is marked as not safe to evict"),
        "LocalStorageRequested": marked("the pod uses local storage"),
        "NotEnoughPdb": marked("a disruption budget does not allow its eviction now"),
    }
)


def meaning_of(reason: str) -> str:
    """The reason in plain words; empty for one that is not known here."""
    return tr(_MEANINGS.get(reason, ""))
