"""What it costs to move the pods of nodes.

Source: Karpenter 1.13, pkg/utils/disruption/disruption.go and pkg/controllers/disruption/types.go (NewCandidate). The
cost is that of all pods, those of DaemonSets too, less the nearer the node is to its expiry.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.karpenter.cluster_view import NodeView
from planner.karpenter.disruption.commands import RankedCandidates

CostRow = tuple[float, float, float, float]
NO_COST: CostRow = 0.0, 0.0, 0.0, 0.0
_EVICTION, _CREATED, _EXPIRE_AFTER, _IS_EMPTY = range(len(NO_COST))
_NEVER = -1.0


def cost_row(node: NodeView) -> CostRow:
    """What the cost of a node depends on beside the time."""
    expire_after = _NEVER if node.expire_after_us is None else float(node.expire_after_us)
    return node.eviction_cost, float(node.created_us), expire_after, float(node.is_empty)


def in_order(
    nodes: Sequence[NodeView],
    names: Sequence[str],
    places: NDArray[np.int64],
    rows: NDArray[np.float64],
    now_us: int,
) -> RankedCandidates:
    """Candidates, the cheapest to move first; equal ones stay in their order.

    `names`: of all nodes; `places`: of the candidates among them; `rows`: of `cost_row` for each candidate.
    """
    costs = rows[:, _EVICTION] * _lifetimes_left(rows, now_us)
    ranks = np.argsort(costs, kind="stable")
    return RankedCandidates(nodes, names, places[ranks], costs[ranks], rows[ranks, _IS_EMPTY] > 0)


def _lifetimes_left(rows: NDArray[np.float64], now_us: int) -> NDArray[np.float64]:
    """What part of its time until expiry each node has left; 1 without expiry."""
    left: NDArray[np.float64] = (rows[:, _EXPIRE_AFTER] != 0).astype(np.float64)
    limited = rows[:, _EXPIRE_AFTER] > 0
    expire_after, age = rows[limited, _EXPIRE_AFTER], now_us - rows[limited, _CREATED]
    if not len(age):
        return left
    left[limited] = np.clip((expire_after - age) / expire_after, 0.0, 1.0)
    return left
