"""Keep pods of a kind evenly spread over nodes and zones (kube-scheduler 1.36, podtopologyspread)."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import MAX_SCORE, Ints, Mask
from planner.scheduler.interface import NodeDelta, NodeRefusal, Refusal, Rows, SchedulerContext
from planner.scheduler.reasons import Reason
from planner.scheduler.topology.pod_counts import Counter
from planner.scheduler.topology.spread_constraints import Spread, Spreads, compile_spreads, is_narrowed
from planner.scheduler.topology.topology import Values
from planner.state.specs import HOSTNAME_LABEL, PodSpec

NO_DOMAIN = 2_147_483_647
MOST_CODES = 48
"""With more different nodes arrays are faster than plain numbers."""
MOST_TABLES = 2_048
"""So many tables of scores are kept."""


@dataclass(frozen=True)
class _Domains:
    """One hard constraint: which domains exist and how many pods each holds."""

    spread: Spread
    values: Values
    has_key: Mask
    counted: Mask
    pods: Ints
    exists: Mask

    def minimum(self, pods: Ints) -> int:
        present = pods[self.exists]
        if not len(present):
            return NO_DOMAIN
        return 0 if len(present) < self.spread.min_domains else int(present.min())

    def too_skewed(self) -> Mask:
        skew = self.pods[self.values] + self.spread.own_match - self.minimum(self.pods)
        return self.has_key & (skew > self.spread.max_skew)


class PreparedSpread:
    """Hard constraints of one template at one moment."""

    def __init__(self, context: SchedulerContext, domains: list[_Domains]) -> None:
        self._context = context
        self._domains = domains

    @property
    def passes(self) -> Mask:
        """Nodes with all keys and no skew beyond the limit."""
        refused: Mask = np.logical_or.reduce([~d.has_key | d.too_skewed() for d in self._domains])
        return ~refused

    def refusals(self) -> list[Refusal]:
        """The first constraint that fails gives a node's reason."""
        missing = np.zeros(self._context.cluster.nodes.count, dtype=np.bool_)
        skewed = missing.copy()
        for domains in self._domains:
            open_nodes = ~(missing | skewed)
            missing = missing | (open_nodes & ~domains.has_key)
            skewed = skewed | (open_nodes & domains.too_skewed())
        return [
            Refusal(missing, Reason.SPREAD_MISSING_LABEL, missing),
            Refusal(skewed, Reason.SPREAD, np.zeros_like(skewed)),
        ]

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """Counts move with every changed pod that matches, terminating ones included."""
        specs = self._context.cluster.pod_specs
        for domains in self._domains:
            if not domains.has_key[node]:
                return [NodeRefusal(Reason.SPREAD_MISSING_LABEL, True)]
            value, pods, matcher = int(domains.values[node]), domains.pods, domains.spread.matcher
            if domains.counted[node] and matcher is not None:
                change = sum(count for index, count in delta.pods.items() if matcher.matches(specs[index]))
                pods = pods.copy()
                pods[value] += change
            if int(pods[value]) + domains.spread.own_match - domains.minimum(pods) > domains.spread.max_skew:
                return [NodeRefusal(Reason.SPREAD, False)]
        return []


