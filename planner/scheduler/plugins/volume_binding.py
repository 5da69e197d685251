"""Refuse nodes outside the zone of a pod's volume (kube-scheduler 1.36, volumebinding)."""

from planner.plan.model.scheduler import PluginName
from planner.scheduler.interface import SchedulerContext, StaticFilter
from planner.scheduler.reasons import Reason
from planner.state.specs import PodSpec


class VolumeBinding:
    """A bound volume of one zone carries that zone as its node affinity; removing pods does not help."""

    name = PluginName.VOLUME_BINDING
    looks_at_pods = False
    is_node_local = True

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context

    def may_refuse(self, spec: PodSpec) -> bool:
        """Pods with a claim, bound or not."""
        return spec.placement.zonal_claim

    def prepare(self, spec: PodSpec) -> StaticFilter | None:
        """Nodes of other zones."""
        if not spec.placement.volume_zone:
            return None
        return StaticFilter((~self._context.static.volume_mask(spec), Reason.VOLUME_AFFINITY))
