"""Expander that keeps the cheapest options, with a preference for nodes that suit the cluster's size."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from planner.autoscaler.expander.option import ExpansionOption, PodPrices, keep_lowest
from planner.plan.model.autoscalers.expanders import ExpanderName
from planner.units import GIB, MIB

GPU_UNFITNESS = 1000.0
NEW_GROUP_FACTOR = 2.0
_STABILIZATION_CPU_MILLI = 500
_STABILIZATION_MEMORY_BYTES = 500 * MIB
_SUPPRESSION_NODES = 15.0
_PREFERRED_CORES = ((2, 1), (6, 2), (20, 4), (60, 8), (200, 16))
_PREFERRED_CORES_LARGEST = 32


@dataclass(frozen=True, slots=True)
class PriceScore:
    """How the score of an option came about."""

    nodes_price: float
    pods_price: float
    ratio: float
    unfitness: float
    suppressed_unfitness: float
    score: float


class Price:
    """Lowest price score (Cluster Autoscaler 1.36.1, expander/price); options of unknown price are dropped."""

    name = ExpanderName.PRICE
    prefers_high = False

    def __init__(self, cluster_nodes: int, prices: PodPrices) -> None:
        self._cluster_nodes = cluster_nodes
        self._prices = prices

    def best_options(self, options: Sequence[ExpansionOption]) -> list[ExpansionOption]:
        """The options of the lowest score."""
        return keep_lowest(options, [self.figure(option) for option in options])

    def figure(self, option: ExpansionOption) -> float | None:
        """The score: lower is better; None when the price is unknown."""
        score = self.score(option)
        return None if score is None else score.score

    def score(self, option: ExpansionOption) -> PriceScore | None:
        """The score with its parts; None when the price of a node is unknown."""
        if option.node_price is None or not option.has_template:
            return None
        nodes_price = option.node_price * option.node_count
        stabilization = pod_price(_STABILIZATION_CPU_MILLI, _STABILIZATION_MEMORY_BYTES, self._prices)
        ratio = (nodes_price + stabilization) / (option.pods_price + stabilization)
        unfitness = node_unfitness(preferred_cpu_milli(self._cluster_nodes), option.capacity_cpu_milli)
        if option.has_gpu:
            suppressed = GPU_UNFITNESS
        else:
            suppression = 1.0 - math.tanh((option.node_count - 1) / _SUPPRESSION_NODES)
            suppressed = (unfitness - 1.0) * suppression + 1.0
        score = suppressed * ratio * (1.0 if option.exists else NEW_GROUP_FACTOR)
        return PriceScore(nodes_price, option.pods_price, ratio, unfitness, suppressed, score)


def pod_price(cpu_milli: int, memory_bytes: int, prices: PodPrices) -> float:
    """Hourly price of what the ordinary containers of a pod request."""
    return cpu_milli / 1000 * prices.core + memory_bytes / GIB * prices.gib


def preferred_cpu_milli(cluster_nodes: int) -> int:
    """CPU of the node that suits a cluster of so many nodes."""
    for up_to_nodes, cores in _PREFERRED_CORES:
        if cluster_nodes <= up_to_nodes:
            return cores * 1000
    return _PREFERRED_CORES_LARGEST * 1000


def node_unfitness(preferred_milli: int, cpu_milli: int) -> float:
    """1.0 for the preferred size, growing with the factor between the two."""
    if cpu_milli == 0:
        return math.inf
    return max(preferred_milli / cpu_milli, cpu_milli / preferred_milli)
