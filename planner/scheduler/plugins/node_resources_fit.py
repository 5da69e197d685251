"""Refuse nodes without room, score how full a node would be (kube-scheduler 1.36, noderesources/fit.go)."""

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Ints, Mask
from planner.scheduler.feasibility.resource_shapes import ResourceShape, ResourceShapes
from planner.scheduler.interface import NodeDelta, NodeRefusal, Refusal, Rows
from planner.scheduler.reasons import insufficient
from planner.state.cluster import Cluster
from planner.state.resources import NATIVE_NAMES, PODS
from planner.state.specs import PodSpec


class PreparedFit:
    """Room on every node for one request."""

    def __init__(self, cluster: Cluster, shape: ResourceShape) -> None:
        self._cluster = cluster
        self._shape = shape
        names = cluster.axis.names
        others = [c for c in range(len(names)) if c >= len(NATIVE_NAMES)]
        self._order = [PODS, *(c for c in range(len(NATIVE_NAMES)) if c != PODS), *others]
        asked = {c: int(shape.request[c]) for c in self._order if shape.request[c] > 0 and shape.counted[c]}
        self.asked = ((PODS, 1), *asked.items())
        """Columns with what has to be free."""
        self._short = {column: insufficient(names[column]) for column, _ in self.asked}

    @property
    def passes(self) -> Mask:
        """Nodes with room."""
        return self._shape.fits

    def refusals(self) -> list[Refusal]:
        """Every shortage: pods, CPU, memory, ephemeral storage, the others."""
        short, never = self._shape.shortages()
        return [
            Refusal(short[:, c], insufficient(self._cluster.axis.names[c]), short[:, c] & never[:, c])
            for c in self._order
            if short[:, c].any()
        ]

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """Shortages on one node if its pods changed."""
        requested, allocatable = self._cluster.nodes.requested.item, self._cluster.nodes.allocatable.item
        out: list[NodeRefusal] = []
        for column, asked in self.asked:
            whole = allocatable(node, column)
            if asked > whole - requested(node, column) - delta.requested.get(column, 0):
                out.append(NodeRefusal(self._short[column], column != PODS and asked > whole))
        return out


class NodeResourcesFit:
    """Requests against what is left of allocatable."""

    name = PluginName.NODE_RESOURCES_FIT
    looks_at_pods = True
    is_node_local = True

    def __init__(self, cluster: Cluster, shapes: ResourceShapes) -> None:
        self._cluster = cluster
        self._shapes = shapes
        self._prepared: dict[int, PreparedFit] = {}

    def may_refuse(self, spec: PodSpec) -> bool:
        """Every pod takes a place on its node."""
        return True

    def may_score(self, spec: PodSpec) -> bool:
        """Every pod."""
        return True

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def prepare(self, spec: PodSpec) -> PreparedFit:
        """Room for the template's request."""
        shape = self._shapes.of(spec)
        known = self._prepared.get(spec.index)
        if known is None:
            known = self._prepared[spec.index] = PreparedFit(self._cluster, shape)
        return known

    def score(self, spec: PodSpec, rows: Rows) -> Ints:
        """The strategy's mean over its resources; not normalised."""
        return self._shapes.of(spec).allocation.take(rows)
