"""Groups of pods under a CPU quota: which table each of them needs, and the kernel that steps them."""

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.kernels import switch
from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.floor_scatter import squares
from planner.workloads.latency.free_response import REPORTED
from planner.workloads.latency.laws import Laws, arrival_cv2_at_pod
from planner.workloads.load.demand import Floats

if TYPE_CHECKING:
    from planner.kernels.quota_step import QuotaStep
    from planner.workloads.load.step.pod_groups import PodGroups

_MOST_QUOTAS = 4.0
_MORE_CORES = 32
"""More cores than so many beyond the quota make no difference that shows."""


def pods_under_quota(groups: "PodGroups", laws: Laws, uneven: Floats | None) -> tuple[tuple[QuotaPod, ...], list[int]]:
    """What tables are made for, and which of them each of `groups.throttled` has.

    `uneven`: arrivals of all groups, None: at random.
    """
    rows, demands = groups.throttled, groups.demands.take(groups.throttled)
    arrival = arrival_cv2_at_pod(None if uneven is None else uneven[rows], laws.pods[rows], laws.balancer[rows])
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


def compiled_step(groups: "PodGroups", calm: tuple[float, float]) -> "QuotaStep | None":
    """The steps of groups by the kernel; None without kernels, or where a group is not under a quota.

    `calm`: loads up to which a queue can be calm, and from which on it may be near saturation.
    """
    laws, demands = groups.laws, groups.demands
    if laws.tables is None or laws.quota is None or not laws.of_throttled or not switch.in_use():
        return None
    from planner.kernels.quota_step import QuotaStep

    kind = np.zeros(len(groups.service), np.int64)
    kind[groups.without_queue], kind[groups.finishing] = 1, 2
    own = (
        groups.capacity_rate, groups.servers, groups.floor_load, demands.floor_s, groups.calm_shrinks, groups.pods,
        groups.limit, groups.times_out,
    )  # fmt: skip
    columns = tuple(np.ascontiguousarray(column, np.float64) for column in own)
    floors = None
    if np.count_nonzero(demands.floor_cv):
        scatter = squares(demands.floor_s, demands.floor_cv)
        floors = np.ascontiguousarray(scatter.T), np.square(demands.floor_s * demands.floor_cv)
    latest = np.ascontiguousarray(groups.latest_s.T)
    tables, count = laws.tables, groups.count.astype(np.float64)
    parts = np.ascontiguousarray(groups.service), groups.mixtures.row, count, groups.shares
    return QuotaStep(tables.columns, tables.know, laws.quota, kind, columns, parts, latest, calm, REPORTED, floors)
