"""Kinds of pods under a CPU quota: what a step needs to know of a pod of a group, however many there are.

Pods come and go all the time, but the groups after that are of kinds that were there before.
"""

from typing import Any

import numpy as np

from planner.workloads.latency.cfs.quota_table import QuotaTables
from planner.workloads.latency.floor_scatter import squares
from planner.workloads.latency.free_response import LEVELS
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import NOT_SEEN, Groups
from planner.workloads.load.step.pod_groups import CALM_IN_OVERLOAD, CALM_MAX, PodGroups
from planner.workloads.load.step.slowed_pods import slowed
from planner.workloads.load.step.under_quota import pods_under_quota

UNKNOWN = -1
"""The kind of pods that are not under a quota."""
_OWN = 10  # figures of a pod: as of `quota_pod.pxd`
_QUEUES, _REFUSES, _FINISHES = range(3)
_Key = tuple[int, int, int, bool, float, int]


class QuotaKinds:
    """Numbers kinds as they come up, and keeps their columns for the kernel."""

    def __init__(self, demands: Demands) -> None:
        """`demands`: of all workloads."""
        from planner.kernels.load.quota_pod import QuotaPods

        self._demands = demands
        self._known: dict[_Key, int] = {}
        self._count = 0
        self._table_of: dict[Any, int] = {}
        self._tables = QuotaTables(())
        self._numbers: Ints = np.zeros((0, 4), np.int64)
        self._figures: Floats = np.zeros((0, _OWN + 2 * len(LEVELS)))
        self.pods = QuotaPods((CALM_MAX, CALM_IN_OVERLOAD))

    def look_at(self, groups: Groups) -> None:
        """See of which kind the groups are that were not seen before; `groups`: all that some workloads have."""
        size, unseen = len(self._demands.cv), np.flatnonzero(groups.kind == NOT_SEEN)
        if not len(unseen):
            return
        pods = np.bincount(groups.service, groups.pods * groups.takes, minlength=size).astype(np.int64)
        groups.kind[unseen] = self._of(groups.take(unseen), pods)

    def _of(self, groups: Groups, pods_of: Ints) -> Ints:
        """The kind of each of these groups. `pods_of`: how many pods of each workload take requests."""
        pods = pods_of[groups.service]
        columns = (*groups[:5], np.where(self._demands.split_at_random[groups.service], 0, pods))
        keys: list[_Key] = list(zip(*(column.tolist() for column in columns), strict=True))
        new: dict[_Key, int] = {}
        for at, key in enumerate(keys):
            if key not in self._known:
                new.setdefault(key, at)
        if new:
            at_first = np.array(list(new.values()), np.int64)
            self._learn(list(new), groups.take(at_first), pods[at_first])
        return np.array([self._known[key] for key in keys], np.int64)

    def __len__(self) -> int:
        """How many there are."""
        return self._count

    def _learn(self, keys: list[_Key], groups: Groups, pods: Ints) -> None:
        """`pods`: of the workload of each that take requests."""
        own = PodGroups(
            np.arange(len(keys)), pods, pods, groups.capacity, groups.cores, groups.takes,
            self._demands.take(groups.service),
        )  # fmt: skip
        if (groups.slower != 1.0).any():
            own = slowed(own, groups.slower)
        under, kind = own.throttled, np.full(len(keys), UNKNOWN, np.int64)
        kind[under] = self._count + np.arange(len(under))
        self._known.update(zip(keys, kind.tolist(), strict=True))
        if len(under):
            self._add(own.take(under), self._demands.cpu_seconds[groups.service[under]], groups.slower[under])

    def _add(self, own: PodGroups, cpu_seconds: Floats, slower: Floats) -> None:
        """Columns of more kinds; `cpu_seconds`: of a request at a warm pod."""
        demands = own.demands
        modes = np.full(len(own.service), _QUEUES)
        modes[own.without_queue], modes[own.finishing] = _REFUSES, _FINISHES
        varies = demands.floor_cv != 0.0
        numbers = np.stack((self._tables_for(own), modes, own.loses, varies), axis=1).astype(np.int64)
        figures = (
            own.capacity_rate, own.servers, own.floor_load, demands.floor_s, own.calm_shrinks, own.limit, own.times_out,
            np.square(demands.floor_s * demands.floor_cv), cpu_seconds, slower,
        )  # fmt: skip
        scatter = squares(demands.floor_s, demands.floor_cv) if varies.any() else np.zeros((len(LEVELS), len(modes)))
        self._numbers = _longer(self._numbers, numbers, self._count)
        self._figures = _longer(self._figures, np.vstack((*figures, own.latest_s, scatter)).T, self._count)
        self._count += len(modes)
        columns = self._numbers[: self._count], self._figures[: self._count]
        self.pods.know(self._tables.columns, self._tables.know, *columns)

    def _tables_for(self, own: PodGroups) -> list[int]:
        """The number of the table of each."""
        pods, of = pods_under_quota(own)
        new = [pod for pod in pods if pod not in self._table_of]
        if new:
            self._table_of.update((pod, len(self._table_of)) for pod in new)
            self._tables.add(new)
        return [self._table_of[pods[one]] for one in of]


def _longer(column: Any, more: Any, count: int) -> Any:
    """A table with more rows after the first `count`, and room for others."""
    if count + len(more) > len(column):
        room = np.zeros((max(len(more), len(column)), column.shape[1]), column.dtype)
        column = np.concatenate((column, room))
    column[count : count + len(more)] = more
    return column
