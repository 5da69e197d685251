"""Refuse nodes that cannot attach any more volumes (kube-scheduler 1.36, nodevolumelimits/csi.go).

Attachable volumes are columns of the resource axis, one per CSI driver, which NodeResourcesFit leaves out.
"""

import numpy as np

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Mask
from planner.scheduler.interface import NodeDelta, NodeRefusal, Refusal
from planner.scheduler.reasons import Reason
from planner.state.cluster import Cluster
from planner.state.specs import PodSpec


class PreparedVolumeLimits:
    """Nodes that can attach the volumes of one template."""

    def __init__(self, cluster: Cluster, spec: PodSpec, columns: list[int]) -> None:
        self._cluster = cluster
        self._wanted = {column: int(spec.request[column]) for column in columns}
        nodes, asked = cluster.nodes, spec.request[columns]
        taken = nodes.requested[:, columns] + asked
        self._full: Mask = np.asarray((taken > nodes.allocatable[:, columns]).any(axis=1), np.bool_)

    @property
    def passes(self) -> Mask:
        """Nodes below their limits."""
        return ~self._full

    def refusals(self) -> list[Refusal]:
        """Volumes go with their pods, so none is unresolvable."""
        return [Refusal(self._full, Reason.VOLUME_COUNT, np.zeros_like(self._full))]

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """The same with the pods of one node changed."""
        nodes = self._cluster.nodes
        for column, asked in self._wanted.items():
            taken = int(nodes.requested[node, column]) + delta.requested.get(column, 0)
            if taken + asked > int(nodes.allocatable[node, column]):
                return [NodeRefusal(Reason.VOLUME_COUNT, False)]
        return []


class NodeVolumeLimits:
    """Volumes by CSI driver against what a node can attach."""

    name = PluginName.NODE_VOLUME_LIMITS
    looks_at_pods = True
    is_node_local = True

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster

    def may_refuse(self, spec: PodSpec) -> bool:
        """Only pods with volumes."""
        return bool(self._columns(spec))

    def prepare(self, spec: PodSpec) -> PreparedVolumeLimits | None:
        """None for a pod without volumes."""
        columns = self._columns(spec)
        return PreparedVolumeLimits(self._cluster, spec, columns) if columns else None

    def _columns(self, spec: PodSpec) -> list[int]:
        first = self._cluster.axis.first_volume
        return [first + int(column) for column in np.flatnonzero(spec.request[first:])]
