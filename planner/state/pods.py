"""Pods as arrays."""

from enum import IntEnum
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from planner.state.table import Table, column

NONE = -1


class PodPhase(IntEnum):
    """Where a pod is in its life."""

    PENDING = 0
    """Without node, or bound and not yet started."""
    RUNNING = 1
    GONE = 2


class EndReason(IntEnum):
    """Why a pod ended."""

    NONE = 0
    SCALE_DOWN = 1
    PREEMPTED = 2
    EVICTED = 3
    NODE_REMOVED = 4
    TAINTED = 5
    """A NoExecute taint it does not tolerate, or no longer."""
    NODE_PRESSURE = 6
    """Evicted by its kubelet."""
    REPLACED = 7
    """An old revision, replaced by a rollout."""
    COMPLETED = 8
    FAILED = 9
    DELETED = 10
    """By hand, as by kubectl delete."""


class ResizeStage(IntEnum):
    """How far the resize of a pod in place is: its conditions PodResizePending and PodResizeInProgress."""

    NONE = 0
    IN_PROGRESS = 1
    """Accepted by the API; its kubelet has still to act."""
    DEFERRED = 2
    """The node has no room now."""
    INFEASIBLE = 3
    """The node never has room."""


END_REASONS = MappingProxyType(
    {
        EndReason.NONE: "",
        EndReason.SCALE_DOWN: "ScaleDown",
        EndReason.PREEMPTED: "Preempted",
        EndReason.EVICTED: "Evicted",
        EndReason.NODE_REMOVED: "NodeRemoved",
        EndReason.TAINTED: "TaintEviction",
        EndReason.NODE_PRESSURE: "NodePressure",
        EndReason.REPLACED: "Replaced",
        EndReason.COMPLETED: "Completed",
        EndReason.FAILED: "Failed",
        EndReason.DELETED: "Deleted",
    }
)
"""The same in words, as reports have them."""


class PodTable(Table):
    """One row per pod ever created. Times are microseconds, -1 where it did not happen."""

    workload: NDArray[np.int32] = column(np.int32, NONE)
    number: NDArray[np.int32] = column(np.int32)
    """Serial number inside its workload, from 1."""
    draw_key: NDArray[np.uint64] = column(np.uint64)
    """What its random draws are keyed by: workload and number; of a DaemonSet's pod workload, node and which of its
    pods there it is."""
    spec: NDArray[np.int32] = column(np.int32, NONE)
    desired: NDArray[np.int32] = column(np.int32, NONE)
    """The template that a resize in place asks for; -1 without one. `spec` is what its kubelet has allocated."""
    resize: NDArray[np.int8] = column(np.int8, ResizeStage.NONE)
    phase: NDArray[np.int8] = column(np.int8, PodPhase.GONE)
    priority: NDArray[np.int32] = column(np.int32)
    node: NDArray[np.int32] = column(np.int32, NONE)
    """The node it is bound to."""
    nominated: NDArray[np.int32] = column(np.int32, NONE)
    """The node where it expects to land after preemption."""
    pinned: NDArray[np.int32] = column(np.int32, NONE)
    """The one node a DaemonSet pod may go to."""
    gated: NDArray[np.bool_] = column(np.bool_)
    """Has scheduling gates, so the scheduler does not see it."""
    ready: NDArray[np.bool_] = column(np.bool_)
    ready_change_us: NDArray[np.int64] = column(np.int64, NONE)
    created_us: NDArray[np.int64] = column(np.int64, NONE)
    """metadata.creationTimestamp. Of a pod that is older than the run this, `bound_us` and `ready_change_us` are below
    -1; the other times are moments of the run."""
    bound_us: NDArray[np.int64] = column(np.int64, NONE)
    running_us: NDArray[np.int64] = column(np.int64, NONE)
    first_ready_us: NDArray[np.int64] = column(np.int64, NONE)
    unschedulable_us: NDArray[np.int64] = column(np.int64, NONE)
    """When the condition PodScheduled=False, Unschedulable was last set; -1 when it is not set."""
    first_unschedulable_us: NDArray[np.int64] = column(np.int64, NONE)
    message: NDArray[np.int32] = column(np.int32, NONE)
    """Number of the interned message of that condition."""
    deletion_us: NDArray[np.int64] = column(np.int64, NONE)
    """metadata.deletionTimestamp: when its deletion began; it keeps its place on the node until it is gone."""
    ended_us: NDArray[np.int64] = column(np.int64, NONE)
    end_reason: NDArray[np.int8] = column(np.int8, EndReason.NONE)
    disrupted: NDArray[np.bool_] = column(np.bool_)
    """Condition DisruptionTarget, PreemptionByScheduler."""
    last_node: NDArray[np.int32] = column(np.int32, NONE)
    """The node it is or was bound to; kept after the end for the report."""
    revision: NDArray[np.int32] = column(np.int32)
    """Revision of its workload's template, from 0."""
    ordinal: NDArray[np.int32] = column(np.int32, NONE)
    """Number in the name of a StatefulSet's pod, which its successor takes over; -1 for all others."""
    restarts: NDArray[np.int32] = column(np.int32)
    """How many times one of its containers restarted."""
