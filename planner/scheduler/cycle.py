"""One scheduling cycle: find feasible nodes, score them, take the best (spec/scheduler.md section 1).

What depends on templates only is kept until a node changes, and resource figures are kept per request
(`resource_shapes`); the result equals a cycle without any memory.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from planner.scheduler.feasibility import Prepared, Verdicts
from planner.scheduler.interface import NodeDelta, Rows, SchedulerContext, SparseRequests
from planner.scheduler.node_order import NodeOrder, nodes_to_find, zone_key
from planner.scheduler.plugin_names import PluginName
from planner.scheduler.plugins.registry import default_plugins
from planner.scheduler.profile import SchedulerProfile
from planner.scheduler.resource_rules import Ints, Mask
from planner.scheduler.resource_shapes import ResourceShapes
from planner.scheduler.select import NameOrder, find_feasible
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

NO_ROWS: Rows = np.zeros(0, dtype=np.int64)
_NODE_EVENTS = (ClusterEventKind.NODE_ADDED, ClusterEventKind.NODE_CHANGED, ClusterEventKind.NODE_GONE)


@dataclass(slots=True)
class Outcome:
    """What a cycle found. `node` is -1 if no node is feasible; then `verdicts` says why."""

    node: int = NONE
    rows: Rows = field(default_factory=lambda: NO_ROWS)
    """Feasible nodes that were found."""
    totals: Ints | None = None
    """Their total scores; None if none was computed."""
    scores: Mapping[PluginName, int] = field(default_factory=dict)
    """Weighted scores of the node taken."""
    prepared: Prepared | None = None
    verdicts: Verdicts | None = None
    nominated: bool = False
    """The node was taken because the pod was nominated to it."""


class SchedulingCycle:
    """The profile at work on a cluster; keeps the rotating start of the search."""

    def __init__(self, cluster: Cluster, profile: SchedulerProfile) -> None:
        self.context = SchedulerContext.of(cluster, profile)
        self.plugins = default_plugins(self.context, ResourceShapes(cluster, profile))
        self._with_pods = tuple(p for p in self.plugins.filters if p.looks_at_pods)
        self._without_pods = tuple(p for p in self.plugins.filters if not p.looks_at_pods)
        self.order = NodeOrder()
        self.names = NameOrder(cluster)
        self.start = 0
        self._sparse = SparseRequests()
        self._cluster = cluster
        self._nodes_version = 0
        self._static: dict[int, tuple[int, int, Mask]] = {}
        for node in range(cluster.nodes.count):
            if cluster.nodes.exists[node]:
                self.order.add(node, zone_key(cluster.node_labels(node)))
        cluster.subscribe(self.on_event)

    def on_event(self, event: ClusterEvent) -> None:
        """Follow nodes that come, change and go."""
        if event.kind not in _NODE_EVENTS:
            return
        self._nodes_version += 1
        if event.kind == ClusterEventKind.NODE_ADDED:
            self.order.add(event.node, zone_key(self._cluster.node_labels(event.node)))
        elif event.kind == ClusterEventKind.NODE_GONE:
            self.order.remove(event.node)

    def decide(self, pod: int, *, knows_nomination: bool = True) -> Outcome:
        """The node for a pending pod. Changes nothing but the start of the next search.

        `knows_nomination`: whether the pod at hand carries its nomination, so that this node is tried first.
        """
        spec = self._cluster.pod_specs[self._cluster.pods.spec[pod]]
        nominated = int(self._cluster.pods.nominated[pod])
        if knows_nomination and nominated != NONE and self._nominated_fits(pod, spec, nominated):
            return Outcome(nominated, np.array([nominated]), nominated=True)
        feasible = self.feasible(pod, spec)
        rows = self._found(pod, spec, feasible)
        if not len(rows):
            prepared = self.prepare(pod, spec)
            return Outcome(prepared=prepared, verdicts=prepared.verdicts())
        if len(rows) == 1:
            return Outcome(int(rows[0]), rows)
        return self._best(spec, rows)

    def prepare(self, pod: int, spec: PodSpec) -> Prepared:
        """All filters, ready to be asked about single nodes and reasons."""
        return Prepared(self.context, self._sparse, pod, spec, self.plugins.filters)

    def feasible(self, pod: int, spec: PodSpec) -> Mask:
        """Nodes that pass every filter, the double check with nominated pods included."""
        mask = self._static_mask(spec)
        for plugin in self._with_pods:
            prepared = plugin.prepare(spec)
            if prepared is not None:
                mask = mask & prepared.passes
        if self._cluster.pods.pinned[pod] != NONE or self._cluster.nominated_pods or _uses_fields(spec):
            prepared_all = self.prepare(pod, spec)
            allowed = prepared_all.allowed()
            mask = mask.copy() if allowed is None else mask & allowed
            for node in prepared_all.nominated_refusals(allowed):
                mask[node] = False
        return mask

    def weighted_scores(self, spec: PodSpec, rows: Rows) -> dict[PluginName, Ints]:
        """Weight times normalised score per plugin; plugins that are left out are missing."""
        weights = self.context.profile.weights
        out = {}
        for plugin in self.plugins.scores:
            scores = plugin.score(spec, rows)
            if scores is not None:
                weight = weights[plugin.name]
                out[plugin.name] = scores if weight == 1 else scores * weight
        return out

    def _best(self, spec: PodSpec, rows: Rows) -> Outcome:
        scores = self.weighted_scores(spec, rows)
        first, *others = scores.values()
        totals = first.copy()
        for points in others:
            totals += points
        best = (totals == np.maximum.reduce(totals)).nonzero()[0]
        node = self.names.smallest(rows[best])
        place = int(best[0]) if len(best) == 1 else int((rows == node).argmax())
        return Outcome(node, rows, totals, {name: int(points[place]) for name, points in scores.items()})

    def _found(self, pod: int, spec: PodSpec, feasible: Mask) -> Rows:
        total = len(self.order)
        if total == 0:
            return NO_ROWS
        percentage = self.context.profile.percentage_of_nodes_to_score
        if self._cluster.pods.pinned[pod] != NONE or _uses_fields(spec):
            return self._found_by_name(pod, spec, feasible, percentage)
        sample = find_feasible(self.order.twice, self.start, feasible, nodes_to_find(total, percentage))
        self.start = (self.start + sample.looked_at) % total
        return sample.rows

    def _found_by_name(self, pod: int, spec: PodSpec, feasible: Mask, percentage: int) -> Rows:
        """Only the named nodes are searched; the start moves on as if they were the list."""
        allowed = self.prepare(pod, spec).allowed()
        rows = self.order.rows if allowed is None else self.order.rows[allowed[self.order.rows]]
        if not len(rows):
            return NO_ROWS
        twice: NDArray[np.int64] = np.concatenate([rows, rows])
        sample = find_feasible(twice, self.start % len(rows), feasible, nodes_to_find(len(rows), percentage))
        self.start = (self.start + sample.looked_at) % len(self.order)
        return sample.rows

    def _nominated_fits(self, pod: int, spec: PodSpec, node: int) -> bool:
        if not self._cluster.nodes.exists[node]:
            return False
        prepared = self.prepare(pod, spec)
        allowed = prepared.allowed()
        if allowed is not None and not allowed[node]:
            return False
        return prepared.refuse_with_nominated(node, NodeDelta(self._sparse)) is None

    def _static_mask(self, spec: PodSpec) -> Mask:
        """Existing nodes that pass the filters no pod can change; kept until a node changes."""
        count = self._cluster.nodes.count
        known = self._static.get(spec.index)
        if known is not None and known[0] == self._nodes_version and known[1] == count:
            return known[2]
        mask: Mask = self._cluster.nodes.exists.copy()
        for plugin in self._without_pods:
            prepared = plugin.prepare(spec)
            if prepared is not None:
                mask &= prepared.passes
        self._static[spec.index] = (self._nodes_version, count, mask)
        return mask


def _uses_fields(spec: PodSpec) -> bool:
    return any(term.match_fields for term in spec.required_terms)
