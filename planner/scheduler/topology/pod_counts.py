"""Running counts of the pods that match a selector, per node and per topology value.

Counts follow the cluster's events, so that no decision has to count pods. Spreading ignores terminating pods;
affinity and host ports count them until they are gone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.scheduler.topology.matchers import Matcher, workload_of
from planner.scheduler.topology.topology import Topologies
from planner.state.changes import ClusterEvent, ClusterEventKind, PodChanges
from planner.state.cluster import Cluster
from planner.state.nodes import NONE

if TYPE_CHECKING:
    from planner.kernels.placing.counter_columns import CounterColumns

Counts = NDArray[np.int64]
# Looking up a member of an enum costs a call in Python 3.11.
_BOUND, _DELETING = ClusterEventKind.POD_BOUND, ClusterEventKind.POD_DELETING
_POD_EVENTS = (ClusterEventKind.POD_BOUND, ClusterEventKind.POD_DELETING, ClusterEventKind.POD_GONE)


class DomainCodes(NamedTuple):
    """Per node row the number of its topology value and of its matching pods in one integer: value * radix + pods.

    Nodes with equal codes are equal to a spread constraint, so it is enough to look at the codes there are.
    """

    codes: Counts
    radix: int


class Counter:
    """What is counted for one matcher; `PodCounts` keeps it true."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.total = 0
        """Matching pods in all."""
        self.by_node: Counts = np.zeros(64, dtype=np.int64)
        self.by_value: dict[str, Counts] = {}
        self.labelled: dict[str, Counts] = {}
        self.coded: dict[str, DomainCodes] = {}
        self.columns: CounterColumns | None = None
        """All of them for the kernel; None until they are first moved, and where one was replaced."""

    def __getstate__(self) -> dict[str, Any]:
        """Copies look at their own columns."""
        return vars(self) | {"columns": None}


