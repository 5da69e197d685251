"""The tables of the report: one row per workload, node group, node and pod, and the costs.

Times are seconds since the start of the run, None where something did not happen.
"""

from types import MappingProxyType

import numpy as np

from planner.metrics.figures import FigureInputs
from planner.record.result import Row
from planner.state.nodes import NONE
from planner.state.pods import EndReason
from planner.state.resources import CPU, MEMORY
from planner.units import US_PER_S

COLUMNS = MappingProxyType(
    {
        "workloads": (
            "workload", "namespace", "replicas_desired_count", "replicas_active_count", "replicas_ready_count",
            "pods_created_count", "pods_preempted_count", "pods_evicted_count", "pending_pod_time_s",
            "pod_start_p50_s", "pod_start_p95_s", "requests_offered_count", "requests_served_count",
            "requests_lost_count", "latency_p95_worst_ms", "latency_p95_worst_at_s", "latency_p99_worst_ms",
            "latency_p99_worst_at_s", "slo_attainment_ratio", "cost_currency",
        ),
        "node_groups": (
            "node_group", "nodes_min_count", "nodes_max_count", "nodes_target_count", "nodes_ready_count",
            "nodes_created_count", "nodes_removed_count", "cpu_allocatable_cores", "cpu_requested_cores",
            "memory_allocatable_bytes", "memory_requested_bytes", "node_hours_h", "cost_currency",
        ),
        "nodes": (
            "node", "node_group", "requested_s", "registered_s", "ready_s", "delete_requested_s", "removed_s",
            "cpu_allocatable_cores", "cpu_requested_cores", "memory_allocatable_bytes", "memory_requested_bytes",
            "node_hours_h", "cost_currency",
        ),
        "pods": (
            "pod", "workload", "namespace", "created_s", "scheduled_s", "started_s", "ready_s", "ended_s", "reason",
            "node",
        ),
        "costs": ("kind", "subject", "node_hours_h", "cost_currency"),
    }
)  # fmt: skip
"""Column names per table of RunResult, in the order of the files."""


def _seconds(time_us: int) -> float | None:
    return None if time_us == NONE else int(time_us) / US_PER_S


def workload_rows(inputs: FigureInputs) -> tuple[Row, ...]:
    """Rows of workloads.csv; reserves included, load only for workloads that serve requests."""
    cluster, table, reasons = inputs.cluster, inputs.cluster.workloads, inputs.cluster.pods.end_reason
    preempted = np.bincount(cluster.pods.workload[reasons == EndReason.PREEMPTED], minlength=table.count)
    evicted = np.bincount(cluster.pods.workload[reasons == EndReason.EVICTED], minlength=table.count)
    rows: list[Row] = []
    for row, name in enumerate(cluster.workload_names):
        starts = inputs.pod_times.start_s([row])
        known: dict[str, object] = {
            "workload": name,
            "namespace": cluster.workload_namespaces[row],
            "replicas_desired_count": int(table.desired[row]),
            "replicas_active_count": int(table.active[row]),
            "replicas_ready_count": int(table.ready[row]),
            "pods_created_count": int(table.created[row]),
            "pods_preempted_count": int(preempted[row]),
            "pods_evicted_count": int(evicted[row]),
            "pending_pod_time_s": inputs.pod_times.pending_s(row),
            "pod_start_p50_s": float(np.percentile(starts, 50)) if len(starts) else None,
            "pod_start_p95_s": float(np.percentile(starts, 95)) if len(starts) else None,
            "cost_currency": float(inputs.costs.by_workload[row]),
        } | _load_cells(inputs, row)
        rows.append({column: known.get(column) for column in COLUMNS["workloads"]})
    return tuple(rows)


def _load_cells(inputs: FigureInputs, row: int) -> dict[str, object]:
    totals = inputs.totals.of.get(row)
    if totals is None:
        return {}
    return {
        "requests_offered_count": totals.offered,
        "requests_served_count": totals.served,
        "requests_lost_count": totals.lost,
        "latency_p95_worst_ms": totals.worst_p95_s * 1000.0 if totals.worst_p95_us != NONE else None,
        "latency_p95_worst_at_s": _seconds(totals.worst_p95_us),
        "latency_p99_worst_ms": totals.worst_p99_s * 1000.0 if totals.worst_p99_us != NONE else None,
        "latency_p99_worst_at_s": _seconds(totals.worst_p99_us),
        "slo_attainment_ratio": totals.of_time if totals.looked_us else None,
    }


def node_group_rows(inputs: FigureInputs) -> tuple[Row, ...]:
    """Rows of node_groups.csv, at the end of the run."""
    cluster, costs = inputs.cluster, inputs.costs
    nodes, table = cluster.nodes, cluster.groups
    hours, money = costs.per_group(costs.node_hours), costs.by_group
    rows: list[Row] = []
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


def node_rows(inputs: FigureInputs) -> tuple[Row, ...]:
    """Rows of nodes.csv: every instance ever requested."""
    cluster, nodes, costs = inputs.cluster, inputs.cluster.nodes, inputs.costs
    return tuple(
        {
            "node": cluster.node_name(node),
            "node_group": cluster.group_names[nodes.group[node]],
            "requested_s": _seconds(nodes.requested_us[node]),
            "registered_s": _seconds(nodes.registered_us[node]),
            "ready_s": _seconds(nodes.ready_us[node]),
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


def cost_rows(inputs: FigureInputs) -> tuple[Row, ...]:
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
    return tuple(dict(zip(COLUMNS["costs"], cell, strict=True)) for cell in cells)
