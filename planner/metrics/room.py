"""How many more pods of each workload would have fitted at the worst moment.

The worst moment is the row of the time series with the smallest share of CPU or memory free of requests.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.feasibility.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.resources import CPU, MEMORY
from planner.state.specs import PodSpec

_MOST = 1_000_000


class RoomWatch:
    """Looks at every row of the time series and counts pods where the room is smaller than before."""

    def __init__(self, cluster: Cluster, pod_specs: Sequence[PodSpec]) -> None:
        """`pod_specs`: pod template of each workload of the plan."""
        self._cluster = cluster
        self._kinds = [_kind(one) for one in pod_specs]
        self._alike = dict(zip(self._kinds, pod_specs, strict=True))
        """One template of each kind."""
        self._static_fit = StaticFit(cluster)
        self._least = float("inf")
        self._seen = -1
        self.at_us = -1
        """When the room was smallest; -1 before the first look with a node."""
        self.pods: list[int] = []
        """Pods of each workload that would have fitted then, each workload on its own."""

    def look(self, now_us: int) -> None:
        """Compare this moment with the worst one so far."""
        nodes, changes = self._cluster.nodes, self._cluster.node_changes.cursor
        if changes == self._seen:  # every change of a node, and of the pods on it, is noted there
            return
        self._seen = changes
        usable = np.flatnonzero(nodes.exists & nodes.ready)
        if not len(usable):
            return
        shares = [_free_share(nodes.allocatable[usable, one], nodes.requested[usable, one]) for one in (CPU, MEMORY)]
        if min(shares) < self._least:
            self._least, self.at_us = min(shares), now_us
            free = nodes.allocatable[usable] - nodes.requested[usable]
            fitting = {kind: self._fitting(spec, usable, free) for kind, spec in self._alike.items()}
            self.pods = [fitting[kind] for kind in self._kinds]

    def _fitting(self, template: PodSpec, usable: NDArray[np.int64], free: NDArray[np.int64]) -> int:
        room = free[self._static_fit.node_mask(template)[usable]]
        request = template.request
        needs = np.flatnonzero(request > 0)
        if not len(room) or not len(needs):
            return 0 if not len(room) else _MOST
        return int(np.maximum(0, (room[:, needs] // request[needs]).min(axis=1)).sum())


def _kind(template: PodSpec) -> Hashable:
    """What the nodes of a pod, and how many of it fit there, depend on: often many workloads have the same."""
    rules = template.placement
    selector = tuple(sorted(rules.node_selector.items()))
    return template.request.tobytes(), rules.tolerations, selector, rules.required_terms, rules.volume_zone


def _free_share(offered: NDArray[np.int64], requested: NDArray[np.int64]) -> float:
    free = int(np.maximum(offered - requested, 0).sum())
    return float(np.float64(free) / max(int(offered.sum()), 1))
