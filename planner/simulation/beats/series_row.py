"""A row of the time series: the values of all metrics at one instant. What has not changed is not derived again."""

from collections.abc import Iterable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner.metrics.catalogue import LoadField, Metric, Scope, gpu_columns, metrics_of
from planner.metrics.load_table import LoadTable
from planner.metrics.sample import ClusterSample
from planner.state.changes import ClusterEvent
from planner.state.changes import ClusterEventKind as Kind
from planner.state.cluster import Cluster


class SeriesRow:
    """The names of all series of a run but those of the autoscalers, and their values at one instant."""

    def __init__(self, cluster: Cluster, traffic_workloads: Iterable[int], queues: Iterable[int] = ()) -> None:
        """`traffic_workloads`: rows of the workloads that serve requests; `queues`: those that fetch messages."""
        self._rows = {
            scope: np.array(list(rows), np.int64)
            for scope, rows in ((Scope.TRAFFIC, traffic_workloads), (Scope.QUEUE, queues))
        }
        groups, workloads = tuple(cluster.group_names), tuple(cluster.workload_names)
        of_load = tuple((scope, tuple(workloads[row] for row in rows)) for scope, rows in self._rows.items())
        gpu = ((Scope.GPU_GROUP, groups),) if gpu_columns(cluster) else ()
        parts = ((Scope.GROUP, groups), *gpu, (Scope.WORKLOAD, workloads), *of_load)
        of_subjects = (name for scope, subjects in parts for name in _names(scope, subjects))
        self.names: tuple[str, ...] = (*_names(Scope.CLUSTER, ()), *of_subjects)
        """Columns of timeseries.csv after time_s, in order."""
        self._row, self._state, self._nodes_changed = np.zeros(len(self.names)), (-1, -1, -1, -1), True
        cluster.subscribe(self._on_node, _OF_NODES)
        self._tables: list[tuple[Scope, NDArray[np.float64]]] = []
        """Parts of the row: a row a metric, a column a group or workload."""
        start = 0
        for scope, subjects in ((Scope.CLUSTER, ("",)), *parts):
            metrics = metrics_of(scope) if subjects else ()
            end = start + len(metrics) * len(subjects)
            if metrics:
                self._tables.append((scope, self._row[start:end].reshape(len(metrics), len(subjects))))
            start = end

    def values(self, sample: ClusterSample) -> NDArray[np.float64]:
        """The value of every metric now, in the order of `names`; the next call writes into the same row."""
        before, self._state = self._state, _state_of(sample.cluster)
        stays, nodes_stay = before == self._state, not self._nodes_changed and before[-1] == self._state[-1]
        self._nodes_changed = False
        for scope, table in self._tables:
            rows = self._rows.get(scope)
            if rows is not None:
                sample.load.show(*_load_fields(scope), rows, table)
                continue
            for at, metric in _numbered(scope, stays, nodes_stay):
                table[at] = metric.of(sample)
        return self._row

    def _on_node(self, event: ClusterEvent) -> None:
        self._nodes_changed = True


def _state_of(cluster: Cluster) -> tuple[int, int, int, int]:
    """Other numbers whenever something of nodes, pods or sizes that a row shows has changed."""
    versions = int(cluster.workloads.version.sum()), int(cluster.groups.version.sum())
    return cluster.node_changes.cursor, cluster.nodes.count, *versions


_OF_NODES = (Kind.NODE_REQUESTED, Kind.NODE_ADDED, Kind.NODE_CHANGED, Kind.NODE_GONE)
"""With these, and where the size of a group does, something about nodes themselves changes."""


@cache
def _numbered(scope: Scope, stays: bool, nodes_stay: bool) -> tuple[tuple[int, Metric], ...]:
    """The metrics of one scope that may have changed, and their places; `stays`: all but load, or nodes, did."""
    found = enumerate(metrics_of(scope))
    return tuple((at, one) for at, one in found if one.moves or not (stays or (nodes_stay and one.of_nodes)))


@cache
def _load_fields(scope: Scope) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Positions of the fields that the metrics of load show, and their factors."""
    shown = [metric.of for metric in metrics_of(scope) if isinstance(metric.of, LoadField)]
    assert len(shown) == len(metrics_of(scope)), "metrics of load are columns of LoadTable"
    fields = list(LoadTable.FIELDS)
    return np.array([fields.index(one.field) for one in shown]), np.array([one.factor for one in shown])


def _names(scope: Scope, subjects: tuple[str, ...]) -> tuple[str, ...]:
    if scope is Scope.CLUSTER:
        return tuple(metric.column for metric in metrics_of(scope))
    return tuple(f"{metric.column}[{subject}]" for metric in metrics_of(scope) for subject in subjects)
