"""Cells of `kubectl get` for nodes and pods at a moment of a run.

kubectl 1.36, pkg/printers/internalversion/printers.go, and k8s.io/apimachinery, pkg/util/duration (HumanDuration).
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from planner.plan.model.plan import Plan
from planner.record.history import NEVER, NodeMark
from planner.record.moment import ClusterMoment, PodState
from planner.units import US_PER_S

NONE = "<none>"
POD_STATUS: Mapping[PodState, str] = MappingProxyType(
    {
        PodState.PENDING: "Pending",
        PodState.STARTING: "ContainerCreating",
        PodState.NOT_READY: "Running",
        PodState.RUNNING: "Running",
        PodState.TERMINATING: "Terminating",
    }
)
"""Column STATUS of pods."""


def age_text(from_us: int, now_us: int) -> str:
    """As kubectl writes ages: 45s, 3m20s, 25m, 5h30m, 40h, 3d4h."""
    seconds = max(0, now_us - from_us) // US_PER_S
    minutes, hours, days = seconds // 60, seconds // 3600, seconds // 86_400
    if seconds < 120:
        return f"{seconds}s"
    if minutes < 10:
        return f"{minutes}m{seconds % 60}s" if seconds % 60 else f"{minutes}m"
    if hours < 3:
        return f"{minutes}m"
    if hours < 8:
        return f"{hours}h{minutes % 60}m" if minutes % 60 else f"{hours}h"
    if hours < 48:
        return f"{hours}h"
    if days < 8:
        return f"{days}d{hours % 24}h" if hours % 24 else f"{days}d"
    return f"{days}d"


def is_registered(moment: ClusterMoment, node: int) -> bool:
    """Whether the instance is a Node already."""
    registered = int(moment.history.nodes.registered_us[node])
    return registered != NEVER and registered <= moment.time_us


def node_condition(moment: ClusterMoment, node: int) -> str:
    """Column STATUS of a Node."""
    marks = int(moment.marks[node])
    word = "NotReady" if marks & (NodeMark.NOT_READY | NodeMark.SILENT) else "Ready"
    return f"{word},SchedulingDisabled" if marks & NodeMark.CORDONED else word


def node_age(moment: ClusterMoment, node: int) -> str:
    """Since it registered; of an instance that is no Node yet none."""
    if not is_registered(moment, node):
        return NONE
    return age_text(int(moment.history.nodes.registered_us[node]), moment.time_us)


def zone_of(moment: ClusterMoment, node: int) -> str:
    """Its zone."""
    nodes = moment.history.nodes
    return nodes.zones[int(nodes.zone[node])] or NONE


def machine_type_of(moment: ClusterMoment, node: int) -> str:
    """Its machine type."""
    nodes = moment.history.nodes
    return nodes.machine_types[int(nodes.machine_type[node])] or NONE


def capacity_type_of(moment: ClusterMoment, node: int) -> str:
    """On-demand or spot, of a node of Karpenter."""
    nodes = moment.history.nodes
    return nodes.capacity_types[int(nodes.capacity_type[node])] or NONE


def version_text(plan: Plan) -> str:
    """Column VERSION of nodes."""
    return f"v{plan.kubernetes_version}"


def container_counts(plan: Plan) -> dict[str, int]:
    """How many containers a pod has, by workload."""
    return {one.name: max(1, len(one.pod.containers)) for one in plan.workloads}


def state_of(moment: ClusterMoment, pod: int) -> PodState:
    """Of a living pod."""
    return PodState(int(moment.pod_states(np.array([pod]))[0]))


def ready_text(moment: ClusterMoment, pod: int, containers: Mapping[str, int]) -> str:
    """Column READY of a pod; `containers` as `container_counts` has them."""
    pods = moment.history.pods
    count = containers.get(pods.workloads[pods.workload[pod]], 1)
    return f"{count if state_of(moment, pod) is PodState.RUNNING else 0}/{count}"


def pod_age(moment: ClusterMoment, pod: int) -> str:
    """Since it was created."""
    return age_text(int(moment.history.pods.created_us[pod]), moment.time_us)


def node_of(moment: ClusterMoment, pod: int) -> str:
    """The node that a pod is on."""
    pods = moment.history.pods
    is_bound = pods.node[pod] != NEVER and pods.bound_us[pod] <= moment.time_us
    return moment.history.nodes.names[pods.node[pod]] if is_bound else NONE
