"""Workloads and node groups as arrays."""

import numpy as np
from numpy.typing import NDArray

from planner.state.table import Table, column


class WorkloadTable(Table):
    """One row per workload of the plan, pause-pod reserves included."""

    desired: NDArray[np.int32] = column(np.int32)
    """spec.replicas."""
    active: NDArray[np.int32] = column(np.int32)
    """Pods without deletion time."""
    ready: NDArray[np.int32] = column(np.int32)
    """Ready pods without deletion time: those that serve."""
    running: NDArray[np.int32] = column(np.int32)
    """Active pods whose containers run, Ready or not."""
    unbound: NDArray[np.int32] = column(np.int32)
    """Active pods without node."""
    terminating: NDArray[np.int32] = column(np.int32)
    created: NDArray[np.int32] = column(np.int32)
    """Pods ever created; numbers their names."""
    version: NDArray[np.int64] = column(np.int64)
    """Grows whenever a pod of the workload changes: a change key."""
    ungated: NDArray[np.bool_] = column(np.bool_)
    """The scheduling gates of its template were removed, so new pods have none."""
    revision: NDArray[np.int32] = column(np.int32)
    """Revision of its template; a rollout makes the next one."""
    absent: NDArray[np.bool_] = column(np.bool_)
    """The object does not exist, not yet or no more: it wants no pods and has no scale to read."""


class GroupTable(Table):
    """One row per node group of the plan."""

    target: NDArray[np.int32] = column(np.int32)
    """Target size at the cloud."""
    registered: NDArray[np.int32] = column(np.int32)
    ready: NDArray[np.int32] = column(np.int32)
    created: NDArray[np.int32] = column(np.int32)
    """Instances ever requested; numbers their names."""
    min_size: NDArray[np.int32] = column(np.int32)
    max_size: NDArray[np.int32] = column(np.int32)
    version: NDArray[np.int64] = column(np.int64)
    """Grows whenever the target size changes: a change key."""
    foreign: NDArray[np.bool_] = column(np.bool_)
    """Its nodes belong to another autoscaler than the Cluster Autoscaler, which does not know the group."""
