"""How many more pods of each workload would have fitted at the worst moment (load-latency-cost.md section 7).

The worst moment is the row of the time series with the smallest share of CPU or memory free of requests.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.static_fit import StaticFit
from planner.state.cluster import Cluster
from planner.state.resources import CPU, MEMORY
from planner.state.specs import PodSpec

_MOST = 1_000_000


class RoomWatch:
    """Looks at every row of the time series and counts pods where the room is smaller than before."""

    def __init__(self, cluster: Cluster, pod_specs: Sequence[PodSpec]) -> None:
        """`pod_specs`: pod template of each workload of the plan."""
        self._cluster = cluster
        self._specs = pod_specs
        self._static_fit = StaticFit(cluster)
        self._least = float("inf")
        self.at_us = -1
        """When the room was smallest; -1 before the first look with a node."""
        self.pods: list[int] = []
        """Pods of each workload that would have fitted then, each workload on its own."""

    def look(self, now_us: int) -> None:
        """Compare this moment with the worst one so far."""
        nodes = self._cluster.nodes
        usable = np.flatnonzero(nodes.exists & nodes.ready)
        if not len(usable):
            return
        free = nodes.allocatable[usable] - nodes.requested[usable]
        offered = np.maximum(nodes.allocatable[usable][:, [CPU, MEMORY]].sum(axis=0), 1)
        share = float((np.maximum(free[:, [CPU, MEMORY]], 0).sum(axis=0) / offered).min())
        if share < self._least:
            self._least, self.at_us = share, now_us
            self.pods = [self._fitting(spec, usable, free) for spec in self._specs]

    def _fitting(self, template: PodSpec, usable: NDArray[np.int64], free: NDArray[np.int64]) -> int:
        room = free[self._static_fit.node_mask(template)[usable]]
        asked = template.request
        needs = np.flatnonzero(asked > 0)
        if not len(room) or not len(needs):
            return 0 if not len(room) else _MOST
        return int(np.maximum(0, (room[:, needs] // asked[needs]).min(axis=1)).sum())
