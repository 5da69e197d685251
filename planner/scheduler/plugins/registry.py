"""The one place that knows all plugins, in the order of the default profile."""

from typing import NamedTuple

from planner.scheduler.interface import FilterPlugin, SchedulerContext, ScorePlugin
from planner.scheduler.plugins.balanced_allocation import NodeResourcesBalancedAllocation
from planner.scheduler.plugins.node_affinity import NodeAffinity
from planner.scheduler.plugins.node_resources_fit import NodeResourcesFit
from planner.scheduler.plugins.node_unschedulable import NodeUnschedulable
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.plugins.taint_toleration import TaintToleration
from planner.scheduler.resource_shapes import ResourceShapes


class Plugins(NamedTuple):
    """Plugins in the order in which they filter and score."""

    filters: tuple[FilterPlugin, ...]
    scores: tuple[ScorePlugin, ...]


def default_plugins(context: SchedulerContext, shapes: ResourceShapes) -> Plugins:
    """The default profile of Kubernetes 1.36 (spec/scheduler.md section 1.1)."""
    taints, affinity, spread = TaintToleration(context), NodeAffinity(context), PodTopologySpread(context)
    fit = NodeResourcesFit(context.cluster, shapes)
    return Plugins(
        filters=(NodeUnschedulable(context), taints, affinity, fit, spread),
        scores=(taints, affinity, fit, spread, NodeResourcesBalancedAllocation(shapes)),
    )
