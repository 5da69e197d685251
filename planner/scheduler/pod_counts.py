"""Running counts of the pods a selector matches, per node and per topology value.

Counts follow the cluster's events, so that no decision counts pods afresh. Terminating pods do not count
(spec/scheduler.md section 7).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.plan.pods import NodeSelectorRequirement
from planner.scheduler.topology import Topologies
from planner.state.changes import ClusterEvent, ClusterEventKind
from planner.state.cluster import Cluster
from planner.state.matching import expression_is_legal, expression_matches
from planner.state.nodes import NONE
from planner.state.specs import PodSpec

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class PodMatcher:
    """Pods of one namespace with matching labels, or, with `workload` set, the pods of that workload."""

    namespace: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    expressions: tuple[NodeSelectorRequirement, ...] = ()
    workload: int = NONE

    @property
    def is_empty(self) -> bool:
        """An empty selector matches every pod, yet spreading counts none for it."""
        return self.workload == NONE and not self.labels and not self.expressions

    def matches_labels(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels satisfy the selector, whatever the namespace."""
        return all(labels.get(key) == value for key, value in self.labels) and all(
            expression_is_legal(part) and expression_matches(part, labels) for part in self.expressions
        )

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""
        if self.workload != NONE:
            return spec.workload == self.workload
        return spec.namespace == self.namespace and self.matches_labels(spec.labels)


class _Counter:
    def __init__(self, matcher: PodMatcher) -> None:
        self.matcher = matcher
        self.by_node: Counts = np.zeros(64, dtype=np.int64)
        self.by_value: dict[str, Counts] = {}


class PodCounts:
    """All counters in use."""

    def __init__(self, cluster: Cluster, topologies: Topologies) -> None:
        self._cluster = cluster
        self._topologies = topologies
        self._counters: dict[PodMatcher, _Counter] = {}
        self._of_spec: dict[int, list[_Counter]] = {}
        cluster.subscribe(self.on_event)

    def on_event(self, event: ClusterEvent) -> None:
        """Follow bindings, deletions and ends of pods."""
        kind = event.kind
        if event.node == NONE or kind > ClusterEventKind.POD_GONE:
            return
        if kind == ClusterEventKind.POD_BOUND:
            self._add(event.pod, event.node, 1)
        elif kind == ClusterEventKind.POD_DELETING or (
            kind == ClusterEventKind.POD_GONE and self._cluster.pods.deletion_us[event.pod] == NONE
        ):
            self._add(event.pod, event.node, -1)

    def by_node(self, matcher: PodMatcher) -> Counts:
        """Matching pods per node row."""
        return self._grown(self._counter(matcher))[: self._cluster.nodes.count]

    def by_value(self, matcher: PodMatcher, key: str) -> Counts:
        """Matching pods per value of a topology label, over all nodes; nodes without it under value 0."""
        counter, column = self._counter(matcher), self._topologies.column(key)
        sums = counter.by_value.get(key)
        if sums is None or len(sums) < column.size:
            by_node = self._grown(counter)[: self._cluster.nodes.count]
            sums = np.zeros(2 * column.size, dtype=np.int64)
            np.add.at(sums, column.values, by_node)
            counter.by_value[key] = sums
        return sums

    def _counter(self, matcher: PodMatcher) -> _Counter:
        counter = self._counters.get(matcher)
        if counter is None:
            counter = self._counters[matcher] = _Counter(matcher)
            self._of_spec.clear()
            pods, by_node = self._cluster.pods, self._grown(counter)
            counted = (pods.node != NONE) & (pods.deletion_us == NONE)
            wanted = np.array([matcher.matches(spec) for spec in self._cluster.pod_specs], dtype=np.bool_)
            np.add.at(by_node, pods.node[counted][wanted[pods.spec[counted]]], 1)
        return counter

    def _grown(self, counter: _Counter) -> Counts:
        while len(counter.by_node) < self._cluster.nodes.count:
            counter.by_node = np.concatenate([counter.by_node, np.zeros_like(counter.by_node)])
        return counter.by_node

    def _add(self, pod: int, node: int, change: int) -> None:
        spec = int(self._cluster.pods.spec[pod])
        counters = self._of_spec.get(spec)
        if counters is None:
            pod_spec = self._cluster.pod_specs[spec]
            counters = [c for c in self._counters.values() if c.matcher.matches(pod_spec)]
            self._of_spec[spec] = counters
        for counter in counters:
            self._grown(counter)[node] += change
            for key, sums in counter.by_value.items():
                value = self._topologies.column(key).values[node]
                if value < len(sums):
                    sums[value] += change
                else:
                    counter.by_value[key] = np.zeros(0, dtype=np.int64)
