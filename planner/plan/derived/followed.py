"""Workloads whose use autoscalers of pods follow through the resource metrics API."""

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import follows_memory, follows_use
from planner.plan.model.plan import Plan


def followed_workloads(plan: Plan) -> frozenset[tuple[str, str]]:
    """Namespace and name of the workloads whose use of CPU or memory some autoscaler follows."""
    sized = frozenset((vpa.namespace, vpa.target) for vpa in plan.vertical_pod_autoscalers)
    return follows_use(plan.horizontal_pod_autoscalers) | sized


def memory_is_followed(plan: Plan) -> bool:
    """Whether some autoscaler needs the memory that pods really use."""
    return bool(plan.vertical_pod_autoscalers) or follows_memory(plan.horizontal_pod_autoscalers)
