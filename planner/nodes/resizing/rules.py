"""Whether a kubelet can resize a pod, and in which order it tries again.

Source: Kubernetes 1.36, pkg/kubelet/allocation/allocation_manager.go (canResizePod, sortPendingResizes).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from planner.nodes.kubelet.qos import QosClass
from planner.state.pods import ResizeStage
from planner.state.resources import CPU, MEMORY, Amounts

_RESIZABLE = (CPU, MEMORY)
_QOS_RANK: Mapping[QosClass, int] = {QosClass.GUARANTEED: 0, QosClass.BURSTABLE: 1, QosClass.BEST_EFFORT: 2}


class ResizeVerdict(NamedTuple):
    """What a kubelet says to a resize."""

    stage: ResizeStage
    """IN_PROGRESS: the new resources are allocated."""
    resource: int = -1
    """Column of the resource that lacks."""
    room: int = 0
    """What there is of it for this pod: now, or at all."""


def resize_verdict(allocatable: Amounts, others: Amounts, allocated: Amounts, desired: Amounts) -> ResizeVerdict:
    """Whether the desired request of a pod fits; amounts are milli-CPU and bytes.

    `others`: allocated to the other pods of the node. What does not grow never lacks.
    """
    for resource in _RESIZABLE:
        if desired[resource] > allocatable[resource]:
            return ResizeVerdict(ResizeStage.INFEASIBLE, resource, int(allocatable[resource]))
    for resource in _RESIZABLE:
        room = allocatable[resource] - others[resource]
        if desired[resource] > allocated[resource] and desired[resource] > room:
            return ResizeVerdict(ResizeStage.DEFERRED, resource, int(room))
    return ResizeVerdict(ResizeStage.IN_PROGRESS)


class PendingResize(NamedTuple):
    """A deferred resize."""

    pod: int
    grows: bool
    """Some request rises."""
    priority: int
    qos: QosClass
    since_us: int
    """When the resize was asked for."""


def in_retry_order(pending: Sequence[PendingResize]) -> list[PendingResize]:
    """Those that need no room, then by priority, class of service, and the longest wait."""
    return sorted(pending, key=lambda one: (one.grows, -one.priority, _QOS_RANK[one.qos], one.since_us, one.pod))


def grows(allocated: Amounts, desired: Amounts) -> bool:
    """Whether some request of CPU or memory rises."""
    return bool((np.asarray(desired)[list(_RESIZABLE)] > np.asarray(allocated)[list(_RESIZABLE)]).any())
