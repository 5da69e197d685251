"""Pods of one workload that can use the same CPU and hold about as many requests are one group.

Workers that take from one queue (`shared-queue`) are always alike.
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import NOT_SEEN, Groups, PodsThatServe

_ALIKE_S = 0.1
"""Queues that differ by no more than what a pod does in this time count as equally long,"""
_ALIKE = 0.01
"""and long ones that differ by no more than this share."""


class FormedGroups(NamedTuple):
    """Groups, and the pods in them."""

    groups: Groups
    rows: Ints
    """Pods,"""
    of: Ints
    """and the number of the group of each."""


def formed_groups(demands: Demands, pods: PodsThatServe, held: Floats, busy: Floats) -> FormedGroups:
    """Groups of these pods, of which each holds so many requests and used so much for them in its latest step."""
    order = np.lexsort((held, pods.slower, pods.cores, pods.capacity, ~pods.takes, pods.service))
    sorted_pods, at = pods.take(order), held[order]
    of = numbers_of(demands, sorted_pods, at)
    starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]]) if len(of) else order
    count = np.bincount(of).astype(np.int64)
    held_each, busy_each = (np.bincount(of, column) / np.maximum(count, 1) for column in (at, busy[order]))
    first = sorted_pods.take(starts)
    new = Groups(*first[1:], count, held_each, np.zeros(len(count)), busy_each, np.full(len(count), NOT_SEEN))
    return FormedGroups(new, pods.rows[order], of)


def numbers_of(demands: Demands, pods: PodsThatServe, held: Floats) -> Ints:
    """The number of the group of each pod; pods that are alike lie side by side, those with less to do first."""
    per_request = 1000.0 * demands.cpu_seconds[pods.service[1:]]
    alike = np.maximum(_ALIKE_S * pods.capacity[1:] / per_request, _ALIKE * held[1:])
    new = np.diff(held) > alike
    for column in pods[1:]:
        new |= column[1:] != column[:-1]
    return np.r_[0, np.cumsum(new)] if len(held) else np.zeros(0, np.int64)


def of_one_queue(
    demands: Demands, workers: Ints, pods: PodsThatServe, held: Floats, busy: Floats, before: Floats
) -> tuple[PodsThatServe, Floats, Floats, Floats]:
    """Workers that take from one queue are as fast as their mean, and what one gives back others take.

    `workers`: their positions in `pods`; `before`: requests that each workload held. With pods, what they hold and what
    they are busy with comes what each of the workers does of the work of a mean one.
    """
    service, size = pods.service[workers], len(before)
    count = np.maximum(np.bincount(service, minlength=size), 1)

    def mean(values: Floats) -> Floats:
        return np.asarray((np.bincount(service, values, minlength=size) / count)[service])

    idle, capacity, slower = demands.idle_cpu[service], pods.capacity.copy(), pods.slower.copy()
    spare = np.maximum(0, capacity[workers] - idle).astype(np.float64)
    whole = mean(spare)
    part = np.where(whole > 0.0, spare / np.where(whole > 0.0, whole, 1.0), 1.0)
    cores = pods.cores.copy()
    capacity[workers], slower[workers] = idle + whole.astype(np.int64), mean(slower[workers])
    cores[workers] = np.maximum(capacity[workers], mean(cores[workers].astype(np.float64)).astype(np.int64))
    # What they used in their latest step is shown until the next one: no more than they can use now.
    held[workers], busy[workers] = (before / count)[service], np.minimum(mean(busy[workers]), whole)
    return pods._replace(capacity=capacity, cores=cores, slower=slower), held, busy, part
