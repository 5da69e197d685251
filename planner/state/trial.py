"""A throw-away copy of what placement can change. The real cluster is never touched."""

from planner.state.cluster import Cluster
from planner.state.resources import PODS
from planner.state.specs import PodSpec


class Trial:
    """What-if placement: copies of the few columns that placement changes, and the list of what was placed.

    Rows beyond the cluster's nodes are added with `add_node`; they exist only in the trial.
    """

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.allocatable = cluster.nodes.allocatable.copy()
        self.requested = cluster.nodes.requested.copy()
        self.placements: list[tuple[int, int]] = []
        """(pod row, node row) in order of placement."""

    def fits(self, spec: PodSpec, node: int) -> bool:
        """Whether the node has room for one more pod of this template, resources only."""
        free = self.allocatable[node] - self.requested[node]
        return bool(free[PODS] >= 1 and ((spec.request <= free) | (spec.request == 0)).all())

    def place(self, pod: int, spec: PodSpec, node: int) -> None:
        """Put a pod on a node of the trial."""
        self.requested[node] += spec.request
        self.requested[node, PODS] += 1
        self.placements.append((pod, node))

    def take_away(self, spec: PodSpec, node: int) -> None:
        """Take one pod of a template off a node of the trial."""
        self.requested[node] -= spec.request
        self.requested[node, PODS] -= 1
