"""The tables of the report: one row per workload, node group, node and pod, and the costs.

Times are seconds since the start of the run, None where something did not happen.
"""

from types import MappingProxyType
from typing import NamedTuple, TypedDict

import numpy as np

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.percentiles import percentile
from planner.metrics.pods import pod_states
from planner.metrics.pods.pod_rows import PodRow
from planner.metrics.totals import WorkloadTotals
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.resources import CPU, MEMORY
from planner.units import US_PER_S


class WorkloadRow(TypedDict):
    """A row of workloads.csv. What is about load is None for workloads that serve no requests."""

    workload: str
    namespace: str
    replicas_desired_count: int
    replicas_active_count: int
    replicas_ready_count: int
    pods_running_count: int
    pods_pending_count: int
    pods_starting_count: int
    pods_not_ready_count: int
    pods_terminating_count: int
    pods_created_count: int
    pods_preempted_count: int
    pods_evicted_count: int
    pending_pod_time_s: float
    pod_start_p50_s: float | None
    pod_start_p95_s: float | None
    requests_offered_count: float | None
    requests_served_count: float | None
    requests_lost_count: float | None
    latency_p95_worst_ms: float | None
    latency_p95_worst_at_s: float | None
    latency_p99_worst_ms: float | None
    latency_p99_worst_at_s: float | None
    slo_attainment_ratio: float | None
    cost_currency: float


class NodeGroupRow(TypedDict):
    """A row of node_groups.csv."""

    node_group: str
    nodes_min_count: int
    nodes_max_count: int
    nodes_target_count: int
    nodes_ready_count: int
    nodes_created_count: int
    nodes_removed_count: int
    cpu_allocatable_cores: float
    cpu_requested_cores: float
    memory_allocatable_bytes: int
    memory_requested_bytes: int
    node_hours_h: float
    cost_currency: float


class NodeRow(TypedDict):
    """A row of nodes.csv."""

    node: str
    node_group: str
    requested_s: float | None
    registered_s: float | None
    ready_s: float | None
    delete_requested_s: float | None
    removed_s: float | None
    cpu_allocatable_cores: float
    cpu_requested_cores: float
    memory_allocatable_bytes: int
    memory_requested_bytes: int
    node_hours_h: float
    cost_currency: float


class CostRow(TypedDict):
    """A row of cost.csv."""

    kind: str
    subject: str
    node_hours_h: float | None
    cost_currency: float


COLUMNS = MappingProxyType(
    {
        "workloads": tuple(WorkloadRow.__annotations__),
        "node_groups": tuple(NodeGroupRow.__annotations__),
        "nodes": tuple(NodeRow.__annotations__),
        "pods": tuple(PodRow.__annotations__),
        "costs": tuple(CostRow.__annotations__),
    }
)
"""Column names per table of RunResult, in the order of the files."""


def _seconds(time_us: int) -> float | None:
    """Moments before the run are its begin."""
    return None if time_us == NONE else max(0, int(time_us)) / US_PER_S


def workload_rows(inputs: FigureInputs) -> tuple[WorkloadRow, ...]:
    """Rows of workloads.csv, reserves included."""
    cluster, reasons = inputs.cluster, inputs.cluster.pods.end_reason
    workload, count = cluster.pods.workload, cluster.workloads.count
    preempted = np.bincount(workload[reasons == EndReason.PREEMPTED], minlength=count)
    evicted = np.bincount(workload[reasons == EndReason.EVICTED], minlength=count)
    totals = inputs.totals.of
    states = [of(cluster).astype(np.int64).tolist() for of in _STATES]
    counts = _Counts._make([*states, preempted.tolist(), evicted.tolist()])
    return tuple(_workload_row(inputs, row, totals.get(row), counts) for row in range(len(cluster.workload_names)))


class _Counts(NamedTuple):
    """Pods in each state, and those that were removed, by workload row."""

    running: list[int]
    pending: list[int]
    starting: list[int]
    not_ready: list[int]
    terminating: list[int]
    preempted: list[int]
    evicted: list[int]


_STATES = (
    pod_states.running, pod_states.pending, pod_states.starting, pod_states.not_ready, pod_states.terminating,
)  # fmt: skip


