"""Refuse cordoned nodes (kube-scheduler 1.36, nodeunschedulable)."""

from planner.plan.model.scheduler import PluginName
from planner.scheduler.interface import SchedulerContext, StaticFilter
from planner.scheduler.reasons import Reason
from planner.state.specs import PodSpec


class NodeUnschedulable:
    """The flag alone is enough to refuse a pod, unless it tolerates the taint that Kubernetes adds with the flag."""

    name = PluginName.NODE_UNSCHEDULABLE
    looks_at_pods = False
    is_node_local = True

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context

    def may_refuse(self, spec: PodSpec) -> bool:
        """Any pod; cordons come and go."""
        return True

    def prepare(self, spec: PodSpec) -> StaticFilter | None:
        """Cordoned nodes."""
        cordoned = ~self._context.static.cordon_mask(spec)
        return StaticFilter((cordoned, Reason.UNSCHEDULABLE)) if cordoned.any() else None