class PodCounts:
    """All counters in use."""

    def __init__(self, cluster: Cluster, topologies: Topologies) -> None:
        self._cluster = cluster
        self._topologies = topologies
        self._counters: dict[Matcher, Counter] = {}
        self._of_workload: dict[int, list[Counter]] = {}
        """Counters by the one workload they choose from; NONE for all others."""
        self._of_spec: dict[int, list[Counter]] = {}
        """Counters that the pods of a template move, by template."""
        self._specs_of: dict[int, list[int]] = {}
        self._specs_known = 0
        self._compiled = switch.in_use()
        cluster.subscribe(self.on_event, _POD_EVENTS, self._on_many)

    def on_event(self, event: ClusterEvent) -> None:
        """Follow bindings, deletions and ends of pods."""
        kind = event.kind
        if event.node == NONE:
            return
        if kind is _BOUND:
            for counter in self._counting(event.pod):
                self._add(counter, event.node, 1)
        elif kind == _DELETING:
            for counter in self._counting(event.pod):
                if not counter.matcher.counts_terminating:
                    self._add(counter, event.node, -1)
        else:
            was_terminating = self._cluster.pods.deletion_us[event.pod] != NONE
            for counter in self._counting(event.pod):
                if counter.matcher.counts_terminating or not was_terminating:
                    self._add(counter, event.node, -1)

    def _on_many(self, changes: PodChanges) -> None:
        templates: list[int] = np.flatnonzero(np.bincount(self._cluster.pods.spec[list(changes.pods)])).tolist()
        if changes.kind is _BOUND and len(templates) == 1:
            for counter in self._of_template(templates[0]):
                self._add_all(counter, changes.nodes)
        elif any(map(self._of_template, templates)):
            for event in changes.one_by_one():
                self.on_event(event)

    def moved_by(self, spec: int) -> "tuple[CounterColumns, ...] | None":
        """Columns of all counts that pods of a template are in; None where the kernel does not know one of them."""
        found = []
        for counter in self._of_template(spec):
            columns = counter.columns
            if columns is None or columns.nodes < self._cluster.nodes.count:
                return None
            found.append(columns)
        return tuple(found)

    def total(self, matcher: Matcher) -> int:
        """Matching pods on all nodes together."""
        return self.counter(matcher).total

    def by_node(self, matcher: Matcher) -> Counts:
        """Matching pods per node row."""
        return self._grown(self.counter(matcher))[: self._cluster.nodes.count]

    def by_value(self, matcher: Matcher, key: str) -> Counts:
        """Matching pods per value of a topology label, over all nodes; nodes without it under value 0."""
        return self.value_sums(self.counter(matcher), key)

    def value_sums(self, counter: Counter, key: str) -> Counts:
        """The same for a known counter."""
        sums = counter.by_value.get(key)
        size = self._topologies.column(key).size
        if sums is None or len(sums) < size:
            sums = counter.by_value[key] = self._sums(counter, key, labelled=False)
            counter.columns = None
        return sums

    def by_label(self, matcher: Matcher, key: str) -> Counts:
        """Matching pods per value of a topology label, over the nodes that have the label."""
        counter = self.counter(matcher)
        sums = counter.labelled.get(key)
        size = self._topologies.column(key).size
        if sums is None or len(sums) < size:
            sums = counter.labelled[key] = self._sums(counter, key, labelled=True)
            counter.columns = None
        return sums

    def domain_codes(self, counter: Counter, key: str) -> DomainCodes:
        """Codes of the values of a topology label, nodes without it under value 0."""
        known = counter.coded.get(key)
        if known is None or len(known.codes) != self._cluster.nodes.count:
            by_node = self._grown(counter)[: self._cluster.nodes.count]
            radix = max(16, 4 * int(by_node.max(initial=0)))
            codes = self._topologies.column(key).values * radix + by_node
            known = counter.coded[key] = DomainCodes(codes, radix)
            counter.columns = None
        return known

    def _sums(self, counter: Counter, key: str, labelled: bool) -> Counts:
        column = self._topologies.column(key)
        by_node = self._grown(counter)[: self._cluster.nodes.count]
        sums = np.zeros(2 * column.size, dtype=np.int64)
        np.add.at(sums, column.values, by_node * column.has if labelled else by_node)
        return sums

    def counter(self, matcher: Matcher) -> Counter:
        """The counter of a matcher, made at first use; it stays the same."""
        counter = self._counters.get(matcher)
        if counter is None:
            counter = self._counters[matcher] = Counter(matcher)
            self._of_workload.setdefault(workload_of(matcher), []).append(counter)
            by_node = self._grown(counter)
            np.add.at(by_node, self._nodes_of_matching(matcher), 1)
            counter.total = int(by_node.sum())
            for spec in self._candidates(matcher):
                if spec in self._of_spec and matcher.matches(self._cluster.pod_specs[spec]):
                    self._of_spec[spec].append(counter)
        return counter

    def _nodes_of_matching(self, matcher: Matcher) -> NDArray[np.int32]:
        """The node of every pod that is to be counted now."""
        pods, specs = self._cluster.pods, self._cluster.pod_specs
        workload = workload_of(matcher)
        rows = np.arange(pods.count)
        if workload != NONE:
            rows = np.fromiter(self._cluster.workload_pods[workload], np.int64)
        rows = rows[pods.node[rows] != NONE]
        if not matcher.counts_terminating:
            rows = rows[pods.deletion_us[rows] == NONE]
        found, template = np.unique(pods.spec[rows], return_inverse=True)
        wanted = np.array([matcher.matches(specs[spec]) for spec in found.tolist()], np.bool_)
        return np.asarray(pods.node[rows[wanted[template]]] if len(rows) else rows)

    def _candidates(self, matcher: Matcher) -> Sequence[int]:
        """Templates whose pods a matcher may choose."""
        specs, workload = self._cluster.pod_specs, workload_of(matcher)
        if workload == NONE:
            return range(len(specs))
        for row, spec in enumerate(specs[self._specs_known :], self._specs_known):
            self._specs_of.setdefault(spec.workload, []).append(row)
        self._specs_known = len(specs)
        return self._specs_of.get(workload, ())

    def _grown(self, counter: Counter) -> Counts:
        while len(counter.by_node) < self._cluster.nodes.count:
            counter.by_node = np.concatenate([counter.by_node, np.zeros_like(counter.by_node)])
            counter.columns = None
        return counter.by_node

    def _counting(self, pod: int) -> list[Counter]:
        return self._of_template(self._cluster.pods.spec.item(pod))

    def _of_template(self, spec: int) -> list[Counter]:
        counters = self._of_spec.get(spec)
        if counters is None:
            pod_spec = self._cluster.pod_specs[spec]
            possible = (*self._of_workload.get(pod_spec.workload, ()), *self._of_workload.get(NONE, ()))
            counters = self._of_spec[spec] = [c for c in possible if c.matcher.matches(pod_spec)]
        return counters

    def _add(self, counter: Counter, node: int, change: int) -> None:
        counter.total += change
        if counter.columns is None or not counter.columns.add(node, change):
            self._add_plainly(counter, node, change)
            counter.columns = self._columns(counter) if self._compiled else None

    def _add_all(self, counter: Counter, nodes: Sequence[int]) -> None:
        """A pod more on each of these nodes, which are there."""
        columns = counter.columns
        if columns is None or columns.nodes < self._cluster.nodes.count:
            for node in nodes:
                self._add(counter, node, 1)
        else:
            counter.total += len(nodes)
            columns.add_all(nodes, 1)

    def _columns(self, counter: Counter) -> "CounterColumns | None":
        """The columns as the kernel takes them; None if it does not know one of them, or one is out of date."""
        from planner.kernels.placing.counter_columns import CounterColumns, DomainSums

        sums = []
        for by_key, labelled in ((counter.by_value, False), (counter.labelled, True)):
            for key, found in by_key.items():
                column = self._topologies.column(key)
                if len(found) < column.size:
                    return None
                has = column.has.view(np.uint8) if labelled else None
                sums.append(DomainSums(column.values, has, found))
        nodes = min(self._cluster.nodes.count, len(counter.by_node))
        return None if counter.coded else CounterColumns(counter.by_node, nodes, tuple(sums))

    def _add_plainly(self, counter: Counter, node: int, change: int) -> None:
        by_node = counter.by_node if node < len(counter.by_node) else self._grown(counter)
        by_node[node] = pods = by_node.item(node) + change
        if counter.coded:
            self._recode(counter, node, change, pods)
        if counter.by_value:
            for key in [*counter.by_value]:
                self._add_to(counter.by_value, key, node, change)
        if counter.labelled:
            for key in [*counter.labelled]:
                if self._topologies.column(key).has[node]:
                    self._add_to(counter.labelled, key, node, change)

    def _recode(self, counter: Counter, node: int, change: int, pods: int) -> None:
        """The code moves with the count, which has to stay below the radix."""
        for key, (codes, radix) in [*counter.coded.items()]:
            if pods < radix and node < len(codes):
                codes[node] += change
            else:
                del counter.coded[key]

    def _add_to(self, sums_by_key: dict[str, Counts], key: str, node: int, change: int) -> None:
        value, sums = self._topologies.column(key).value(node), sums_by_key[key]
        if value < len(sums):
            sums[value] += change
        else:
            del sums_by_key[key]
