"""The two taints with which the Cluster Autoscaler marks nodes."""

from collections.abc import Sequence

import numpy as np

from planner.matching.taints import NodeTaint, TaintEffect
from planner.state.cluster import Cluster

TO_BE_DELETED = NodeTaint("ToBeDeletedByClusterAutoscaler", "", TaintEffect.NO_SCHEDULE)
DELETION_CANDIDATE = NodeTaint("DeletionCandidateOfClusterAutoscaler", "", TaintEffect.PREFER_NO_SCHEDULE)
MAX_BULK_SOFT_TAINT_COUNT = 10


def soft_taint_changes(
    unneeded: Sequence[int], tainted: Sequence[int], budget: int = MAX_BULK_SOFT_TAINT_COUNT
) -> tuple[list[int], list[int]]:
    """Nodes that (lose, get) the candidate taint in this loop, at most `budget` changes together.

    `tainted` carry it now; nodes marked for deletion are in neither list. Nodes that are needed again
    come first (Cluster Autoscaler 1.36.1, core/scaledown/actuation/softtaint.go).
    """
    wanted, present = frozenset(unneeded), frozenset(tainted)
    losing = [node for node in tainted if node not in wanted][:budget]
    getting = [node for node in unneeded if node not in present][: budget - len(losing)]
    return losing, getting


def remove_stale_taints(cluster: Cluster) -> None:
    """What an earlier autoscaler left behind: its nodes marked for deletion are free again, and uncordoned."""
    marked = [any(taint.key == TO_BE_DELETED.key for taint in taints) for taints in cluster.taint_sets.values]
    is_marked = np.array(marked, dtype=np.bool_)[cluster.nodes.taint_set]
    is_own = ~cluster.groups.foreign[cluster.nodes.group]
    for node in np.flatnonzero(cluster.nodes.exists & is_marked & is_own).tolist():
        cluster.set_taints(node, tuple(each for each in cluster.node_taints(node) if each.key != TO_BE_DELETED.key))
        cluster.set_unschedulable(node, False)
