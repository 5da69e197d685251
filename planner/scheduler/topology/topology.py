"""Which value of a topology label each node has."""

import numpy as np
from numpy.typing import NDArray

from planner.state.cluster import Cluster
from planner.state.specs import HOSTNAME_LABEL, Interner

Values = NDArray[np.int64]


class TopologyColumn:
    """One label over all node rows. A node without the label counts under the empty value, number 0."""

    def __init__(self, cluster: Cluster, key: str) -> None:
        self._cluster = cluster
        self._key = key
        self._interner: Interner[str] = Interner()
        self._interner("")
        self._by_set: dict[int, tuple[int, bool]] = {}
        self.count = 0
        """Node rows that are taken in."""
        self._missing = 0
        self._values: Values = np.zeros(64, dtype=np.int64)
        self._has = np.zeros(64, dtype=np.bool_)

    def refresh(self) -> None:
        """Take in node rows that were added since."""
        count = self._cluster.nodes.count
        if count == self.count:
            return
        while len(self._values) < count:
            self._values = np.concatenate([self._values, np.zeros_like(self._values)])
            self._has = np.concatenate([self._has, np.zeros_like(self._has)])
        for row in range(self.count, count):
            self._values[row], self._has[row] = self._look_up(row)
            self._missing += not self._has[row]
        self.count = count

    def _look_up(self, row: int) -> tuple[int, bool]:
        if self._key == HOSTNAME_LABEL:
            value = self._cluster.node_labels(row).get(self._key)
            return (0, False) if value is None else (self._interner(value), True)
        label_set = int(self._cluster.nodes.label_set[row])
        known = self._by_set.get(label_set)
        if known is None:
            labels = dict(self._cluster.label_sets.values[label_set])
            known = self._by_set[label_set] = (self._interner(labels.get(self._key, "")), self._key in labels)
        return known

    @property
    def values(self) -> Values:
        """Number of the value per node row."""
        return self._values[: self.count]

    def value(self, row: int) -> int:
        """Number of the value of one node row."""
        return self._values.item(row)

    @property
    def has(self) -> NDArray[np.bool_]:
        """Whether the node has the label at all."""
        return self._has[: self.count]

    @property
    def complete(self) -> bool:
        """Whether every node row has the label."""
        return self._missing == 0

    @property
    def size(self) -> int:
        """How many values there are; numbers are below this."""
        return len(self._interner)


class Topologies:
    """Topology columns, made when a label is first asked for."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._columns: dict[str, TopologyColumn] = {}

    def column(self, key: str) -> TopologyColumn:
        """The column of a label, up to date with the rows of the cluster."""
        column = self._columns.get(key)
        if column is None:
            column = self._columns[key] = TopologyColumn(self._cluster, key)
        if column.count != self._cluster.nodes.count:
            column.refresh()
        return column
