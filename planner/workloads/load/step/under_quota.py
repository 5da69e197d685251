"""Groups of pods under a CPU quota: which table each of them needs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.laws import RANDOM, arrival_cv2_at_pod

if TYPE_CHECKING:
    from planner.workloads.load.step.pod_groups import PodGroups

_MOST_QUOTAS = 4.0
_MORE_CORES = 32
"""More cores than so many beyond the quota make no difference that shows."""


def pods_under_quota(groups: "PodGroups") -> tuple[tuple[QuotaPod, ...], list[int]]:
    """What tables are made for, and which of them each of `groups.throttled` has."""
    rows, demands = groups.throttled, groups.demands.take(groups.throttled)
    pods = np.maximum(groups.pods[rows], 1)
    arrival = arrival_cv2_at_pod(demands.arrival_cv2, pods, np.where(pods > 1, demands.balancer, RANDOM))
    quota = groups.spare_milli[rows] / 1000.0 / demands.parallelism
    cores = np.ceil(groups.cores_milli[rows] / 1000.0 / demands.parallelism)
    cores = np.minimum(cores, np.ceil(_MOST_QUOTAS * quota) + _MORE_CORES).astype(np.int64)
    columns = (cores, quota, demands.cpu_seconds / demands.parallelism, np.round(arrival, 2))
    # Equal sizes are one object (`Demands.of`): to make and compare pods for every group would take longer.
    numbers = [column.tolist() for column in columns]
    each = zip(*numbers, map(id, demands.sizes), demands.queueing.tolist(), strict=True)
    known: dict[tuple[Any, ...], int] = {}
    of = [known.setdefault(kind, len(known)) for kind in each]
    sizes = {id(one): one for one in demands.sizes}
    kinds = (
        QuotaPod(count, most, work, sizes[size], cv2, queueing, groups.tick_s)
        for count, most, work, cv2, size, queueing in known
    )
    return tuple(kinds), of
