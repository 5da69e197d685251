"""Which autoscalers have a pod that could be worth an update: a quick look at all of them at once.

What it leaves out the updater would leave alone; a test compares. Pods of one template and autoscaler are alike.
"""

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
    """The pods of one autoscaler: for each template the oldest pod, and the requests of its containers."""

    version: int
    oldest_us: Ints
    template: Ints
    """Position among the templates, of each container; the slot and the requests of the container follow."""
    slot: Ints
    requests: Ints
    """A row for CPU, one for memory; -1: none."""


class PodReader(Protocol):
    """Gathers what an update of pods starts from."""

    def pods_of(self, vpa: TrackedVpa) -> Ints:
        """Pods of an autoscaler that have a node and are not being deleted, in order of creation."""

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
        self._shapes: list[_Shapes | None] = [None] * len(vpas)
        self._is_fitted = np.array([_is_fitted(vpa) for vpa in vpas], np.bool_)

    def find(self, latest: Recommendations, now_us: int, pods: PodReader) -> Bools:
        """Which autoscalers to look at closely; those whose recommendation is fitted to each pod always."""
        for at, vpa in enumerate(self._vpas):
            known = self._shapes[at]
            if known is None or known.version != self._cluster.workloads.version.item(vpa.workload):
                self._shapes[at] = self._read(vpa, pods)
        shapes = [one for one in self._shapes if one is not None]
        counts = [len(one.oldest_us) for one in shapes]
        first = np.cumsum([0, *counts])
        oldest_us = np.concatenate([one.oldest_us for one in shapes])
        template = np.concatenate([one.template + start for one, start in zip(shapes, first.tolist(), strict=False)])
        slot = np.concatenate([one.slot for one in shapes])
        requests = np.concatenate([one.requests for one in shapes], axis=1)
        outside, difference = _compare(latest, template, slot, requests, len(oldest_us))
        is_old = oldest_us + self._rules.lifetime_us <= now_us
        worth = outside | (is_old & (difference >= self._rules.threshold - _ROUNDING))
        found: Bools = self._is_fitted.copy()
        found[np.repeat(np.arange(len(shapes)), counts)[worth]] = True
        return found

    def _read(self, vpa: TrackedVpa, reader: PodReader) -> _Shapes:
        version, pods = self._cluster.workloads.version.item(vpa.workload), reader.pods_of(vpa)
        templates, position = np.unique(self._cluster.pods.spec[pods], return_inverse=True)
        oldest_us = np.full(len(templates), np.iinfo(np.int64).max // 2)
        np.minimum.at(oldest_us, position, self._cluster.pods.bound_us[pods])
        rows = [
            (at, vpa.slots[one.name], *(one.requests.get(resource, NONE) for resource in RESOURCES))
            for at, number in enumerate(templates.tolist())
            for one in reader.containers_of(number)
            if one.name in vpa.slots
        ]
        columns = np.array(rows, np.int64).reshape(-1, 4).T
        return _Shapes(version, oldest_us, columns[0], columns[1], columns[2:])


def _is_fitted(vpa: TrackedVpa) -> bool:
    """Whether more than the policies bounds the recommendation of single pods."""
    has_limits = vpa.limits.pod is not None or vpa.limits.container is not None
    return has_limits or any(policy.requests_only for policy in vpa.policies)


def _compare(
    latest: Recommendations, template: Ints, slot: Ints, requests: Ints, count: int
) -> tuple[Bools, NDArray[np.float64]]:
    """By template: whether a request is missing or out of bounds, and the difference of all of them."""
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
