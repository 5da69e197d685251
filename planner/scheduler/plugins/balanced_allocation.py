"""Score the change of balance between resources (kube-scheduler 1.36, noderesources/balanced_allocation.go)."""

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Ints
from planner.scheduler.feasibility.resource_shapes import ResourceShapes
from planner.scheduler.interface import Rows
from planner.state.specs import PodSpec


class NodeResourcesBalancedAllocation:
    """Left out for pods that request none of its resources."""

    name = PluginName.NODE_RESOURCES_BALANCED_ALLOCATION

    def __init__(self, shapes: ResourceShapes) -> None:
        self._shapes = shapes

    def may_score(self, spec: PodSpec) -> bool:
        """Only pods that request one of its resources."""
        return self._shapes.of(spec).has_balance

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """75 when nothing changes, more when the node gets better balanced."""
        shape = self._shapes.of(spec)
        return shape.balance.take(rows) if shape.has_balance else None
