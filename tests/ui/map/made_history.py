"""Histories made by hand: nodes and pods with their times in seconds."""

import numpy as np

from planner.record.history import NEVER, ClusterHistory, NodeHistory, PodHistory
from planner.units import US_PER_S

GIB = 1 << 30


def _times(values):
    return np.array([NEVER if value is None else value * US_PER_S for value in values], np.int64)


def nodes(rows, changes=(), groups=("red", "blue"), zones=("a", "b")):
    """Rows of (group, zone, requested, ready, removed); changes of (time, node, marks)."""
    group, zone, requested, ready, removed = zip(*rows, strict=True) if rows else ((),) * 5
    count = len(rows)
    return NodeHistory(
        names=tuple(f"{groups[one]}-{row:04d}" for row, one in enumerate(group)),
        groups=groups,
        zones=zones,
        machine_types=("m5.large", "c5.large"),
        capacity_types=("", "spot"),
        group=np.array(group, np.int32),
        zone=np.array(zone, np.int32),
        machine_type=np.array(group, np.int32),
        capacity_type=np.array(group, np.int32),
        requested_us=_times(requested),
        registered_us=_times(ready),
        ready_us=_times(ready),
        failed_us=_times([None] * count),
        delete_requested_us=_times([None] * count),
        removed_us=_times(removed),
        cpu_milli=np.full(count, 4_000, np.int64),
        memory_bytes=np.full(count, 16 * GIB, np.int64),
        pods=np.full(count, 110, np.int64),
        price_per_hour=np.full(count, 0.2),
        change_us=_times([time for time, _node, _marks in changes]),
        change_node=np.array([node for _time, node, _marks in changes], np.int32),
        change_marks=np.array([marks for _time, _node, marks in changes], np.int8),
    )


def pods(rows, workloads=("web", "batch")):
    """Rows of (workload, node, created, bound, ended)."""
    workload, node, created, bound, ended = zip(*rows, strict=True) if rows else ((),) * 5
    count = len(rows)
    return PodHistory(
        workloads=workloads,
        namespaces=("shop",) * len(workloads),
        workload=np.array(workload, np.int32),
        number=np.arange(1, count + 1, dtype=np.int32),
        ordinal=np.full(count, NEVER, np.int32),
        priority=np.array([100 * one for one in workload], np.int32),
        node=np.array([NEVER if one is None else one for one in node], np.int32),
        created_us=_times(created),
        bound_us=_times(bound),
        running_us=_times(bound),
        ready_us=_times(bound),
        deletion_us=_times([None] * count),
        ended_us=_times(ended),
        end_reason=np.array([NEVER if one is None else 1 for one in ended], np.int8),
        reasons=("", "ScaleDown"),
        cpu_milli=np.full(count, 1_000, np.int64),
        memory_bytes=np.full(count, GIB, np.int64),
        is_buffer=np.zeros(len(workloads), np.bool_),
    )


def history(node_rows, pod_rows, changes=(), until_s=3_600):
    return ClusterHistory(until_s * US_PER_S, nodes(node_rows, changes), pods(pod_rows))
