"""Nodes as arrays."""

import numpy as np
from numpy.typing import NDArray

from planner.state.table import Table, column

NONE = -1


class NodeTable(Table):
    """One row per instance ever requested. Times are microseconds, -1 where it did not happen."""

    group: NDArray[np.int32] = column(np.int32, NONE)
    number: NDArray[np.int32] = column(np.int32)
    """Serial number inside its group, from 1."""
    draw_key: NDArray[np.uint64] = column(np.uint64)
    """What its random draws are keyed by: group and number."""
    spec: NDArray[np.int32] = column(np.int32, NONE)
    label_set: NDArray[np.int32] = column(np.int32)
    """Number of the interned labels, without the hostname."""
    taint_set: NDArray[np.int32] = column(np.int32)
    """Number of the interned taints."""
    zone: NDArray[np.int32] = column(np.int32, NONE)
    """Number of the interned (region, zone) pair."""
    exists: NDArray[np.bool_] = column(np.bool_)
    """Registered and not removed: the Node object is in the cluster."""
    ready: NDArray[np.bool_] = column(np.bool_)
    silent: NDArray[np.bool_] = column(np.bool_)
    """The machine does not run: its pods do nothing and its kubelet is not heard."""
    unschedulable: NDArray[np.bool_] = column(np.bool_)
    scale_down_disabled: NDArray[np.bool_] = column(np.bool_)
    """Carries the annotation cluster-autoscaler.kubernetes.io/scale-down-disabled."""
    """Cordoned."""
    deleting: NDArray[np.bool_] = column(np.bool_)
    """The autoscaler has begun to remove it."""
    requested_us: NDArray[np.int64] = column(np.int64, NONE)
    registered_us: NDArray[np.int64] = column(np.int64, NONE)
    """metadata.creationTimestamp of the Node; below -1 if that was before the run."""
    first_ready_us: NDArray[np.int64] = column(np.int64, NONE)
    ready_us: NDArray[np.int64] = column(np.int64, NONE)
    """When it became Ready last; below -1 if that was before the run."""
    failed_us: NDArray[np.int64] = column(np.int64, NONE)
    """When the cloud reported that it cannot create the instance."""
    delete_requested_us: NDArray[np.int64] = column(np.int64, NONE)
    removed_us: NDArray[np.int64] = column(np.int64, NONE)
    allocatable: NDArray[np.int64] = column(np.int64)
    """Shape (nodes, resources)."""
    requested: NDArray[np.int64] = column(np.int64)
    """Sum of the pods' requests, shape (nodes, resources); the pods column counts pods."""
    nonzero: NDArray[np.int64] = column(np.int64)
    """Sum of the pods' requests with scoring defaults, shape (nodes, 2): CPU, memory."""

    def __init__(self, resources: int) -> None:
        super().__init__(allocatable=resources, requested=resources, nonzero=2)
