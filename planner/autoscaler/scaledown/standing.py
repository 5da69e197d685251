"""What an update of scale-down found, node by node, and whether it finds the same after pods came, moved or went.

Proof. Let an update have judged the nodes, with no pod put on trial before and each candidate either beyond the limit
or emptied, its pods of such a kind that only room decides where they go. Let only pods come and go after that, on nodes
that were no candidates. Then the candidates and their pods are the same. A node that was no candidate for another
reason than its utilization stays none; one that was too much used stays so while its utilization is above the
threshold. The next update tries the same pods in the same order, each first on the node where this one put it. It has
room there if the node has room for all that this one put there. So nothing is searched for, and nobody moves.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.autoscaler.scaledown.reasons import NodeVerdict
from planner.autoscaler.snapshot.snapshot import Snapshot
from planner.state.cluster import Cluster

_LASTING = (
    NodeVerdict.NOT_CANDIDATE,
    NodeVerdict.RECENTLY_UNREMOVABLE,
    NodeVerdict.CURRENTLY_BEING_DELETED,
    NodeVerdict.SCALE_DOWN_DISABLED_ANNOTATION,
    NodeVerdict.SCALE_DOWN_UNREADY_DISABLED,
    NodeVerdict.NOT_UNDERUTILIZED,
)
_IS_LASTING = np.array([verdict in _LASTING for verdict in NodeVerdict], dtype=np.bool_)
"""By verdict code: whether the pods of the node have no say in it but by its utilization."""


@dataclass(frozen=True, slots=True)
class SimulationInputs:
    """What a simulation depends on besides its hints; equal inputs give equal results."""

    changes: int
    positions: tuple[int, ...]
    limit: int
    placed: tuple[tuple[int, tuple[int, ...]], ...]
    nodes: int
    shrinkable: bytes
    budgets: tuple[int, ...]

    @classmethod
    def of(
        cls,
        cluster: Cluster,
        snapshot: Snapshot,
        order: Sequence[int],
        limit: int,
        shrinkable: NDArray[np.bool_],
        budgets: Sequence[int],
    ) -> "SimulationInputs":
        """Those of a simulation of the candidates at these positions, which ends after so many removable ones."""
        return cls(
            changes=cluster.node_changes.cursor,
            positions=tuple(order),
            limit=limit,
            placed=tuple((position, tuple(pods)) for position, pods in snapshot.placed.items()),
            nodes=len(snapshot),
            shrinkable=shrinkable.tobytes(),
            budgets=tuple(budgets),
        )


@dataclass(frozen=True, slots=True, eq=False)
class StandingNodes:
    """What an update found, by node row."""

    verdicts: NDArray[np.int8]
    thresholds: NDArray[np.float64]
    taken: NDArray[np.int64]
    """What the pods take that were put there on trial; shape (nodes, resources)."""


def scattered(
    count: int,
    rows: NDArray[np.int64],
    verdicts: NDArray[np.int8],
    thresholds: NDArray[np.float64],
    taken: NDArray[np.int64],
) -> StandingNodes:
    """The same of nodes in any order, of `count` nodes in all; those that were not listed are no candidates."""
    by_row = StandingNodes(
        np.full(count, NodeVerdict.NOT_CANDIDATE.value, dtype=np.int8),
        np.zeros(count),
        np.zeros((count, taken.shape[1]), dtype=np.int64),
    )
    by_row.verdicts[rows], by_row.thresholds[rows], by_row.taken[rows] = verdicts, thresholds, taken
    return by_row


def stays_so(
    found: StandingNodes, changed: NDArray[np.int64], utilization: NDArray[np.float64], free: NDArray[np.int64]
) -> bool:
    """Whether an update now finds the same; of the changed nodes, what is requested and what is free there."""
    verdicts, taken = found.verdicts[changed], found.taken[changed]
    if not _IS_LASTING[verdicts].all() or ((free < taken) & (taken > 0)).any():
        return False
    is_low = utilization <= found.thresholds[changed]
    return not (is_low & (verdicts == NodeVerdict.NOT_UNDERUTILIZED.value)).any()
