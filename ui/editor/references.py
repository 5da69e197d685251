"""Fields that name something: what there is to choose from."""

from collections.abc import Callable

from pydantic import BaseModel

from planner.plan.horizontal_pod_autoscaler import HorizontalPodAutoscaler
from planner.plan.plan import Plan
from planner.plan.pods import NodeSelectorRequirement, PodTemplate, TopologySpreadConstraint
from planner.plan.validate import SYSTEM_CLASS_NAMES, ZONE_LABEL
from planner.plan.workloads import WorkloadKind
from ui.editor.shapes import Shape

HOST_LABEL = "kubernetes.io/hostname"


def _priority_classes(plan: Plan) -> list[str]:
    return ["", *(known.name for known in plan.priority_classes), *SYSTEM_CLASS_NAMES]


def _deployments(plan: Plan) -> list[str]:
    return [workload.name for workload in plan.workloads if workload.kind is WorkloadKind.DEPLOYMENT]


def _node_labels(plan: Plan) -> list[str]:
    own = (key for group in plan.node_groups for key in group.labels)
    return list(dict.fromkeys((ZONE_LABEL, HOST_LABEL, *own)))


_NAMES: dict[tuple[type[BaseModel], str], Callable[[Plan], list[str]]] = {
    (PodTemplate, "priority_class"): _priority_classes,
    (HorizontalPodAutoscaler, "scale_target"): _deployments,
    (TopologySpreadConstraint, "topology_key"): _node_labels,
    (NodeSelectorRequirement, "key"): _node_labels,
}


def names_for(shape: Shape) -> Callable[[Plan], list[str]] | None:
    """What a field may name in a plan; None if it is free text."""
    return _NAMES.get((shape.owner, shape.name)) if shape.owner is not None else None
