"""Soft spread constraints as the kernel `node_choice` takes them."""

from typing import NamedTuple

import numpy as np

from planner.kernels.node_choice import SpreadTerm
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.topology.pod_counts import Counts
from planner.scheduler.topology.spread_constraints import Spread, Spreads
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Terms = tuple[tuple[SpreadTerm, ...], bool]
"""The constraints, and whether nodes that lack a key get no points."""


class _Known(NamedTuple):
    """Terms that follow the counts by themselves, as long as these are kept in the same columns."""

    terms: Terms
    nodes: int
    by_node: Counts
    by_value: Counts


class SoftTerms:
    """The terms of one profile's templates."""

    def __init__(self, plugin: PodTopologySpread) -> None:
        self._plugin = plugin
        self._known: dict[int, _Known] = {}

    def of(self, spec: PodSpec) -> Terms:
        """The terms of a template that has soft constraints, with the counts as they are."""
        plugin, known = self._plugin, self._known.get(spec.index)
        spreads = plugin.spreads(spec)
        key = spreads.coded_key
        if key is None or (spreads.all_keys and not plugin.is_complete(key)):
            return tuple([self._term(spec, spread, spreads) for spread in spreads.soft]), spreads.all_keys
        counter, counts = plugin.counter_of(spec), plugin.context.counts
        by_value, nodes = counts.value_sums(counter, key), plugin.context.cluster.nodes.count
        if (
            known is None
            or known.nodes != nodes
            or known.by_node is not counter.by_node
            or known.by_value is not by_value
        ):
            terms = tuple([self._term(spec, spread, spreads, by_value) for spread in spreads.soft])
            known = self._known[spec.index] = _Known((terms, spreads.all_keys), nodes, counter.by_node, by_value)
        return known.terms

    def _term(self, spec: PodSpec, spread: Spread, spreads: Spreads, by_value: Counts | None = None) -> SpreadTerm:
        column = self._plugin.context.topologies.column(spread.key)
        by_node = spread.key == HOSTNAME_LABEL
        if by_node:
            pods = self._plugin.pods_by_node(spread)
        else:
            pods = self._plugin.pods_by_value(spec, spread, spreads) if by_value is None else by_value
        has = None if column.complete else column.has.view(np.uint8)
        return SpreadTerm(by_node, column.values, pods, has, float(spread.max_skew - 1))
