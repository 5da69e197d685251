"""A cluster made by hand, for tests of state."""

from planner.engine.queue import EventQueue
from planner.state.cluster import Cluster
from planner.state.resources import CPU, MEMORY, PODS, ResourceAxis
from planner.state.specs import NodeSpec, PodSpec


def small_cluster(nodes: int = 2, cpu_milli: int = 4000) -> Cluster:
    """One group of ready nodes and one workload `web` of 500m / 1 GiB pods."""
    cluster = Cluster(EventQueue(), ResourceAxis())
    group = cluster.add_group("pool", 0, 10)
    amounts = cluster.axis.amounts({"cpu": cpu_milli, "memory": 16 << 30, "pods": 110})
    cluster.node_specs.append(NodeSpec(0, group, amounts, amounts, {}))
    workload = cluster.add_workload("web")
    request = cluster.axis.amounts({"cpu": 500, "memory": 1 << 30})
    cluster.pod_specs.append(PodSpec(0, workload, "default", {"app": "web"}, request, request[: MEMORY + 1].copy()))
    for _ in range(nodes):
        cluster.register_node(cluster.request_node(0))
    assert request[CPU] == 500 and request[PODS] == 0
    return cluster
