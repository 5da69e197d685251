"""Replicas from the size of the cluster, in proportion (linear) or in steps (ladder).

cluster-proportional-autoscaler 1.9, pkg/autoscaler/k8sclient/k8sclient.go (GetClusterStatus),
pkg/autoscaler/controller/linearcontroller and laddercontroller. Nothing is smoothed, tolerated or rate-limited: each
poll writes the computed number if it differs.
"""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.autoscalers.proportional_autoscaler import LadderMode, LadderStep, LinearMode

Mode = LinearMode | LadderMode


class ClusterSize(NamedTuple):
    """Nodes and whole cores, all of them and the schedulable ones."""

    total_nodes: int
    schedulable_nodes: int
    total_cores: int
    schedulable_cores: int


def cluster_size(
    allocatable_milli: NDArray[np.int64], ready: NDArray[np.bool_], unschedulable: NDArray[np.bool_]
) -> ClusterSize:
    """Count nodes and cores; arrays of shape (nodes,). Taints do not matter.

    Milli-CPU are summed first and rounded up to whole cores once.
    """
    usable = ready & ~unschedulable
    return ClusterSize(
        len(allocatable_milli),
        int(np.count_nonzero(usable)),
        _cores(allocatable_milli),
        _cores(allocatable_milli[usable]),
    )


def counted(mode: Mode, size: ClusterSize) -> tuple[int, int]:
    """The nodes and cores that the mode looks at."""
    if mode.include_unschedulable_nodes:
        return size.total_nodes, size.total_cores
    return size.schedulable_nodes, size.schedulable_cores


def replicas_of(mode: Mode, size: ClusterSize) -> int:
    """The number that a poll writes: the larger of what nodes and cores call for."""
    return _linear_replicas(mode, size) if isinstance(mode, LinearMode) else _ladder_replicas(mode, size)


def _linear_replicas(mode: LinearMode, size: ClusterSize) -> int:
    """Never 0. The test for a single point of failure comes after the maximum and may exceed it."""
    nodes, cores = counted(mode, size)
    from_cores = _linear_part(cores, mode.cores_per_replica, mode)
    from_nodes = _linear_part(nodes, mode.nodes_per_replica, mode)
    if mode.prevent_single_point_failure and nodes > 1:
        from_nodes = max(from_nodes, 2)
    return max(from_cores, from_nodes)


def _linear_part(amount: int, per_replica: float, mode: LinearMode) -> int:
    if per_replica == 0:
        return 1
    replicas = math.ceil(amount / per_replica)
    if mode.max > 0:
        replicas = min(mode.max, replicas)
    return max(mode.min, 1, replicas)


def _ladder_replicas(mode: LadderMode, size: ClusterSize) -> int:
    """May be 0, and may fall as the cluster grows."""
    nodes, cores = counted(mode, size)
    return max(_step(cores, mode.cores_to_replicas), _step(nodes, mode.nodes_to_replicas))


def _step(amount: int, steps: Sequence[LadderStep]) -> int:
    """The step of the largest threshold reached; below all of them the lowest step holds.

    Of equal thresholds the last one counts, and below all of them the first: the steps are sorted as they stand.
    """
    if not steps:
        return 0
    in_order = sorted(steps, key=_threshold)
    reached = bisect_right(in_order, amount, key=_threshold)
    return in_order[max(reached - 1, 0)].replicas


def _threshold(step: LadderStep) -> int:
    return step.threshold


def _cores(allocatable_milli: NDArray[np.int64]) -> int:
    return -(-int(allocatable_milli.sum()) // 1000)
