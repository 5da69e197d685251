"""States of living pods, per workload row: every pod is in one of them, so they add up.

Pods of capacity buffers are in none: they exist only inside the node autoscalers.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.metrics.sample import ClusterSample
from planner.state.cluster import Cluster

Floats = NDArray[np.float64]
StateCount = Callable[[Cluster], Floats]


def pending(cluster: Cluster) -> Floats:
    """Without a node."""
    count = cluster.workloads.unbound.astype(np.float64)
    if count.any():
        for spec in cluster.pod_specs:
            if spec.scaling.is_buffer:
                count[spec.workload] = 0.0
    return count


def starting(cluster: Cluster) -> Floats:
    """On a node, where its containers do not run yet."""
    table = cluster.workloads
    return (table.active - table.unbound - table.running).astype(np.float64)


def running(cluster: Cluster) -> Floats:
    """Its containers run, whether it is Ready or not."""
    return cluster.workloads.running.astype(np.float64)


def not_ready(cluster: Cluster) -> Floats:
    """Those of the running ones that are not Ready."""
    return (cluster.workloads.running - cluster.workloads.ready).astype(np.float64)


def terminating(cluster: Cluster) -> Floats:
    """Being deleted."""
    return cluster.workloads.terminating.astype(np.float64)


def living(cluster: Cluster) -> Floats:
    """All of them: pending, starting, running, or being deleted."""
    return pending(cluster) + starting(cluster) + running(cluster) + terminating(cluster)


def of_workloads(count: StateCount) -> Callable[[ClusterSample], Floats]:
    """The pods of each workload in a state."""
    return lambda sample: count(sample.cluster)


def of_cluster(count: StateCount) -> Callable[[ClusterSample], float]:
    """The pods of all workloads in a state."""
    return lambda sample: float(count(sample.cluster).sum())
