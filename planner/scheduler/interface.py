"""The plugin interface: a plugin prepares itself for a pod template and then answers for all nodes at once."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Ints, Mask
from planner.scheduler.feasibility.static_fit import StaticFit
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.template_rules import RulesOfTemplates
from planner.scheduler.topology.pod_counts import PodCounts
from planner.scheduler.topology.topology import Topologies
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.resources import PODS
from planner.state.specs import PodSpec, PortClaim

Rows = NDArray[np.int64]
NODE_EVENTS = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)


class NodeSetVersion:
    """A number that grows whenever a node comes, changes or goes."""

    def __init__(self, cluster: Cluster) -> None:
        self.version = 0
        cluster.subscribe(self._on_event, NODE_EVENTS)

    def _on_event(self, event: ClusterEvent) -> None:
        self.version += 1


@dataclass(frozen=True)
class SchedulerContext:
    """What plugins may read."""

    cluster: Cluster
    profile: SchedulerProfile
    static: StaticFit
    topologies: Topologies
    counts: PodCounts
    changes: NodeSetVersion
    rules: RulesOfTemplates

    @classmethod
    def of(cls, cluster: Cluster, profile: SchedulerProfile) -> "SchedulerContext":
        """A context with its own caches for one cluster."""
        topologies = Topologies(cluster)
        counts, changes = PodCounts(cluster, topologies), NodeSetVersion(cluster)
        return cls(cluster, profile, StaticFit(cluster), topologies, counts, changes, RulesOfTemplates(cluster))

    def with_profile(self, profile: SchedulerProfile) -> "SchedulerContext":
        """The same cluster and counts under another profile."""
        return replace(self, profile=profile)

    def nodes_version(self) -> int:
        """Grows when a node comes, changes or goes: a change key for what depends on nodes only."""
        return self.changes.version


class Refusal(NamedTuple):
    """Nodes refused for one reason. Masks over all node rows."""

    nodes: Mask
    reason: str
    unresolvable: Mask


class NodeRefusal(NamedTuple):
    """One reason for which one node is refused in a trial."""

    reason: str
    unresolvable: bool


class SparseRequests:
    """Non-zero entries of requests as plain numbers: trials on one node are faster without arrays."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[tuple[int, int], ...]] = {}

    def __call__(self, spec: PodSpec) -> tuple[tuple[int, int], ...]:
        known = self._known.get(spec.index)
        if known is None:
            entries = [(column, int(value)) for column, value in enumerate(spec.request) if value]
            known = self._known[spec.index] = (*entries, (PODS, 1))
        return known


class NodeDelta:
    """Pods thought to be added to (or, counted negative, taken off) one node."""

    def __init__(self, sparse: SparseRequests) -> None:
        self._sparse = sparse
        self.requested: dict[int, int] = {}
        """Change per resource column; the pods column counts pods."""
        self.pods: dict[int, int] = {}
        """Change of the number of pods per template number."""
        self.ports: dict[PortClaim, bool] = {}
        """Host ports that the pods hold: whether the last of these to come or go came. Kubernetes keeps a set of taken
        ports per node, so that a pod which goes frees its port even if another one there holds the same (which only
        pods placed by hand can do)."""

    def add(self, spec: PodSpec, count: int = 1) -> None:
        """Add pods of a template; a negative count takes them away."""
        for column, value in self._sparse(spec):
            self.requested[column] = self.requested.get(column, 0) + value * count
        self.pods[spec.index] = self.pods.get(spec.index, 0) + count
        for port in spec.placement.host_ports:
            self.ports[port] = count > 0

    def with_more(self, specs: Iterable[PodSpec]) -> "NodeDelta":
        """The same with one more pod of each template."""
        more = NodeDelta(self._sparse)
        more.requested, more.pods, more.ports = {**self.requested}, {**self.pods}, {**self.ports}
        for spec in specs:
            more.add(spec)
        return more


class PreparedFilter(Protocol):
    """A filter's answers for one template at one moment."""

    @property
    def passes(self) -> Mask:
        """Nodes that are not refused, over all node rows."""

    def refusals(self) -> list[Refusal]:
        """The reasons; a node may appear under several."""

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """Reasons on one node if its pods changed by `delta`; only asked of filters that look at pods."""


class FilterPlugin(Protocol):
    """A plugin that can refuse nodes."""

    name: PluginName
    looks_at_pods: bool
    """Whether removing pods may change the answer."""
    is_node_local: bool
    """Whether only pods on the node itself matter."""

    def may_refuse(self, spec: PodSpec) -> bool:
        """Whether it can ever refuse a node for the template, judging by the templates there are."""

    def prepare(self, spec: PodSpec) -> PreparedFilter | None:
        """Answers for a template; None if the plugin has nothing to say."""


class ScorePlugin(Protocol):
    """A plugin that gives feasible nodes points."""

    name: PluginName

    def may_score(self, spec: PodSpec) -> bool:
        """Whether it can ever give points, judging by the templates there are."""

    def uniform(self, spec: PodSpec) -> int | None:
        """The points of all nodes where they are the same at the moment; None where nodes may differ."""

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """Normalised scores 0 to 100 of the feasible rows; None if the plugin is left out for the template."""


class StaticFilter:
    """Answers that no pod on the node can change."""

    def __init__(self, *refusals: tuple[Mask, str]) -> None:
        self._refusals = refusals

    @property
    def passes(self) -> Mask:
        """Nodes under none of the refusals."""
        refused: Mask = np.logical_or.reduce([nodes for nodes, _ in self._refusals])
        return ~refused

    def refusals(self) -> list[Refusal]:
        """All of them unresolvable."""
        return [Refusal(nodes, reason, nodes) for nodes, reason in self._refusals]

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """The same answer whatever pods there are."""
        return [NodeRefusal(reason, True) for nodes, reason in self._refusals if nodes[node]]
