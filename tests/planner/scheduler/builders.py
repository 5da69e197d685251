"""Small clusters for the scheduler's tests."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from planner.matching.taints import NodeTaint, TaintEffect
from planner.plan.derived.pod_requests import NONZERO_DEFAULTS
from planner.state.cluster import Cluster
from planner.state.pods import EndReason
from planner.state.resources import ResourceAxis
from planner.state.specs import ZONE_LABEL, NodeSpec, PodSpec
from planner.units import GIB
from tests.pod_specs import spec_fields

GPU_TAINT = NodeTaint("gpu", "", TaintEffect.NO_SCHEDULE)


@dataclass
class ManualClock:
    """A clock the test sets."""

    now_us: int = 0


def a_cluster() -> Cluster:
    return Cluster(ManualClock(), ResourceAxis(["example.com/gpu"]))


def a_group(
    cluster: Cluster,
    name: str = "pool",
    cpu: int = 4_000,
    memory: int = 8 * GIB,
    pods: int = 110,
    zone: str = "",
    labels: dict[str, str] | None = None,
    taints: tuple[NodeTaint, ...] = (),
) -> NodeSpec:
    amounts = cluster.axis.amounts({"cpu": cpu, "memory": memory, "pods": pods})
    all_labels = dict(labels or {}) | ({ZONE_LABEL: zone} if zone else {})
    group = cluster.add_group(name, 0, 100)
    spec = NodeSpec(len(cluster.node_specs), group, amounts, amounts, all_labels, taints)
    cluster.node_specs.append(spec)
    return spec


def a_node(cluster: Cluster, spec: NodeSpec) -> int:
    node = cluster.request_node(spec.index)
    cluster.register_node(node)
    return node


def a_template(
    cluster: Cluster,
    name: str = "web",
    cpu: int = 1_000,
    memory: int = GIB,
    labels_extra: dict[str, str] | None = None,
    **fields: Any,
) -> PodSpec:
    request = cluster.axis.amounts({"cpu": cpu, "memory": memory})
    nonzero = np.array([cpu or NONZERO_DEFAULTS["cpu"], memory or NONZERO_DEFAULTS["memory"]], dtype=np.int64)
    spec = PodSpec(
        index=len(cluster.pod_specs),
        workload=cluster.add_workload(name),
        namespace="default",
        labels={"app": name} | (labels_extra or {}),
        request=request,
        nonzero=nonzero,
        **spec_fields(**fields),
    )
    cluster.pod_specs.append(spec)
    return spec


def a_pod(cluster: Cluster, spec: PodSpec) -> int:
    return cluster.create_pods(spec.index, 1)


def change_something(cluster: Cluster, groups: list[NodeSpec], action: int, pick: int) -> None:
    """What a script of numbers means: nodes come, go and change, pods go."""
    bound = [pod for pods in cluster.node_pods for pod in pods]
    nodes = np.flatnonzero(cluster.nodes.exists)
    if action == 0:
        a_node(cluster, groups[pick % len(groups)])
    elif action == 1 and bound:
        cluster.remove_pod(bound[pick % len(bound)])
    elif action == 2 and bound and cluster.pods.deletion_us[bound[pick % len(bound)]] < 0:
        cluster.begin_deletion(bound[pick % len(bound)], EndReason.EVICTED)
    elif action == 3:
        node = int(nodes[pick % len(nodes)])
        cluster.set_unschedulable(node, not cluster.nodes.unschedulable[node])
    elif action == 4:
        node = int(nodes[pick % len(nodes)])
        cluster.set_taints(node, () if cluster.node_taints(node) else (GPU_TAINT,))
    elif action == 5 and len(nodes) > 1:
        node = int(nodes[pick % len(nodes)])
        for pod in list(cluster.node_pods[node]):
            cluster.remove_pod(pod)
        cluster.remove_node(node)
