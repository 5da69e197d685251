"""The history of nodes and pods, copied out of the cluster's tables, so that the run may go on and the cluster go."""

import numpy as np
from numpy.typing import NDArray

from planner.metrics.history.node_log import NodeLog
from planner.plan.derived.machine_choice import CAPACITY_TYPE
from planner.plan.model.node_groups import MACHINE_TYPE_LABEL
from planner.record.history import NEVER, ClusterHistory, JobHistory, NodeHistory, PodHistory
from planner.state.cluster import Cluster
from planner.state.pods import END_REASONS, EndReason, PodPhase
from planner.state.resources import CPU, MEMORY, PODS

_REASONS = tuple(END_REASONS[reason] for reason in EndReason)


def history_of(
    cluster: Cluster, log: NodeLog | None, until_us: int, jobs: tuple[JobHistory, ...] = ()
) -> ClusterHistory:
    """Up to now; without a log no node is ever anything but ready."""
    return ClusterHistory(until_us, _nodes(cluster, log), pod_history(cluster), jobs)


def _nodes(cluster: Cluster, log: NodeLog | None) -> NodeHistory:
    table = cluster.nodes
    price = np.array([spec.price_per_hour for spec in cluster.node_specs] or [0.0])
    nothing = np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.int8)
    change_us, change_node, change_marks = nothing if log is None else log.columns
    machine_types, machine_type = _labels_of(cluster, MACHINE_TYPE_LABEL)
    capacity_types, capacity_type = _labels_of(cluster, CAPACITY_TYPE)
    return NodeHistory(
        names=tuple(cluster.node_name(node) for node in range(table.count)),
        groups=tuple(cluster.group_names),
        zones=tuple(zone for _region, zone in cluster.zones.values),
        machine_types=machine_types,
        capacity_types=capacity_types,
        group=table.group.copy(),
        zone=table.zone.copy(),
        machine_type=machine_type,
        capacity_type=capacity_type,
        requested_us=table.requested_us.copy(),
        registered_us=table.registered_us.copy(),
        ready_us=table.first_ready_us.copy(),
        failed_us=table.failed_us.copy(),
        delete_requested_us=table.delete_requested_us.copy(),
        removed_us=table.removed_us.copy(),
        cpu_milli=table.allocatable[:, CPU].copy(),
        memory_bytes=table.allocatable[:, MEMORY].copy(),
        pods=table.allocatable[:, PODS].copy(),
        price_per_hour=price[table.spec],
        change_us=change_us,
        change_node=change_node,
        change_marks=change_marks,
    )


def _labels_of(cluster: Cluster, key: str) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The values of a label of nodes, and for every node which it has; empty where it has none."""
    of_spec = [spec.labels.get(key, "") for spec in cluster.node_specs] or [""]
    values = tuple(dict.fromkeys(of_spec))
    place = {value: at for at, value in enumerate(values)}
    return values, np.array([place[value] for value in of_spec], np.int32)[cluster.nodes.spec]


def pod_history(cluster: Cluster) -> PodHistory:
    """Every pod ever created."""
    table = cluster.pods
    requests = np.array([spec.request[[CPU, MEMORY]].tolist() for spec in cluster.pod_specs] or [[0, 0]], np.int64)
    is_buffer = np.zeros(len(cluster.workload_names), np.bool_)
    is_buffer[[spec.workload for spec in cluster.pod_specs if spec.scaling.is_buffer]] = True
    return PodHistory(
        workloads=tuple(cluster.workload_names),
        namespaces=tuple(cluster.workload_namespaces),
        workload=table.workload.copy(),
        number=table.number.copy(),
        ordinal=table.ordinal.copy(),
        priority=table.priority.copy(),
        node=table.last_node.copy(),
        created_us=table.created_us.copy(),
        bound_us=table.bound_us.copy(),
        running_us=table.running_us.copy(),
        ready_us=table.first_ready_us.copy(),
        deletion_us=table.deletion_us.copy(),
        ended_us=table.ended_us.copy(),
        end_reason=_reasons_of(table.phase, table.end_reason),
        reasons=_REASONS,
        cpu_milli=requests[table.spec, 0],
        memory_bytes=requests[table.spec, 1],
        is_buffer=is_buffer,
    )


def _reasons_of(phase: NDArray[np.int8], reason: NDArray[np.int8]) -> NDArray[np.int8]:
    """Why pods ended; NEVER for those that did not."""
    return np.where(phase == PodPhase.GONE, reason, NEVER).astype(np.int8)
