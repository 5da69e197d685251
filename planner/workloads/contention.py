"""CPU of a node divided among its pods: weighted max-min fairness, as cgroup shares give it.

Source: spec/load-latency-cost.md section 2. All CPU is milli-CPU, weights are cgroup v1 shares.
"""

import numpy as np
from numpy.typing import NDArray

MIN_SHARES = 2
SHARES_PER_CORE = 1024
_ROUNDING = 1e-6

Milli = NDArray[np.int64]


def cpu_weights(request_milli: Milli) -> NDArray[np.float64]:
    """cgroup shares of pods by CPU request (with overhead); a request of 0 counts as 2 shares."""
    return np.maximum(MIN_SHARES, request_milli * SHARES_PER_CORE // 1000).astype(np.float64)


def share_cpu(demand_milli: Milli, weight: NDArray[np.float64], capacity_milli: int) -> Milli:
    """What each pod of one node gets: its demand, or its share where the demands exceed the node's CPU."""
    node_index = np.zeros(len(demand_milli), np.int64)
    return share_cpu_by_node(demand_milli, weight, node_index, np.array([capacity_milli]))


def share_cpu_by_node(
    demand_milli: Milli, weight: NDArray[np.float64], node_index: NDArray[np.int64], node_capacity_milli: Milli
) -> Milli:
    """What each pod gets, all nodes at once; pod i is on node `node_index[i]`.

    Returns `demand_milli` itself where no node is overloaded. The sum on a node never exceeds its CPU.
    """
    asked = np.bincount(node_index, demand_milli, minlength=len(node_capacity_milli))
    overloaded = asked > node_capacity_milli
    if not overloaded.any():
        return demand_milli
    rows = np.flatnonzero(overloaded[node_index])
    granted = demand_milli.copy()
    granted[rows] = _shared(demand_milli[rows], weight[rows], node_index[rows], node_capacity_milli)
    return granted


def _shared(demand: Milli, weight: NDArray[np.float64], node: NDArray[np.int64], capacity: Milli) -> Milli:
    """Water filling on overloaded nodes: pods in order of demand per weight are satisfied while the level allows."""
    order = np.lexsort((demand / weight, node))
    demand_o, weight_o, node_o = demand[order], weight[order], node[order]
    first = np.flatnonzero(np.r_[True, node_o[1:] != node_o[:-1]])
    length = np.diff(np.r_[first, len(node_o)])
    demand_before = np.cumsum(demand_o) - demand_o
    demand_before -= np.repeat(demand_before[first], length)
    weight_before = np.cumsum(weight_o) - weight_o
    weight_before -= np.repeat(weight_before[first], length)
    weight_left = np.repeat(np.add.reduceat(weight_o, first), length) - weight_before
    level = (capacity[node_o] - demand_before) / weight_left
    short = demand_o > level * weight_o
    # The first pod that stays short sets the level of its node: all after it are short, too.
    position = np.where(short, np.arange(len(order)), len(order) - 1)
    water = np.repeat(level[np.minimum.reduceat(position, first)], length)
    granted = np.empty(len(order), np.int64)
    granted[order] = np.minimum(demand_o, np.floor(np.maximum(0.0, water * weight_o) + _ROUNDING)).astype(np.int64)
    return granted


def burst_capacity(
    granted_milli: Milli, limit_milli: Milli, node_index: NDArray[np.int64], node_capacity_milli: Milli
) -> Milli:
    """CPU that each pod could use at most in this step: what it got plus what its node has left, up to its limit.

    This is the capacity of its queue; `granted_milli` alone would call every pod saturated. A limit of 0 is none.
    """
    used = np.bincount(node_index, granted_milli, minlength=len(node_capacity_milli)).astype(np.int64)
    reachable = granted_milli + np.maximum(0, node_capacity_milli - used)[node_index]
    return np.asarray(np.where(limit_milli > 0, np.minimum(limit_milli, reachable), reachable), np.int64)
