"""Soft spread constraints as the kernel `node_choice` takes them."""

from typing import Any, NamedTuple

import numpy as np

from planner.kernels.placing.node_columns import SpreadTerm
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.topology.pod_counts import Counter, Counts
from planner.scheduler.topology.spread_constraints import Spread, Spreads
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Terms = tuple[tuple[SpreadTerm, ...], bool]
"""The constraints, and whether nodes that lack a key get no points."""


class LastingTerms(NamedTuple):
    """Terms that follow the counts by themselves, as long as these are kept in the same columns."""

    terms: Terms
    nodes: int
    key: str
    counter: Counter
    by_node: Counts
    by_value: Counts

    def follow(self, nodes: int) -> bool:
        """Whether they still do, with so many node rows."""
        counter = self.counter
        return (
            counter.by_node is self.by_node and counter.by_value.get(self.key) is self.by_value and nodes == self.nodes
        )


class SoftTerms:
    """The terms of one profile's templates."""

    def __init__(self, plugin: PodTopologySpread) -> None:
        self._plugin = plugin
        self._nodes = plugin.context.cluster.nodes
        self._known: dict[int, LastingTerms] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Copies look at their own columns."""
        return vars(self) | {"_known": {}}

    def lasting(self, spec: PodSpec) -> LastingTerms | None:
        """Terms of a template with soft constraints, the same while they follow the counts; None if they do not."""
        known = self._known.get(spec.index)
        if known is not None and known.follow(self._nodes.count):
            return known
        plugin = self._plugin
        spreads = plugin.spreads(spec)
        key = spreads.coded_key
        if key is None or (spreads.all_keys and not plugin.is_complete(key)):
            return None
        counter = plugin.counter_of(spec)
        by_value = plugin.context.counts.value_sums(counter, key)
        terms = tuple([self._term(spec, spread, spreads, by_value) for spread in spreads.soft]), spreads.all_keys
        known = LastingTerms(terms, self._nodes.count, key, counter, counter.by_node, by_value)
        self._known[spec.index] = known
        return known

    def of(self, spec: PodSpec) -> Terms:
        """Terms of a template with soft constraints, with the counts as they are."""
        lasting = self.lasting(spec)
        if lasting is not None:
            return lasting.terms
        spreads = self._plugin.spreads(spec)
        return tuple([self._term(spec, spread, spreads) for spread in spreads.soft]), spreads.all_keys

    def _term(self, spec: PodSpec, spread: Spread, spreads: Spreads, by_value: Counts | None = None) -> SpreadTerm:
        column = self._plugin.context.topologies.column(spread.key)
        by_node = spread.key == HOSTNAME_LABEL
        if by_node:
            pods = self._plugin.pods_by_node(spread)
        else:
            pods = self._plugin.pods_by_value(spec, spread, spreads) if by_value is None else by_value
        has = None if column.complete else column.has.view(np.uint8)
        return SpreadTerm(by_node, column.values, pods, has, float(spread.max_skew - 1))
