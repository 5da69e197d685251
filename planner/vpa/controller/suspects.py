"""Which autoscalers have a pod that could be worth an update: a quick look at all of them at once.

What it leaves out the updater would leave alone; a test compares. Pods of one template and autoscaler are alike.
"""

from collections.abc import Iterable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.vpa.admission.capping import ContainerResources
from planner.vpa.controller.tracked import TrackedVpa
from planner.vpa.recommender.policies import RESOURCES
from planner.vpa.recommender.recommender import NONE, Recommendations
from planner.vpa.updater.priority import PriorityRules

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
_ROUNDING = 1e-9
"""Differences are added up in another order than by the rule itself."""


class _Shapes(NamedTuple):
    """Pods of autoscalers: for each template whose it is and the oldest pod, and the requests of its containers."""

    owner: Ints
    oldest_us: Ints
    template: Ints
    """Position among the templates, of each container; the slot and the requests of the container follow."""
    slot: Ints
    requests: Ints
    """A row for CPU, one for memory; -1: none."""

    def without(self, owners: Bools) -> "_Shapes":
        """Those of the other autoscalers."""
        kept = ~owners[self.owner]
        of_kept, position = kept[self.template], np.cumsum(kept) - 1
        return _Shapes(
            self.owner[kept], self.oldest_us[kept], position[self.template[of_kept]], self.slot[of_kept],
            self.requests[:, of_kept],
        )  # fmt: skip

    def with_more(self, more: "_Shapes") -> "_Shapes":
        """These and others."""
        template = more.template + len(self.owner)
        joined = zip(self, more._replace(template=template), strict=True)
        return _Shapes(*(np.concatenate(pair, axis=-1) for pair in joined))


_NONE_YET = np.zeros(0, np.int64)
_NOTHING = _Shapes(_NONE_YET, _NONE_YET, _NONE_YET, _NONE_YET, np.zeros((len(RESOURCES), 0), np.int64))
_UNREAD = np.iinfo(np.int64).min
"""No version."""


class PodReader(Protocol):
    """Gathers what an update of pods starts from."""

    def pods_of(self, vpas: Iterable[TrackedVpa]) -> Ints:
        """Pods of autoscalers that have a node and are not being deleted; those of each in order of creation."""

    def containers_of(self, template: int) -> tuple[ContainerResources, ...]:
        """Requests and limits of the containers of a template."""


class Suspects:
    """Looks at requests by template instead of by pod."""

    def __init__(
        self,
        cluster: Cluster,
        vpas: list[TrackedVpa],
        rules: PriorityRules,
    ) -> None:
        self._cluster, self._vpas, self._rules = cluster, vpas, rules
        self._workloads = np.array([vpa.workload for vpa in vpas], np.int64)
        self._versions = np.full(len(vpas), _UNREAD)
        """Of the workloads, when their pods were read."""
        self._owner_of: Ints = np.zeros(int(self._workloads.max(initial=-1)) + 1, np.int64)
        """By workload."""
        self._owner_of[self._workloads] = np.arange(len(vpas))
        self._shapes = _NOTHING
        self._is_fitted = np.array([_is_fitted(vpa) for vpa in vpas], np.bool_)

    def find(self, latest: Recommendations, now_us: int, pods: PodReader) -> Bools:
        """Which autoscalers to look at closely; those whose recommendation is fitted to each pod always."""
        self._catch_up(pods)
        shapes = self._shapes
        outside, difference = _compare(latest, shapes)
        is_old = shapes.oldest_us + self._rules.lifetime_us <= now_us
        worth = outside | (is_old & (difference >= self._rules.threshold - _ROUNDING))
        found: Bools = self._is_fitted.copy()
        found[shapes.owner[worth]] = True
        return found

    def _catch_up(self, pods: PodReader) -> None:
        """Read those whose pods have changed."""
        versions = self._cluster.workloads.version[self._workloads]
        changed = versions != self._versions
        if changed.any():
            self._shapes = self._shapes.without(changed).with_more(self._read(np.flatnonzero(changed), pods))
            self._versions = versions

    def _read(self, owners: Ints, reader: PodReader) -> _Shapes:
        table, pods = self._cluster.pods, reader.pods_of(self._vpas[at] for at in owners.tolist())
        templates, first, position = np.unique(table.spec[pods], return_index=True, return_inverse=True)
        owner = self._owner_of[table.workload[pods[first]]]
        oldest_us = np.full(len(templates), np.iinfo(np.int64).max // 2)
        np.minimum.at(oldest_us, position, table.bound_us[pods])
        rows = [
            (at, slots[one.name], *(one.requests.get(resource, NONE) for resource in RESOURCES))
            for at, (number, whose) in enumerate(zip(templates.tolist(), owner.tolist(), strict=True))
            for one in reader.containers_of(number)
            if one.name in (slots := self._vpas[whose].slots)
        ]
        columns = np.array(rows, np.int64).reshape(-1, 4).T
        return _Shapes(owner, oldest_us, columns[0], columns[1], columns[2:])


def _is_fitted(vpa: TrackedVpa) -> bool:
    """Whether more than the policies bounds the recommendation of single pods."""
    has_limits = vpa.limits.pod is not None or vpa.limits.container is not None
    return has_limits or any(policy.requests_only for policy in vpa.policies)


def _compare(latest: Recommendations, shapes: _Shapes) -> tuple[Bools, NDArray[np.float64]]:
    """By template: whether a request is missing or out of bounds, and the difference of all of them."""
    _, _, template, slot, requests = shapes
    count = len(shapes.owner)
    outside, difference = np.zeros(count, np.bool_), np.zeros(count)
    for request, resource in zip(requests, RESOURCES, strict=True):
        target, lower, upper = latest.of(resource)[:3, slot]
        is_known, has_request = target != NONE, request != NONE
        out = is_known & (~has_request | (request < lower) | (request > upper))
        np.logical_or.at(outside, template, out)
        wanted = np.bincount(template, np.where(is_known, target, 0), minlength=count)
        now = np.bincount(template, np.where(is_known & has_request, request, 0), minlength=count)
        base = np.maximum(now, 1.0)
        difference += np.abs(now - wanted) / base
    return outside, difference
