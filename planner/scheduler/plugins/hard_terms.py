"""Hard constraints on domains as the kernel `node_choice` takes them: hard spreading and required anti-affinity."""

from typing import NamedTuple

import numpy as np

from planner.kernels.placing.node_columns import DomainLimit
from planner.plan.model.scheduler import PluginName
from planner.scheduler.interface import FilterPlugin, SchedulerContext
from planner.scheduler.plugins.inter_pod_affinity import InterPodAffinity
from planner.scheduler.plugins.pod_topology_spread import PodTopologySpread
from planner.scheduler.topology.matchers import Matcher
from planner.scheduler.topology.pod_counts import Counter, Counts
from planner.scheduler.topology.spread_constraints import Spread, is_narrowed
from planner.state.specs import PodSpec


class LastingLimit(NamedTuple):
    """A limit that follows the counts by itself, as long as these are kept in the same column."""

    limit: DomainLimit
    counter: Counter
    key: str
    pods: Counts

    def follows(self) -> bool:
        """Whether it still does."""
        return self.counter.labelled.get(self.key) is self.pods


Limits = tuple[LastingLimit, ...]


class HardTerms:
    """The limits of one profile's templates."""

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context

    def lasting(self, spec: PodSpec, plugins: tuple[FilterPlugin, ...]) -> Limits | None:
        """Limits that say the same as these plugins, besides the room for the request; None if none do."""
        found: list[LastingLimit] = []
        for plugin in plugins:
            if plugin.name == PluginName.NODE_RESOURCES_FIT:
                continue
            limits = self._of_plugin(plugin, spec)
            if limits is None:
                return None
            found += limits
        return tuple(found)

    def _of_plugin(self, plugin: FilterPlugin, spec: PodSpec) -> list[LastingLimit] | None:
        if isinstance(plugin, PodTopologySpread):
            return self._spreading(spec, plugin.spreads(spec).hard)
        if isinstance(plugin, InterPodAffinity) and not plugin.terms(spec).affinity:
            return [self._limit(matcher, key) for matcher, key in plugin.repelling(spec)]
        return None

    def _spreading(self, spec: PodSpec, hard: tuple[Spread, ...]) -> list[LastingLimit] | None:
        columns = [self._context.topologies.column(spread.key) for spread in hard]
        if len(hard) > 1 and not all(column.complete for column in columns):
            return None
        found: list[LastingLimit] = []
        for spread in hard:
            if spread.matcher is None or spread.matcher.is_empty or is_narrowed(spec, spread):
                return None
            found.append(self._limit(spread.matcher, spread.key, spread))
        return found

    def _limit(self, matcher: Matcher, key: str, spread: Spread | None = None) -> LastingLimit:
        """No matching pod in a domain, or those that spreading allows."""
        column, counts = self._context.topologies.column(key), self._context.counts
        pods, exists, most, least_domains = counts.by_label(matcher, key), None, 0, 0
        if spread is not None:
            here = column.values[self._context.cluster.nodes.exists & column.has]
            exists = (np.bincount(here, minlength=column.size) > 0).view(np.uint8)
            most, least_domains = spread.max_skew - spread.own_match, spread.min_domains
        has = None if column.complete else column.has.view(np.uint8)
        limit = DomainLimit(column.values, has, pods, most, exists, least_domains)
        return LastingLimit(limit, counts.counter(matcher), key, pods)
