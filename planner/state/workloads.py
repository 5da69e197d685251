"""Workloads and node groups as arrays."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from planner.state.table import Table


class WorkloadTable(Table):
    """One row per workload of the plan, pause-pod reserves included."""

    COLUMNS: ClassVar[dict[str, tuple[Any, Any]]] = {
        "desired": (np.int32, 0),
        "active": (np.int32, 0),
        "ready": (np.int32, 0),
        "unbound": (np.int32, 0),
        "terminating": (np.int32, 0),
        "created": (np.int32, 0),
        "version": (np.int64, 0),
        "ungated": (np.bool_, False),
        "revision": (np.int32, 0),
        "absent": (np.bool_, False),
    }
    desired: NDArray[np.int32]
    """spec.replicas."""
    active: NDArray[np.int32]
    """Pods without deletion time."""
    ready: NDArray[np.int32]
    """Ready pods without deletion time: those that serve."""
    unbound: NDArray[np.int32]
    """Active pods without node."""
    terminating: NDArray[np.int32]
    created: NDArray[np.int32]
    """Pods ever created; numbers their names."""
    version: NDArray[np.int64]
    """Grows whenever a pod of the workload changes: a change key."""
    ungated: NDArray[np.bool_]
    """The scheduling gates of its template were removed, so new pods have none."""
    revision: NDArray[np.int32]
    """Revision of its template; a rollout makes the next one."""
    absent: NDArray[np.bool_]
    """The object does not exist, not yet or no more: it wants no pods and has no scale to read."""

    def __init__(self) -> None:
        super().__init__()


class GroupTable(Table):
    """One row per node group of the plan."""

    COLUMNS: ClassVar[dict[str, tuple[Any, Any]]] = {
        "target": (np.int32, 0),
        "registered": (np.int32, 0),
        "ready": (np.int32, 0),
        "created": (np.int32, 0),
        "min_size": (np.int32, 0),
        "max_size": (np.int32, 0),
    }
    target: NDArray[np.int32]
    """Target size at the cloud."""
    registered: NDArray[np.int32]
    ready: NDArray[np.int32]
    created: NDArray[np.int32]
    """Instances ever requested; numbers their names."""
    min_size: NDArray[np.int32]
    max_size: NDArray[np.int32]

    def __init__(self) -> None:
        super().__init__()
