"""Invariants of the tables between events; tests check them after every step."""

import numpy as np

from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.pods import PodPhase
from planner.state.resizes import counted_request
from planner.state.resources import PODS


def broken_invariants(cluster: Cluster) -> list[str]:
    """Sentences on every sum or reference that is not true; empty when all is well."""
    return [*_node_sums(cluster), *_pod_states(cluster), *_workload_counts(cluster), *_group_counts(cluster)]


def _node_sums(cluster: Cluster) -> list[str]:
    wrong, pods = [], cluster.pods
    for node in range(cluster.nodes.count):
        expected = np.zeros(len(cluster.axis), dtype=np.int64)
        for pod in cluster.node_pods[node]:
            expected += counted_request(pods, cluster.pod_specs, pod)
            expected[PODS] += 1
        if (expected != cluster.nodes.requested[node]).any():
            wrong.append(f"node {node}: requested {cluster.nodes.requested[node]} but its pods sum to {expected}")
    return wrong


def _pod_states(cluster: Cluster) -> list[str]:
    wrong, pods = [], cluster.pods
    for pod in range(pods.count):
        node = int(pods.node[pod])
        if node != NONE and pod not in cluster.node_pods[node]:
            wrong.append(f"pod {pod} says node {node}, which does not list it")
        if pods.phase[pod] == PodPhase.GONE and node != NONE:
            wrong.append(f"pod {pod} is gone but still bound to node {node}")
        if pods.ready[pod] and pods.phase[pod] != PodPhase.RUNNING:
            wrong.append(f"pod {pod} is ready without running")
    return wrong


def _workload_counts(cluster: Cluster) -> list[str]:
    wrong, pods, table = [], cluster.pods, cluster.workloads
    for workload in range(table.count):
        mine = (pods.workload == workload) & (pods.phase != PodPhase.GONE)
        active = mine & (pods.deletion_us == NONE)
        counted = {
            "active": active.sum(),
            "ready": (active & pods.ready).sum(),
            "running": (active & (pods.phase == PodPhase.RUNNING)).sum(),
            "unbound": (active & (pods.node == NONE)).sum(),
            "terminating": (mine & ~active).sum(),
        }
        for name, count in counted.items():
            if getattr(table, name)[workload] != count:
                wrong.append(f"workload {workload}: {name} is {getattr(table, name)[workload]}, counted {count}")
    return wrong


def _group_counts(cluster: Cluster) -> list[str]:
    wrong, nodes, table = [], cluster.nodes, cluster.groups
    for group in range(table.count):
        mine = (nodes.group == group) & nodes.exists
        if table.registered[group] != mine.sum():
            wrong.append(f"group {group}: registered is {table.registered[group]}, counted {mine.sum()}")
        if table.ready[group] != (mine & nodes.ready).sum():
            wrong.append(f"group {group}: ready is {table.ready[group]}")
    return wrong