class PodTopologySpread:
    """DoNotSchedule constraints refuse, ScheduleAnyway ones and the built-in defaults give points."""

    name = PluginName.POD_TOPOLOGY_SPREAD
    looks_at_pods = True
    is_node_local = False

    def __init__(self, context: SchedulerContext) -> None:
        self.context = context
        self._spreads: dict[int, Spreads] = {}
        self._counters: dict[int, Counter] = {}
        self._complete: dict[str, tuple[int, bool]] = {}
        self._tables: dict[tuple[Hashable, ...], Ints] = {}

    def prepare(self, spec: PodSpec) -> PreparedSpread | None:
        """Domains of the hard constraints."""
        hard = self.spreads(spec).hard
        return PreparedSpread(self.context, [self._domains(spec, one, hard) for one in hard]) if hard else None

    def spreads(self, spec: PodSpec) -> Spreads:
        """The compiled constraints of a template."""
        known = self._spreads.get(spec.index)
        if known is None:
            known = self._spreads[spec.index] = compile_spreads(spec, self.context.profile)
        return known

    def may_refuse(self, spec: PodSpec) -> bool:
        """Only with hard constraints."""
        return bool(self.spreads(spec).hard)

    def may_score(self, spec: PodSpec) -> bool:
        """Only with soft constraints."""
        return bool(self.spreads(spec).soft)

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """100 for the best spread; nodes that lack a demanded key get 0."""
        spreads = self.spreads(spec)
        if not spreads.soft:
            return None
        by_code = self._by_code(spec, spreads, rows)
        if by_code is not None:
            return by_code
        if not spreads.all_keys:
            return _best_is_least(self._raw(spec, spreads, rows))
        kept = np.logical_and.reduce([self.context.topologies.column(s.key).has[rows] for s in spreads.soft])
        out = np.zeros(len(rows), dtype=np.int64)
        if kept.any():
            out[kept] = _best_is_least(self._raw(spec, spreads, rows[kept]))
        return out

    def _by_code(self, spec: PodSpec, spreads: Spreads, rows: Rows) -> Ints | None:
        """The same by looking at the few different nodes only; None where that is not possible."""
        key = spreads.coded_key
        if key is None or not self.is_complete(key):
            return None
        counter = self.counter_of(spec)
        all_codes, radix = self.context.counts.domain_codes(counter, key)
        codes = all_codes.take(rows)
        present = np.bincount(codes).nonzero()[0]
        if len(present) > MOST_CODES:
            return None
        by_value = self.context.counts.value_sums(counter, key)
        # Templates with as many pods in the same places have the same table, whatever they are called.
        known_by = (spreads.weights, radix, len(rows), present.tobytes(), by_value.tobytes())
        table = self._tables.get(known_by)
        if table is None:
            if len(self._tables) >= MOST_TABLES:
                self._tables.clear()
            table = self._tables[known_by] = score_table(spreads.weights, present.tolist(), radix, by_value, len(rows))
        return table.take(codes)

    def counter_of(self, spec: PodSpec) -> Counter:
        """The counter of the pods that the first soft constraint of a template counts; it has a selector."""
        counter = self._counters.get(spec.index)
        if counter is None:
            matcher = self.spreads(spec).soft[0].matcher
            assert matcher is not None
            counter = self._counters[spec.index] = self.context.counts.counter(matcher)
        return counter

    def is_complete(self, key: str) -> bool:
        """Whether every node row has the label and the hostname; found out again when there are new rows."""
        count, known = self.context.cluster.nodes.count, self._complete.get(key)
        if known is None or known[0] != count:
            topologies = self.context.topologies
            complete = topologies.column(key).complete and topologies.column(HOSTNAME_LABEL).complete
            known = self._complete[key] = (count, complete)
        return known[1]

    def _raw(self, spec: PodSpec, spreads: Spreads, rows: Rows) -> Ints:
        total: NDArray[np.float64] | None = None
        for spread in spreads.soft:
            column = self.context.topologies.column(spread.key)
            if spread.key == HOSTNAME_LABEL:
                size = len(rows)
                count = self.pods_by_node(spread).take(rows)
            else:
                values = column.values.take(rows)
                size = int(np.count_nonzero(np.bincount(values)))
                count = self.pods_by_value(spec, spread, spreads).take(values)
            points = count * np.float64(math.log(size + 2)) + np.float64(spread.max_skew - 1)
            if not column.complete:
                points = points * column.has[rows]
            total = points if total is None else total + points
        assert total is not None
        # Half up is half away from zero here: a sum is 0 or at least ln 3, where adding 0.5 loses nothing.
        return (total + 0.5).astype(np.int64)

    def pods_by_node(self, spread: Spread) -> Ints:
        """Matching pods per node; an empty selector counts none."""
        if spread.matcher is None or spread.matcher.is_empty:
            return np.zeros(self.context.cluster.nodes.count, dtype=np.int64)
        return self.context.counts.by_node(spread.matcher)

    def pods_by_value(self, spec: PodSpec, spread: Spread, spreads: Spreads) -> Ints:
        """Matching pods per value of the key, on the nodes that the policies let count."""
        matcher = spread.matcher
        if not (is_narrowed(spec, spread) or spreads.all_keys) and matcher is not None and not matcher.is_empty:
            return self.context.counts.by_value(matcher, spread.key)
        column = self.context.topologies.column(spread.key)
        counted = self._counted(spec, spread, spreads.soft if spreads.all_keys else ())
        return _sum_by(column.values[counted], self.pods_by_node(spread)[counted], column.size)

    def _counted(self, spec: PodSpec, spread: Spread, with_keys: tuple[Spread, ...]) -> Mask:
        counted = self.context.cluster.nodes.exists.copy()
        for other in with_keys:
            counted &= self.context.topologies.column(other.key).has
        if spread.honor_affinity:
            counted &= self.context.static.affinity_mask(spec)
        if spread.honor_taints:
            counted &= self.context.static.taint_mask(spec)
        return counted

    def _domains(self, spec: PodSpec, spread: Spread, hard: tuple[Spread, ...]) -> _Domains:
        column = self.context.topologies.column(spread.key)
        counted = self._counted(spec, spread, hard)
        values = column.values[counted]
        pods = _sum_by(values, self.pods_by_node(spread)[counted], column.size)
        exists = np.bincount(values, minlength=column.size) > 0
        return _Domains(spread, column.values, column.has, counted, pods, exists)