def _workload_row(inputs: FigureInputs, row: int, totals: WorkloadTotals | None, counts: _Counts) -> WorkloadRow:
    cluster, table = inputs.cluster, inputs.cluster.workloads
    starts = inputs.pod_times.start_s([row])
    return {
        "workload": cluster.workload_names[row],
        "namespace": cluster.workload_namespaces[row],
        "replicas_desired_count": int(table.desired[row]),
        "replicas_active_count": int(table.active[row]),
        "replicas_ready_count": int(table.ready[row]),
        "pods_running_count": counts.running[row],
        "pods_pending_count": counts.pending[row],
        "pods_starting_count": counts.starting[row],
        "pods_not_ready_count": counts.not_ready[row],
        "pods_terminating_count": counts.terminating[row],
        "pods_created_count": int(table.created[row]),
        "pods_preempted_count": counts.preempted[row],
        "pods_evicted_count": counts.evicted[row],
        "pending_pod_time_s": inputs.pod_times.pending_s(row),
        "pod_start_p50_s": percentile(starts, 50) if len(starts) else None,
        "pod_start_p95_s": percentile(starts, 95) if len(starts) else None,
        "requests_offered_count": totals.offered if totals else None,
        "requests_served_count": totals.served if totals else None,
        "requests_lost_count": totals.lost if totals else None,
        "latency_p95_worst_ms": totals.worst_p95_s * 1000.0 if totals and totals.worst_p95_us != NONE else None,
        "latency_p95_worst_at_s": _seconds(totals.worst_p95_us) if totals else None,
        "latency_p99_worst_ms": totals.worst_p99_s * 1000.0 if totals and totals.worst_p99_us != NONE else None,
        "latency_p99_worst_at_s": _seconds(totals.worst_p99_us) if totals else None,
        "slo_attainment_ratio": totals.of_time if totals and totals.looked_us else None,
        "cost_currency": float(inputs.costs.by_workload[row]),
    }


def node_group_rows(inputs: FigureInputs) -> tuple[NodeGroupRow, ...]:
    """Rows of node_groups.csv, at the end of the run."""
    cluster, costs = inputs.cluster, inputs.costs
    nodes, table = cluster.nodes, cluster.groups
    hours, money = costs.per_group(costs.node_hours), costs.by_group
    rows: list[NodeGroupRow] = []
    for group, name in enumerate(cluster.group_names):
        mine = (nodes.group == group) & nodes.exists
        usable = mine & nodes.ready
        rows.append(
            {
                "node_group": name,
                "nodes_min_count": int(table.min_size[group]),
                "nodes_max_count": int(table.max_size[group]),
                "nodes_target_count": int(table.target[group]),
                "nodes_ready_count": int(table.ready[group]),
                "nodes_created_count": int(table.created[group]),
                "nodes_removed_count": int(((nodes.group == group) & (nodes.removed_us != NONE)).sum()),
                "cpu_allocatable_cores": float(nodes.allocatable[usable, CPU].sum()) / 1000.0,
                "cpu_requested_cores": float(nodes.requested[mine, CPU].sum()) / 1000.0,
                "memory_allocatable_bytes": int(nodes.allocatable[usable, MEMORY].sum()),
                "memory_requested_bytes": int(nodes.requested[mine, MEMORY].sum()),
                "node_hours_h": float(hours[group]),
                "cost_currency": float(money[group]),
            }
        )
    return tuple(rows)


def node_rows(inputs: FigureInputs) -> tuple[NodeRow, ...]:
    """Rows of nodes.csv: every instance ever requested."""
    cluster, nodes, costs = inputs.cluster, inputs.cluster.nodes, inputs.costs
    return tuple(
        {
            "node": cluster.node_name(node),
            "node_group": cluster.group_names[nodes.group[node]],
            "requested_s": _seconds(nodes.requested_us[node]),
            "registered_s": _seconds(nodes.registered_us[node]),
            "ready_s": _seconds(nodes.first_ready_us[node]),
            "delete_requested_s": _seconds(nodes.delete_requested_us[node]),
            "removed_s": _seconds(nodes.removed_us[node]),
            "cpu_allocatable_cores": int(nodes.allocatable[node, CPU]) / 1000.0,
            "cpu_requested_cores": int(nodes.requested[node, CPU]) / 1000.0,
            "memory_allocatable_bytes": int(nodes.allocatable[node, MEMORY]),
            "memory_requested_bytes": int(nodes.requested[node, MEMORY]),
            "node_hours_h": float(costs.node_hours[node]),
            "cost_currency": float(costs.by_node[node]),
        }
        for node in range(nodes.count)
    )


def cost_rows(inputs: FigureInputs) -> tuple[CostRow, ...]:
    """Rows of cost.csv: the total, its division by node group, and again by workload with the idle rest.

    Rows of namespaces sum up those of their workloads."""
    cluster, costs = inputs.cluster, inputs.costs
    hours, money = costs.per_group(costs.node_hours), costs.by_group
    cells: list[tuple[str, str, float | None, float]] = [("total", "", float(hours.sum()), costs.total)]
    for group, name in enumerate(cluster.group_names):
        cells.append(("node group", name, float(hours[group]), float(money[group])))
    for row, name in enumerate(cluster.workload_names):
        cells.append(("workload", name, None, float(costs.by_workload[row])))
    cells.append(("idle", "", None, costs.idle))
    for name, money_of in costs.by_namespace.items():
        cells.append(("namespace", name, None, money_of))
    return tuple(
        CostRow(kind=kind, subject=subject, node_hours_h=hours_h, cost_currency=cost)
        for kind, subject, hours_h, cost in cells
    )
