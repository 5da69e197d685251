"""All plugins, in the order of the default profile."""

from typing import NamedTuple

from planner.scheduler.feasibility.resource_shapes import ResourceShapes
from planner.scheduler.interface import FilterPlugin, SchedulerContext, ScorePlugin
from planner.scheduler.plugins.balanced_allocation import NodeResourcesBalancedAllocation
from planner.scheduler.plugins.image_locality import ImageLocality
from planner.scheduler.plugins.inter_pod_affinity import InterPodAffinity
from planner.scheduler.plugins.node_affinity import NodeAffinity
from planner.scheduler.plugins.node_ports import NodePorts
from planner.scheduler.plugins.node_resources_fit import NodeResourcesFit
from planner.scheduler.plugins.node_unschedulable import NodeUnschedulable
from planner.scheduler.plugins.node_volume_limits import NodeVolumeLimits
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.plugins.taint_toleration import TaintToleration
from planner.scheduler.plugins.volume_binding import VolumeBinding


class Plugins(NamedTuple):
    """Plugins in the order in which they filter and score."""

    filters: tuple[FilterPlugin, ...]
    scores: tuple[ScorePlugin, ...]


def default_plugins(context: SchedulerContext, shapes: ResourceShapes) -> Plugins:
    """The default profile without disabled plugins (kube-scheduler 1.36, apis/config/v1/default_plugins.go)."""
    taints, affinity, spread = TaintToleration(context), NodeAffinity(context), PodTopologySpread(context)
    fit, near = NodeResourcesFit(context.cluster, shapes), InterPodAffinity(context)
    disabled = context.profile.disabled
    ports = NodePorts(context)
    filters: tuple[FilterPlugin, ...] = (
        NodeUnschedulable(context),
        taints,
        affinity,
        ports,
        fit,
        NodeVolumeLimits(context.cluster),
        VolumeBinding(context),
        spread,
        near,
    )
    scores: tuple[ScorePlugin, ...] = (
        taints,
        affinity,
        fit,
        spread,
        near,
        NodeResourcesBalancedAllocation(shapes),
        ImageLocality(context),
    )
    return Plugins(
        filters=tuple(plugin for plugin in filters if plugin.name not in disabled),
        scores=tuple(plugin for plugin in scores if plugin.name not in disabled),
    )
