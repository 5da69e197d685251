"""How long pods waited: for a node, until ready, and for the autoscaler to bring a node."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.units import US_PER_S

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class PodTimes:
    """Durations of the pods of a finished run, in seconds."""

    cluster: Cluster
    until_us: int

    @cached_property
    def _pending_by_workload_s(self) -> Floats:
        pods = self.cluster.pods
        end = np.where(pods.bound_us != NONE, pods.bound_us, pods.ended_us)
        deleted = (pods.deletion_us != NONE) & ((end == NONE) | (pods.deletion_us < end))
        end = np.where(deleted, pods.deletion_us, end)
        waited = np.where(end == NONE, self.until_us, end) - pods.created_us
        sums = np.bincount(pods.workload, weights=waited / US_PER_S, minlength=self.cluster.workloads.count)
        return sums.astype(np.float64)

    def pending_s(self, workload: int) -> float:
        """Pod seconds between creation and binding (or the end) of the workload's pods."""
        return float(self._pending_by_workload_s[workload])

    def start_s(self, workloads: Iterable[int]) -> Floats:
        """Creation to first Ready of each pod; those of the first instant belong to the set-up and are left out."""
        starts, bounds = self._starts_by_workload
        return np.concatenate([np.empty(0), *(starts[bounds[row] : bounds[row + 1]] for row in workloads)])

    @cached_property
    def _starts_by_workload(self) -> tuple[Floats, NDArray[np.int64]]:
        """Those times in order of workloads, and where each workload begins."""
        pods = self.cluster.pods
        started = np.flatnonzero((pods.first_ready_us != NONE) & (pods.created_us > 0))
        started = started[np.argsort(pods.workload[started], kind="stable")]
        bounds = np.searchsorted(pods.workload[started], np.arange(self.cluster.workloads.count + 1))
        return (pods.first_ready_us - pods.created_us)[started] / US_PER_S, bounds

    def reaction_s(self) -> tuple[Floats, Floats, Floats]:
        """From first being unschedulable until node requested, node ready, and pod running.

        Of the pods that run on a node which was requested after they were refused.
        """
        pods, nodes = self.cluster.pods, self.cluster.nodes
        rows = np.flatnonzero((pods.first_unschedulable_us != NONE) & (pods.running_us != NONE))
        node = pods.last_node[rows]
        helped = nodes.requested_us[node] >= pods.first_unschedulable_us[rows]
        rows, node = rows[helped], node[helped]
        refused = pods.first_unschedulable_us[rows]
        return (
            (nodes.requested_us[node] - refused) / US_PER_S,
            (nodes.first_ready_us[node] - refused) / US_PER_S,
            (pods.running_us[rows] - refused) / US_PER_S,
        )
