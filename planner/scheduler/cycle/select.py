"""Which of the feasible nodes are scored, and which of the scored ones is chosen."""

from typing import NamedTuple

import numpy as np

from planner.engine.draws import Keys
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import Rows
from planner.state.cluster import Cluster


class Sample(NamedTuple):
    """Feasible nodes found, in order of search, and by how much the start moves on."""

    rows: Rows
    looked_at: int


def find_feasible(twice: Rows, start: int, feasible: Mask, wanted: int) -> Sample:
    """Search from `start` round; stop when one more feasible node than wanted turns up (that one is not counted)."""
    count = len(twice) // 2
    reach = min(count, wanted + wanted // 8 + 64)
    while True:
        window = twice[start : start + reach]
        found = feasible.take(window).nonzero()[0]
        if len(found) > wanted:
            if found[wanted] == wanted:
                return Sample(window[:wanted], wanted)
            return Sample(window.take(found[:wanted]), int(found[wanted]))
        if reach == count:
            return Sample(window.take(found), count)
        reach = min(count, 4 * reach)


class NameOrder:
    """Ranks of the node names, for ties: the smallest name wins, as text."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._names: list[str] = []
        self._ranks: Keys = np.zeros(0, dtype=np.uint64)

    def name(self, node: int) -> str:
        """Name of a node, made once."""
        names = self._names
        if node >= len(names):
            names.extend(self._cluster.node_name(row) for row in range(len(names), self._cluster.nodes.count))
        return names[node]

    def ranks(self) -> Keys:
        """Place of every node row in the order of the names."""
        if len(self._ranks) != self._cluster.nodes.count:
            self.name(self._cluster.nodes.count - 1)
            order = sorted(range(len(self._names)), key=self._names.__getitem__)
            self._ranks = np.empty(len(order), dtype=np.uint64)
            self._ranks[order] = np.arange(len(order), dtype=np.uint64)
        return self._ranks
