"""Money: node hours, their division among workloads, and what is paid for but not used.

Pure rules on plain numbers; prices are in the plan's currency per hour. Source: spec/load-latency-cost.md section 6.
"""

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


@dataclass(frozen=True, slots=True)
class Waste:
    """What is paid for without being used: `slack` is not requested, `over_request` is requested but not used."""

    slack: int
    over_request: int


def billed_us(lifetime_us: int, billing: Billing) -> int:
    """Billed time of a node that existed for `lifetime_us`."""
    units = -(-lifetime_us // billing.granularity_us)
    return max(units * billing.granularity_us, billing.minimum_us)


def node_cost(price_per_hour: float, lifetime_us: int, billing: Billing) -> float:
    """Cost of one node over its life."""
    return price_per_hour * billed_us(lifetime_us, billing) / US_PER_H


def nodes_cost(
    price_per_hour: NDArray[np.float64], from_us: NDArray[np.int64], until_us: NDArray[np.int64], billing: Billing
) -> NDArray[np.float64]:
    """Cost of many nodes of one billing rule, each billed from `from_us` until `until_us` (now, while it exists)."""
    units = -((from_us - until_us) // billing.granularity_us)
    billed = np.maximum(units * billing.granularity_us, billing.minimum_us)
    return np.asarray(price_per_hour * billed / US_PER_H)


def hourly_price(on_demand: float, reserved_price: float, reserved_nodes: int, nodes: int) -> float:
    """Price per hour of a pool: the first `reserved_nodes` are paid for in any case, the rest on demand."""
    return reserved_nodes * reserved_price + max(0, nodes - reserved_nodes) * on_demand


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


def waste(allocatable: int, requested: int, used: int) -> Waste:
    """Waste of one resource, in its unit. Use above the request is not negative waste."""
    return Waste(max(0, allocatable - requested), max(0, requested - used))


def resources_price(cpu_milli: int, memory_bytes: int, price_per_cpu_hour: float, price_per_gib_hour: float) -> float:
    """Price per hour of an amount of CPU and memory, to put waste into money."""
    return cpu_milli / 1000.0 * price_per_cpu_hour + memory_bytes / GIB * price_per_gib_hour
