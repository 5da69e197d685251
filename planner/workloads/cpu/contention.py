"""CPU of a node divided among its pods: weighted max-min fairness, as cgroup shares give it.

docs/model.md, "CPU". All CPU is milli-CPU, weights are cgroup v1 shares.
"""

import numpy as np
from numpy.typing import NDArray

MIN_SHARES = 2
SHARES_PER_CORE = 1024
NO_LIMIT_MILLI = 1 << 40
"""A CPU limit of this or more is none."""
_ROUNDING = 1e-6

Milli = NDArray[np.int64]


def cpu_weights(request_milli: Milli) -> NDArray[np.float64]:
    """cgroup shares of pods by CPU request (with overhead); a request of 0 counts as 2 shares."""
    return np.maximum(MIN_SHARES, request_milli * SHARES_PER_CORE // 1000).astype(np.float64)


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
    demand_milli: Milli,
    granted_milli: Milli,
    weight: NDArray[np.float64],
    limit_milli: Milli,
    node_index: NDArray[np.int64],
    node_capacity_milli: Milli,
) -> Milli:
    """CPU that each pod could use at most in this step, up to its limit: what it would get if it alone asked for all.

    That is what it got, what its node has left, and what others use beyond their share. It is the capacity of its
    queue; `granted_milli` alone would call every pod saturated. A limit of 0 is none.
    """
    used = np.bincount(node_index, granted_milli, minlength=len(node_capacity_milli)).astype(np.int64)
    reachable = granted_milli + np.maximum(0, node_capacity_milli - used)[node_index]
    wants = (limit_milli <= 0) | (reachable < limit_milli)
    rows = _beside_hogs(demand_milli, weight, node_index, node_capacity_milli, wants)
    if len(rows):
        won = _won_back(demand_milli[rows], weight[rows], node_index[rows], node_capacity_milli)
        reachable[rows] = np.maximum(reachable[rows], won)
    return np.asarray(np.where(limit_milli > 0, np.minimum(limit_milli, reachable), reachable), np.int64)


def _beside_hogs(
    demand: Milli,
    weight: NDArray[np.float64],
    node: NDArray[np.int64],
    capacity: Milli,
    wants: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Pods on nodes where one of them might have to yield if another one, that can use more, asked for more."""
    if not len(demand):
        return np.zeros(0, np.int64)
    asked = np.bincount(node, demand, minlength=len(capacity))
    greediest = float((demand / weight).max()) * float(weight.max())
    near = (asked + greediest > capacity) & (np.bincount(node, wants, minlength=len(capacity)) > 0)
    if not near.any():
        return np.zeros(0, np.int64)
    rows = np.flatnonzero(near[node])
    level, heaviest = np.zeros((2, len(capacity)))
    np.maximum.at(level, node[rows], demand[rows] / weight[rows])
    np.maximum.at(heaviest, node[rows], weight[rows])
    return np.asarray(rows[(asked + level * heaviest > capacity)[node[rows]]], np.int64)


def _won_back(demand: Milli, weight: NDArray[np.float64], node: NDArray[np.int64], capacity: Milli) -> Milli:
    """What each pod would get if its own demand had no end and those of the others stayed.

    With pods in order of demand per weight, the water level L of pod i solves D(k) - d(i) + L (W - W(k) + w(i)) = C,
    where the pods up to k are satisfied; k is found by bisection, for all pods at once.
    """
    order = np.lexsort((demand / weight, node))
    demand_o, weight_o, node_o = demand[order].astype(np.float64), weight[order], node[order]
    first = np.flatnonzero(np.r_[True, node_o[1:] != node_o[:-1]])
    length = np.diff(np.r_[first, len(node_o)])
    start, end = np.repeat(first, length), np.repeat(first + length - 1, length)
    demand_to, weight_to = np.cumsum(demand_o), np.cumsum(weight_o)
    demand_to -= np.repeat(demand_to[first] - demand_o[first], length)
    weight_to -= np.repeat(weight_to[first] - weight_o[first], length)
    whole, cores = weight_to[end], capacity[node_o].astype(np.float64)
    low, high = start - 1, end  # the last k whose demands are all met, start - 1 for none
    for _ in range(int(length.max()).bit_length() + 1):
        middle = (low + high + 1) // 2
        k = np.maximum(middle, start)
        level = demand_o[k] / weight_o[k]
        own = np.where(np.arange(len(order)) <= k, demand_o, level * weight_o)
        taken = demand_to[k] + level * (whole - weight_to[k]) - own + level * weight_o
        fits = (taken <= cores) & (middle >= start)
        low, high = np.where(fits, middle, low), np.where(fits, high, np.maximum(middle - 1, low))
    met = low >= start
    k = np.maximum(low, start)
    satisfied = met & (np.arange(len(order)) <= k)
    others = np.where(met, demand_to[k], 0.0) - np.where(satisfied, demand_o, 0.0)
    sharing = np.where(met, whole - weight_to[k], whole) + np.where(satisfied, weight_o, 0.0)
    won = np.empty(len(order), np.int64)
    won[order] = np.floor(np.maximum(0.0, (cores - others) / sharing * weight_o) + _ROUNDING).astype(np.int64)
    return won
