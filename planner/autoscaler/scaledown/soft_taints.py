"""Keeps the candidate taint on unneeded nodes, so that the scheduler prefers others."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.taints import DELETION_CANDIDATE, soft_taint_changes
from planner.state.cluster import Cluster


class SoftTaints:
    """Brings the taints of the nodes in line with the verdicts, a few nodes per loop."""

    def __init__(self, cluster: Cluster, most_changes: int) -> None:
        self._cluster = cluster
        self._most_changes = most_changes

    def update(self, rows: NDArray[np.int64], unneeded: Sequence[int]) -> None:
        """Taint and untaint a few nodes; `rows`: those that stay, in list order, as `unneeded` is."""
        cluster = self._cluster
        if not self._most_changes:
            return
        marked = [DELETION_CANDIDATE in taints for taints in cluster.taint_sets.values]
        if not unneeded and not any(marked):
            return
        tainted = rows[np.array(marked, dtype=np.bool_)[cluster.nodes.taint_set[rows]]].tolist()
        wanted = [node for node in unneeded if not cluster.nodes.deleting[node]]
        losing, getting = soft_taint_changes(wanted, tainted, self._most_changes)
        for node in losing:
            taints = cluster.node_taints(node)
            cluster.set_taints(node, tuple(taint for taint in taints if taint != DELETION_CANDIDATE))
        for node in getting:
            cluster.set_taints(node, (*cluster.node_taints(node), DELETION_CANDIDATE))
