"""The running pods in columns that stay as they are until a pod starts, is deleted or is gone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.state.changes import ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.pods import PodPhase

Ints = NDArray[np.int64]
SERVICE_CHANGES = frozenset(
    (
        ClusterEventKind.POD_RUNNING,
        ClusterEventKind.POD_DELETING,
        ClusterEventKind.POD_GONE,
        ClusterEventKind.POD_READINESS,
    )
)
"""After any other change the same pods run on the same nodes, and the same of them are ready."""


@dataclass(frozen=True, slots=True)
class RunningPods:
    """One entry a running pod, in order of row, and groups of those that serve."""

    rows: Ints
    workload: Ints
    spec: Ints
    node: Ints
    serving: Ints
    """Positions of ready pods of the workloads that serve requests, in order."""
    serving_workload: Ints
    grouped: Ints
    """The same positions by workload row, in order inside each."""
    group_rows: Ints
    """Workload rows that have such pods, ascending."""
    group_starts: Ints
    """Where in `grouped` each of them starts."""
    ready_count: Ints
    """Such pods per workload row."""


def running_pods(cluster: Cluster, has_load: NDArray[np.bool_]) -> RunningPods:
    """Gather them from the tables; `has_load` says which workload rows serve requests."""
    pods = cluster.pods
    rows = np.flatnonzero(pods.phase == PodPhase.RUNNING)
    workload = pods.workload[rows].astype(np.int64)
    serving = np.flatnonzero(pods.ready[rows] & has_load[workload])
    serving_workload = workload[serving]
    ready_count = np.bincount(serving_workload, minlength=cluster.workloads.count)
    group_rows = np.flatnonzero(ready_count)
    return RunningPods(
        rows=rows,
        workload=workload,
        spec=pods.spec[rows].astype(np.int64),
        node=pods.node[rows].astype(np.int64),
        serving=serving,
        serving_workload=serving_workload,
        grouped=serving[np.argsort(serving_workload, kind="stable")],
        group_rows=group_rows,
        group_starts=(np.cumsum(ready_count) - ready_count)[group_rows],
        ready_count=ready_count,
    )
