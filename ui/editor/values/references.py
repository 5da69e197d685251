"""Fields that name something: what there is to choose from."""

from collections.abc import Callable

from pydantic import BaseModel

from planner.plan.checks.validate import SYSTEM_CLASS_NAMES
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.model.autoscalers.scaled_object import ScaledJob, ScaledObject
from planner.plan.model.autoscalers.vertical_pod_autoscaler import VerticalPodAutoscaler
from planner.plan.model.events.on_nodes import NodeClassChange, NodeUpgrade, ZoneOutage
from planner.plan.model.events.on_pools import ResizePool
from planner.plan.model.node_groups import ZONE_LABEL
from planner.plan.model.plan import Plan
from planner.plan.model.pods.placement import NodeSelectorRequirement, TopologySpreadConstraint
from planner.plan.model.pods.pod_template import PodTemplate
from planner.plan.model.serving import MessageQueue
from planner.plan.model.workloads import WorkloadKind
from ui.editor.values.shapes import Shape, ShapeKind

HOST_LABEL = "kubernetes.io/hostname"


def _priority_classes(plan: Plan) -> list[str]:
    return ["", *(known.name for known in plan.priority_classes), *SYSTEM_CLASS_NAMES]


def _deployments(plan: Plan) -> list[str]:
    return [workload.name for workload in plan.workloads if workload.kind is WorkloadKind.DEPLOYMENT]


def _node_labels(plan: Plan) -> list[str]:
    own = (key for group in plan.node_groups for key in group.labels)
    return list(dict.fromkeys((ZONE_LABEL, HOST_LABEL, *own)))


def _groups(plan: Plan) -> list[str]:
    return [group.name for group in plan.node_groups]


def _pools_of_karpenter(plan: Plan) -> list[str]:
    return [pool.name for pool in plan.karpenter.node_pools]


def _pools(plan: Plan) -> list[str]:
    return [*_groups(plan), *_pools_of_karpenter(plan)]


def _zones(plan: Plan) -> list[str]:
    return list(dict.fromkeys(group.zone for group in plan.node_groups if group.zone))


def _workloads(plan: Plan) -> list[str]:
    return [workload.name for workload in plan.workloads]


def _jobs(plan: Plan) -> list[str]:
    return [workload.name for workload in plan.workloads if workload.kind is WorkloadKind.JOB]


def _owners_of_queues(plan: Plan) -> list[str]:
    queues = [(workload.name, workload.queue) for workload in plan.workloads if workload.queue is not None]
    return ["", *(name for name, queue in queues if queue.shared_with is None)]


def _runtime_classes(plan: Plan) -> list[str]:
    return ["", *(known.name for known in plan.runtime_classes)]


_NAMES: dict[tuple[type[BaseModel], str], Callable[[Plan], list[str]]] = {
    (PodTemplate, "priority_class"): _priority_classes,
    (HorizontalPodAutoscaler, "scale_target"): _deployments,
    (VerticalPodAutoscaler, "target"): _workloads,
    (ScaledObject, "scale_target"): _deployments,
    (ScaledJob, "job_target"): _jobs,
    (MessageQueue, "shared_with"): _owners_of_queues,
    (TopologySpreadConstraint, "topology_key"): _node_labels,
    (NodeSelectorRequirement, "key"): _node_labels,
    (ZoneOutage, "zone"): _zones,
    (NodeClassChange, "node_group"): _pools_of_karpenter,
    (NodeUpgrade, "node_group"): _groups,
    (ResizePool, "node_group"): _groups,
}

_EVERYWHERE: dict[str, Callable[[Plan], list[str]]] = {
    "node_group": _pools,
    "workload": _workloads,
    "runtime_class": _runtime_classes,
}
"""Fields that mean the same in every model."""


def names_for(shape: Shape) -> Callable[[Plan], list[str]] | None:
    """What a field may name in a plan; None if it is free text."""
    if shape.owner is None or shape.kind is not ShapeKind.TEXT:
        return None
    return _NAMES.get((shape.owner, shape.name)) or _EVERYWHERE.get(shape.name)
