"""Money: node hours, their division among workloads, and what is paid for but not used.

Pure rules on plain numbers; prices are in the plan's currency per hour.
"""

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.units import GIB, US_PER_H, US_PER_MIN, US_PER_S


@dataclass(frozen=True, slots=True)
class Billing:
    """How a pool's node time is billed: rounded up to `granularity_us`, at least `minimum_us` a node."""

    granularity_us: int = US_PER_S
    minimum_us: int = US_PER_MIN


@dataclass(frozen=True, slots=True)
class NodeCostSplit:
    """Cost of one node by pod, and the part that no request covers."""

    by_pod: NDArray[np.float64]
    idle: float


def nodes_cost(
    price_per_hour: NDArray[np.float64],
    from_us: NDArray[np.int64],
    until_us: NDArray[np.int64],
    billing: Billing,
    free_us: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Cost of many nodes of one billing rule, each billed from `from_us` until `until_us` (now, while it exists).

    `free_us`: of that the time that a reservation covers.
    """
    units = -((from_us - until_us) // billing.granularity_us)
    billed = np.maximum(units * billing.granularity_us, billing.minimum_us)
    billed = np.where(until_us > from_us, billed, 0)
    if free_us is not None:
        billed = np.where(free_us >= until_us - from_us, 0, billed - free_us)
    return np.asarray(price_per_hour * billed / US_PER_H)


def reserved_us(from_us: NDArray[np.int64], until_us: NDArray[np.int64], reserved_nodes: int) -> NDArray[np.int64]:
    """For how long one of `reserved_nodes` reservations covers each node; the oldest nodes take them first."""
    covered = np.zeros(len(from_us), np.int64)
    free_at = [0] * reserved_nodes
    for node in np.lexsort((np.arange(len(from_us)), from_us)).tolist():
        if not free_at:
            break
        start, end = int(from_us[node]), int(until_us[node])
        begin = max(start, free_at[0])
        if begin < end:
            covered[node] = end - begin
            heapq.heapreplace(free_at, end)
    return covered


def split_node_cost(
    cost: float,
    cpu_milli: NDArray[np.int64],
    memory_bytes: NDArray[np.int64],
    allocatable_milli: int,
    allocatable_bytes: int,
) -> NodeCostSplit:
    """Divide a node's cost by each pod's larger share of requested CPU or memory; the rest is idle.

    Shares are scaled down where CPU-heavy and memory-heavy pods together claim more than the node.
    """
    share = np.maximum(cpu_milli / max(1, allocatable_milli), memory_bytes / max(1, allocatable_bytes))
    claimed = float(share.sum())
    by_pod = np.asarray(cost * share / max(1.0, claimed))
    return NodeCostSplit(by_pod, cost * max(0.0, 1.0 - claimed))


def cost_per_thousand(cost: float, served: float) -> float:
    """Cost per 1,000 served requests; 0 when nothing was served."""
    return 1000.0 * cost / served if served > 0.0 else 0.0


def resources_price(cores: float, memory_bytes: float, price_per_cpu_hour: float, price_per_gib_hour: float) -> float:
    """Price per hour of an amount of CPU and memory, to put waste into money."""
    return cores * price_per_cpu_hour + memory_bytes / GIB * price_per_gib_hour