def score_table(
    weights: Sequence[tuple[bool, int]], codes: Sequence[int], radix: int, by_value: Ints, nodes: int
) -> Ints:
    """Scores 0 to 100 by code; only those of `codes`, which rise, mean anything."""
    domains = {code // radix: int(by_value[code // radix]) for code in codes}
    raw = code_points(weights, codes, radix, domains, nodes)
    top, both = max(raw), max(raw) + min(raw)
    table = np.zeros(codes[-1] + 1, dtype=np.int64)
    for code, points in zip(codes, raw, strict=True):
        table[code] = MAX_SCORE * (both - points) // top if top else MAX_SCORE
    return table


def code_points(
    soft: Sequence[tuple[bool, int]], codes: Sequence[int], radix: int, domains: Mapping[int, int], nodes: int
) -> list[int]:
    """Raw points of each code; twin of the sum over arrays in `PodTopologySpread`.

    `soft`: of each constraint whether it spreads over hostnames, and its maxSkew. `domains`: matching pods per value
    number, of the values among `nodes` feasible nodes.
    """
    weights = [
        (is_hostname, math.log((nodes if is_hostname else len(domains)) + 2), float(max_skew - 1))
        for is_hostname, max_skew in soft
    ]
    out = []
    for code in codes:
        value, pods = divmod(code, radix)
        total = 0.0
        for is_hostname, weight, base in weights:
            # In this order as in the rule: product and base first, then the total; another could move a point.
            total += (pods if is_hostname else domains[value]) * weight + base
        out.append(int(total + 0.5))
    return out


def _sum_by(values: Values, counts: Ints, size: int) -> Ints:
    sums = np.zeros(size, dtype=np.int64)
    np.add.at(sums, values, counts)
    return sums


def _best_is_least(raw: Ints) -> Ints:
    top, least = int(np.maximum.reduce(raw)), int(np.minimum.reduce(raw))
    if top == 0:
        return np.full(len(raw), MAX_SCORE, dtype=np.int64)
    return MAX_SCORE * (top + least - raw) // top
