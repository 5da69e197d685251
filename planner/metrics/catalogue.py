"""All metrics that a run records, one line each. A metric listed here is recorded, exported and available to plots.

A column is called `name_unit`, or `name_unit[subject]` for a node group or workload.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from planner.language.translation import marked
from planner.metrics.pods import pod_states
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
    of_nodes: bool = False
    """It stays as it is while nodes do, whatever pods are on them, and which sizes are wanted."""

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


def gpu_columns(cluster: Cluster) -> list[int]:
    """Extended resources that are GPUs, by their names: nvidia.com/gpu, amd.com/gpu, gpu.intel.com/i915."""
    return [index for index, name in enumerate(cluster.axis.names) if "gpu" in name.lower()]


def _group_gpus_allocatable(sample: ClusterSample) -> Values:
    return np.asarray(sample.allocatable[:, gpu_columns(sample.cluster)].sum(axis=1))


def _group_gpus_requested(sample: ClusterSample) -> Values:
    return np.asarray(sample.requested[:, gpu_columns(sample.cluster)].sum(axis=1))


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
class LoadField:
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
    Metric(
        "nodes_ready", "count", marked("Ready nodes"), _C, lambda s: float(s.cluster.groups.ready.sum()), of_nodes=True
    ),
    Metric("nodes_booting", "count", marked("Nodes requested, not ready"), _C, _booting, of_nodes=True),
    Metric("pods", "count", "Pods", _C, pod_states.of_cluster(pod_states.living)),
    *(Metric(name, "count", title, _C, pod_states.of_cluster(of)) for name, title, of in _POD_STATES),
    Metric("pods_unschedulable", "count", marked("Unschedulable pods"), _C, _unschedulable, moves=True),
    *(Metric(f"scheduler_{pool}", "count", title, _C, _queued(pool), moves=True) for pool, title in _POOLS),
    Metric("cpu_allocatable", "cores", marked("Allocatable CPU"), _C, _allocatable(CPU, 1000.0), of_nodes=True),
    Metric("cpu_requested", "cores", marked("Requested CPU"), _C, _requested(CPU, 1000.0)),
    Metric("cpu_used", "cores", marked("Used CPU"), _C, _cpu_used, moves=True),
    Metric("memory_allocatable", "bytes", marked("Allocatable memory"), _C, _allocatable(MEMORY, 1.0), of_nodes=True),
    Metric("memory_requested", "bytes", marked("Requested memory"), _C, _requested(MEMORY, 1.0)),
    Metric("memory_used", "bytes", marked("Used memory"), _C, _memory_used, moves=True),
    Metric(
        "cost_rate",
        "currency_per_h",
        marked("Cost rate"),
        _C,
        lambda s: float(s.prices[s.instances].sum()),
        of_nodes=True,
    ),
    Metric("group_nodes_target", "count", marked("Target size"), _G, _state("target", _G), of_nodes=True),
    Metric("group_nodes_ready", "count", marked("Ready nodes"), _G, _nodes_per_group, of_nodes=True),
    Metric(
        "group_cpu_allocatable", "cores", marked("Allocatable CPU"), _G, _group_allocatable(CPU, 1000.0), of_nodes=True
    ),
    Metric("group_cpu_requested", "cores", marked("Requested CPU"), _G, _group_requested(CPU, 1000.0)),
    Metric("group_cpu_used", "cores", marked("Used CPU"), _G, _group_used, moves=True),
    Metric(
        "group_memory_allocatable",
        "bytes",
        marked("Allocatable memory"),
        _G,
        _group_allocatable(MEMORY, 1.0),
        of_nodes=True,
    ),
    Metric("group_memory_requested", "bytes", marked("Requested memory"), _G, _group_requested(MEMORY, 1.0)),
    Metric("group_memory_used", "bytes", marked("Used memory"), _G, _group_memory_used, moves=True),
    Metric(
        "group_pods_allocatable", "count", marked("Room for pods"), _G, _group_allocatable(PODS, 1.0), of_nodes=True
    ),
    Metric("group_pods_bound", "count", marked("Pods on nodes"), _G, _group_requested(PODS, 1.0)),
    Metric("group_cost_rate", "currency_per_h", marked("Cost rate"), _G, _group_cost_rate, of_nodes=True),
    Metric("group_gpus_allocatable", "count", marked("Allocatable GPUs"), _GPU, _group_gpus_allocatable, of_nodes=True),
    Metric("group_gpus_requested", "count", marked("Requested GPUs"), _GPU, _group_gpus_requested),
    Metric("replicas_desired", "count", marked("Desired replicas"), _W, _state("desired", _W)),
    Metric("replicas_active", "count", "Pods", _W, _state("active", _W)),
    Metric("replicas_ready", "count", marked("Ready pods"), _W, _state("ready", _W)),
    Metric("replicas_pending", "count", marked("Pods not ready"), _W, _workload_pending),
    *(Metric(name, "count", title, _W, pod_states.of_workloads(of)) for name, title, of in _POD_STATES),
    Metric("cpu_used", "cores", marked("Used CPU"), _W, LoadField("cpu_used_milli", 0.001), moves=True),
    Metric("memory_used", "bytes", marked("Used memory"), _W, _workload_memory_used, moves=True),
    Metric("offered", "rps", marked("Offered load"), _T, LoadField("offered_rps")),
    Metric("served", "rps", marked("Served load"), _T, LoadField("served_rps")),
    Metric("lost", "rps", marked("Lost requests"), _T, LoadField("lost_rps")),
    Metric("in_flight", "count", marked("Requests in flight"), _T, LoadField("in_flight")),
    Metric("latency_p50", "ms", marked("Latency p50"), _T, LoadField("p50_s", 1000.0)),
    Metric("latency_p95", "ms", marked("Latency p95"), _T, LoadField("p95_s", 1000.0)),
    Metric("latency_p99", "ms", marked("Latency p99"), _T, LoadField("p99_s", 1000.0)),
    Metric("requests_lost", "ratio", marked("Share of requests lost"), _T, LoadField("error_ratio")),
    Metric("rejected", "rps", marked("Rejected requests"), _T, LoadField("rejected_rps")),
    Metric("timed_out", "rps", marked("Timed-out requests"), _T, LoadField("timed_out_rps")),
    Metric("retried", "rps", marked("Retried requests"), _T, LoadField("retried_rps")),
    Metric("latency_mean", "ms", marked("Mean latency"), _T, LoadField("mean_s", 1000.0)),
    Metric("latency_p90", "ms", marked("Latency p90"), _T, LoadField("p90_s", 1000.0)),
    Metric("latency_end_to_end_p95", "ms", marked("Latency p95 with calls"), _T, LoadField("end_to_end_p95_s", 1000.0)),
    Metric("latency_end_to_end_p99", "ms", marked("Latency p99 with calls"), _T, LoadField("end_to_end_p99_s", 1000.0)),
    Metric("cpu_throttled", "ratio", marked("Share of time throttled"), _T, LoadField("throttled")),
    Metric("slo_missed", "ratio", marked("SLO missed"), _T, LoadField("slo_missed")),
    Metric("capacity_busy", "ratio", marked("Share of capacity that the load needs"), _T, LoadField("busy")),
    Metric("limited_by", "code", marked("What limits it, as a code"), _T, LoadField("limited_by")),
    Metric("queue_length", "count", marked("Waiting messages"), _Q, LoadField("queue_length")),
    Metric("queue_age", "ms", marked("Age of the oldest message"), _Q, LoadField("queue_age_s", 1000.0)),
)


@cache
def metrics_of(scope: Scope) -> tuple[Metric, ...]:
    """The metrics of one scope, in the order of the report."""
    return tuple(metric for metric in METRICS if metric.scope is scope)
