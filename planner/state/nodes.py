"""Nodes as arrays."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from planner.state.table import Table

NONE = -1


class NodeTable(Table):
    """One row per instance ever requested. Times are microseconds, -1 where it did not happen."""

    COLUMNS: ClassVar[dict[str, tuple[Any, Any]]] = {
        "group": (np.int32, NONE),
        "number": (np.int32, 0),
        "spec": (np.int32, NONE),
        "label_set": (np.int32, 0),
        "taint_set": (np.int32, 0),
        "zone": (np.int32, NONE),
        "exists": (np.bool_, False),
        "ready": (np.bool_, False),
        "silent": (np.bool_, False),
        "unschedulable": (np.bool_, False),
        "deleting": (np.bool_, False),
        "requested_us": (np.int64, NONE),
        "registered_us": (np.int64, NONE),
        "ready_us": (np.int64, NONE),
        "failed_us": (np.int64, NONE),
        "delete_requested_us": (np.int64, NONE),
        "removed_us": (np.int64, NONE),
        "allocatable": (np.int64, 0),
        "requested": (np.int64, 0),
        "nonzero": (np.int64, 0),
    }
    group: NDArray[np.int32]
    number: NDArray[np.int32]
    spec: NDArray[np.int32]
    label_set: NDArray[np.int32]
    """Number of the interned labels, without the hostname."""
    taint_set: NDArray[np.int32]
    """Number of the interned taints."""
    zone: NDArray[np.int32]
    """Number of the interned (region, zone) pair."""
    exists: NDArray[np.bool_]
    """Registered and not removed: the Node object is in the cluster."""
    ready: NDArray[np.bool_]
    silent: NDArray[np.bool_]
    """The machine does not run: its pods do nothing and its kubelet is not heard."""
    unschedulable: NDArray[np.bool_]
    """Cordoned."""
    deleting: NDArray[np.bool_]
    """The autoscaler has begun to remove it."""
    requested_us: NDArray[np.int64]
    registered_us: NDArray[np.int64]
    ready_us: NDArray[np.int64]
    failed_us: NDArray[np.int64]
    """When the cloud reported that it cannot create the instance."""
    delete_requested_us: NDArray[np.int64]
    removed_us: NDArray[np.int64]
    allocatable: NDArray[np.int64]
    """Shape (nodes, resources)."""
    requested: NDArray[np.int64]
    """Sum of the pods' requests, shape (nodes, resources); the pods column counts pods."""
    nonzero: NDArray[np.int64]
    """Sum of the pods' requests with scoring defaults, shape (nodes, 2): CPU, memory."""

    def __init__(self, resources: int) -> None:
        super().__init__(allocatable=resources, requested=resources, nonzero=2)
