"""All metrics that a run records, one line each. A metric listed here is recorded, exported and available to plots.

A column is called `name_unit`, or `name_unit[subject]` for a node group or workload.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner.language.translation import marked
from planner.metrics import pod_states
from planner.metrics.load_table import LoadTable
from planner.metrics.sample import ClusterSample
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.resources import CPU, MEMORY, PODS


class Scope(StrEnum):
    """What a metric is about: the subject in brackets after its name."""

    CLUSTER = "cluster"
    GROUP = "group"
    GPU_GROUP = "GPU group"
    """A node group of a cluster in which GPUs are known."""
    WORKLOAD = "workload"
    TRAFFIC = "traffic"
    """A workload that serves requests."""
    QUEUE = "queue"
    """A workload whose requests are messages of a queue."""
    SIZED = "sized container"
    """A container that a vertical pod autoscaler follows: namespace, autoscaler and container, with / between."""


Values = float | NDArray[np.float64]


@dataclass(frozen=True)
class Metric:
    """A derived series. `of` gives one number for the cluster, else one per group or workload row."""

    name: str
    unit: str
    title: str
    scope: Scope
    of: Callable[[ClusterSample], Values]
    moves: bool = False
    """It may change while nodes, pods and the sizes that are wanted stay as they are."""

    @property
    def column(self) -> str:
        """Name in files, without subject."""
        return f"{self.name}_{self.unit}"


def _nodes_per_group(sample: ClusterSample) -> Values:
    return sample.cluster.groups.ready.astype(np.float64)


def _booting(sample: ClusterSample) -> float:
    nodes = sample.cluster.nodes
    return float((sample.instances & ~nodes.ready & (nodes.delete_requested_us == NONE)).sum())


def _allocatable(resource: int, per_unit: float) -> Callable[[ClusterSample], float]:
    return lambda sample: float(sample.allocatable[:, resource].sum()) / per_unit


def _requested(resource: int, per_unit: float) -> Callable[[ClusterSample], float]:
    return lambda sample: float(sample.requested[:, resource].sum()) / per_unit


def _group_allocatable(resource: int, per_unit: float) -> Callable[[ClusterSample], Values]:
    return lambda sample: sample.allocatable[:, resource] / per_unit


def _group_requested(resource: int, per_unit: float) -> Callable[[ClusterSample], Values]:
    return lambda sample: sample.requested[:, resource] / per_unit


def _gpu_columns(cluster: Cluster) -> list[int]:
    """Extended resources that are GPUs, by their names: nvidia.com/gpu, amd.com/gpu, gpu.intel.com/i915."""
    return [index for index, name in enumerate(cluster.axis.names) if "gpu" in name.lower()]


def _group_gpus_allocatable(sample: ClusterSample) -> Values:
    return np.asarray(sample.allocatable[:, _gpu_columns(sample.cluster)].sum(axis=1))


def _group_gpus_requested(sample: ClusterSample) -> Values:
    return np.asarray(sample.requested[:, _gpu_columns(sample.cluster)].sum(axis=1))


def _group_cost_rate(sample: ClusterSample) -> Values:
    return sample.by_group(sample.prices, sample.instances)


def _group_used(sample: ClusterSample) -> Values:
    """With what was used on nodes that have gone since the last row."""
    return sample.by_group(sample.used_by_node) / 1000.0


def _memory_used(sample: ClusterSample) -> float:
    return math.nan if sample.memory is None else float(sample.memory.by_node.sum())


def _group_memory_used(sample: ClusterSample) -> Values:
    if sample.memory is None:
        return np.full(sample.cluster.groups.count, math.nan)
    return sample.by_group(sample.memory.by_node, sample.cluster.nodes.exists)


def _workload_memory_used(sample: ClusterSample) -> Values:
    return np.full(sample.cluster.workloads.count, math.nan) if sample.memory is None else sample.memory.by_workload


def _workload_pending(sample: ClusterSample) -> Values:
    table = sample.cluster.workloads
    return (table.active - table.ready).astype(np.float64)


def _state(field: str, scope: Scope) -> Callable[[ClusterSample], Values]:
    if scope is Scope.GROUP:
        return lambda sample: getattr(sample.cluster.groups, field).astype(np.float64)
    return lambda sample: getattr(sample.cluster.workloads, field).astype(np.float64)


@dataclass(frozen=True)
class _Load:
    """A column of the table of load, in the unit of its metric."""

    field: str
    factor: float = 1.0

    def __call__(self, sample: ClusterSample) -> Values:
        return np.asarray(getattr(sample.load, self.field) * self.factor)


def _unschedulable(sample: ClusterSample) -> float:
    return float(sample.unschedulable_pods)


def _cpu_used(sample: ClusterSample) -> float:
    return float(sample.load.cpu_used_milli.sum()) / 1000.0


def _queued(pool: str) -> Callable[[ClusterSample], float]:
    return lambda sample: float(sample.queued.get(pool, 0))


_C, _G, _W, _T, _Q = Scope.CLUSTER, Scope.GROUP, Scope.WORKLOAD, Scope.TRAFFIC, Scope.QUEUE
_GPU = Scope.GPU_GROUP
_POD_STATES = (
    ("pods_running", marked("Running pods"), pod_states.running),
    ("pods_pending", marked("Pods waiting for a node"), pod_states.pending),
    ("pods_starting", marked("Pods starting on a node"), pod_states.starting),
    ("pods_not_ready", marked("Running pods that are not Ready"), pod_states.not_ready),
    ("pods_terminating", marked("Pods being deleted"), pod_states.terminating),
)
_POOLS = (
    ("active", marked("Pods in the active queue")),
    ("backoff", marked("Pods in backoff")),
    ("unschedulable", marked("Pods in the unschedulable pool")),
    ("gated", marked("Pods with scheduling gates")),
)
METRICS: tuple[Metric, ...] = (
    Metric("nodes_ready", "count", marked("Ready nodes"), _C, lambda s: float(s.cluster.groups.ready.sum())),
    Metric("nodes_booting", "count", marked("Nodes requested, not ready"), _C, _booting),
    Metric("pods", "count", "Pods", _C, pod_states.of_cluster(pod_states.living)),
    *(Metric(name, "count", title, _C, pod_states.of_cluster(of)) for name, title, of in _POD_STATES),
    Metric("pods_unschedulable", "count", marked("Unschedulable pods"), _C, _unschedulable, moves=True),
    *(Metric(f"scheduler_{pool}", "count", title, _C, _queued(pool), moves=True) for pool, title in _POOLS),
    Metric("cpu_allocatable", "cores", marked("Allocatable CPU"), _C, _allocatable(CPU, 1000.0)),
    Metric("cpu_requested", "cores", marked("Requested CPU"), _C, _requested(CPU, 1000.0)),
    Metric("cpu_used", "cores", marked("Used CPU"), _C, _cpu_used, moves=True),
    Metric("memory_allocatable", "bytes", marked("Allocatable memory"), _C, _allocatable(MEMORY, 1.0)),
    Metric("memory_requested", "bytes", marked("Requested memory"), _C, _requested(MEMORY, 1.0)),
    Metric("memory_used", "bytes", marked("Used memory"), _C, _memory_used, moves=True),
    Metric("cost_rate", "currency_per_h", marked("Cost rate"), _C, lambda s: float(s.prices[s.instances].sum())),
    Metric("group_nodes_target", "count", marked("Target size"), _G, _state("target", _G)),
    Metric("group_nodes_ready", "count", marked("Ready nodes"), _G, _nodes_per_group),
    Metric("group_cpu_allocatable", "cores", marked("Allocatable CPU"), _G, _group_allocatable(CPU, 1000.0)),
    Metric("group_cpu_requested", "cores", marked("Requested CPU"), _G, _group_requested(CPU, 1000.0)),
    Metric("group_cpu_used", "cores", marked("Used CPU"), _G, _group_used, moves=True),
    Metric("group_memory_allocatable", "bytes", marked("Allocatable memory"), _G, _group_allocatable(MEMORY, 1.0)),
    Metric("group_memory_requested", "bytes", marked("Requested memory"), _G, _group_requested(MEMORY, 1.0)),
    Metric("group_memory_used", "bytes", marked("Used memory"), _G, _group_memory_used, moves=True),
    Metric("group_pods_allocatable", "count", marked("Room for pods"), _G, _group_allocatable(PODS, 1.0)),
    Metric("group_pods_bound", "count", marked("Pods on nodes"), _G, _group_requested(PODS, 1.0)),
    Metric("group_cost_rate", "currency_per_h", marked("Cost rate"), _G, _group_cost_rate),
    Metric("group_gpus_allocatable", "count", marked("Allocatable GPUs"), _GPU, _group_gpus_allocatable),
    Metric("group_gpus_requested", "count", marked("Requested GPUs"), _GPU, _group_gpus_requested),
    Metric("replicas_desired", "count", marked("Desired replicas"), _W, _state("desired", _W)),
    Metric("replicas_active", "count", "Pods", _W, _state("active", _W)),
    Metric("replicas_ready", "count", marked("Ready pods"), _W, _state("ready", _W)),
    Metric("replicas_pending", "count", marked("Pods not ready"), _W, _workload_pending),
    *(Metric(name, "count", title, _W, pod_states.of_workloads(of)) for name, title, of in _POD_STATES),
    Metric("cpu_used", "cores", marked("Used CPU"), _W, _Load("cpu_used_milli", 0.001), moves=True),
    Metric("memory_used", "bytes", marked("Used memory"), _W, _workload_memory_used, moves=True),
    Metric("offered", "rps", marked("Offered load"), _T, _Load("offered_rps")),
    Metric("served", "rps", marked("Served load"), _T, _Load("served_rps")),
    Metric("lost", "rps", marked("Lost requests"), _T, _Load("lost_rps")),
    Metric("in_flight", "count", marked("Requests in flight"), _T, _Load("in_flight")),
    Metric("latency_p50", "ms", marked("Latency p50"), _T, _Load("p50_s", 1000.0)),
    Metric("latency_p95", "ms", marked("Latency p95"), _T, _Load("p95_s", 1000.0)),
    Metric("latency_p99", "ms", marked("Latency p99"), _T, _Load("p99_s", 1000.0)),
    Metric("requests_lost", "ratio", marked("Share of requests lost"), _T, _Load("error_ratio")),
    Metric("rejected", "rps", marked("Rejected requests"), _T, _Load("rejected_rps")),
    Metric("timed_out", "rps", marked("Timed-out requests"), _T, _Load("timed_out_rps")),
    Metric("retried", "rps", marked("Retried requests"), _T, _Load("retried_rps")),
    Metric("latency_mean", "ms", marked("Mean latency"), _T, _Load("mean_s", 1000.0)),
    Metric("latency_p90", "ms", marked("Latency p90"), _T, _Load("p90_s", 1000.0)),
    Metric("latency_end_to_end_p95", "ms", marked("Latency p95 with calls"), _T, _Load("end_to_end_p95_s", 1000.0)),
    Metric("latency_end_to_end_p99", "ms", marked("Latency p99 with calls"), _T, _Load("end_to_end_p99_s", 1000.0)),
    Metric("cpu_throttled", "ratio", marked("Share of time throttled"), _T, _Load("throttled")),
    Metric("slo_missed", "ratio", marked("SLO missed"), _T, _Load("slo_missed")),
    Metric("capacity_busy", "ratio", marked("Share of capacity that the load needs"), _T, _Load("busy")),
    Metric("limited_by", "code", marked("What limits it, as a code"), _T, _Load("limited_by")),
    Metric("queue_length", "count", marked("Waiting messages"), _Q, _Load("queue_length")),
    Metric("queue_age", "ms", marked("Age of the oldest message"), _Q, _Load("queue_age_s", 1000.0)),
)


@cache
def metrics_of(scope: Scope) -> tuple[Metric, ...]:
    """The metrics of one scope, in the order of the report."""
    return tuple(metric for metric in METRICS if metric.scope is scope)


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
        gpu = ((Scope.GPU_GROUP, groups),) if _gpu_columns(cluster) else ()
        parts = ((Scope.GROUP, groups), *gpu, (Scope.WORKLOAD, workloads), *of_load)
        of_subjects = (name for scope, subjects in parts for name in _names(scope, subjects))
        self.names: tuple[str, ...] = (*_names(Scope.CLUSTER, ()), *of_subjects)
        """Columns of timeseries.csv after time_s, in order."""
        self._row, self._state = np.zeros(len(self.names)), (-1, -1, -1, -1)
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
        for scope, table in self._tables:
            rows = self._rows.get(scope)
            if rows is not None:
                fields, factors = _load_fields(scope)
                np.multiply(sample.load.values[fields][:, rows], factors[:, None], out=table)
                continue
            for at, metric in _numbered(scope, moving=before == self._state):
                table[at] = metric.of(sample)
        return self._row


def _state_of(cluster: Cluster) -> tuple[int, int, int, int]:
    """Other numbers whenever something of nodes, pods or sizes that a row shows has changed."""
    versions = int(cluster.workloads.version.sum()), int(cluster.groups.version.sum())
    return cluster.node_changes.cursor, cluster.nodes.count, *versions


@cache
def _numbered(scope: Scope, moving: bool) -> tuple[tuple[int, Metric], ...]:
    """The metrics of one scope with their places, all or those that move."""
    return tuple((at, metric) for at, metric in enumerate(metrics_of(scope)) if metric.moves or not moving)


@cache
def _load_fields(scope: Scope) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Positions of the fields that the metrics of load show, and their factors."""
    shown = [metric.of for metric in metrics_of(scope) if isinstance(metric.of, _Load)]
    assert len(shown) == len(metrics_of(scope)), "metrics of load are columns of LoadTable"
    fields = list(LoadTable.FIELDS)
    return np.array([fields.index(one.field) for one in shown]), np.array([one.factor for one in shown])


def _names(scope: Scope, subjects: tuple[str, ...]) -> tuple[str, ...]:
    if scope is Scope.CLUSTER:
        return tuple(metric.column for metric in metrics_of(scope))
    return tuple(f"{metric.column}[{subject}]" for metric in metrics_of(scope) for subject in subjects)
