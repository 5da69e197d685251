"""Pods that attract or repel each other within a domain (kube-scheduler 1.36, interpodaffinity)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import MAX_SCORE, Ints, Mask
from planner.scheduler.interface import NodeDelta, NodeRefusal, Refusal, Rows, SchedulerContext
from planner.scheduler.reasons import Reason
from planner.scheduler.topology.matchers import Matcher
from planner.scheduler.topology.pod_counts import Counts
from planner.scheduler.topology.pod_terms import AllTermsMatcher, PodTerm, PodTerms, TemplateMatcher, compile_terms
from planner.scheduler.topology.topology import TopologyColumn
from planner.state.specs import PodSpec


@dataclass(frozen=True)
class _Pairs:
    """Matching pods per value of one term's key."""

    column: TopologyColumn
    pods: Counts

    def occupied(self) -> Mask:
        """Nodes with the key whose domain holds a matching pod."""
        found: Mask = (self.pods > 0)[self.column.values]
        return found if self.column.complete else found & self.column.has

    def is_occupied(self, node: int, change: int) -> bool:
        """The same for one node if the matching pods there changed."""
        return bool(self.column.has[node]) and int(self.pods[self.column.values[node]]) + change > 0


@dataclass(frozen=True)
class _Affinity:
    """Required affinity: all terms share the count of the pods that match every one of them."""

    pairs: tuple[_Pairs, ...]
    matcher: AllTermsMatcher
    own_match: bool
    """The pod itself matches all its terms, so it may be the first of a series."""


class PreparedAffinity:
    """Required terms of one template, and those of existing pods against it, at one moment."""

    def __init__(
        self,
        plugin: "InterPodAffinity",
        spec: PodSpec,
        affinity: _Affinity | None,
        anti: tuple[tuple[PodTerm, _Pairs], ...],
        existing: tuple[_Pairs, ...],
        existing_of: tuple[int, ...],
    ) -> None:
        self._plugin = plugin
        self._spec = spec
        self._affinity = affinity
        self._anti = anti
        self._existing = existing
        self._existing_of = existing_of

    @property
    def passes(self) -> Mask:
        """Nodes that no check refuses."""
        refused: Mask | None = None if self._affinity is None else self._lacks_affinity(self._affinity)
        for pairs in (*(pairs for _, pairs in self._anti), *self._existing):
            occupied = pairs.occupied()
            refused = occupied if refused is None else refused | occupied
        assert refused is not None
        return ~refused

    def refusals(self) -> list[Refusal]:
        """Affinity, then the pod's own anti-affinity, then that of existing pods; the first gives the reason."""
        count = self._plugin.context.cluster.nodes.count
        none = np.zeros(count, dtype=np.bool_)
        near = none if self._affinity is None else self._lacks_affinity(self._affinity)
        far = np.logical_or.reduce([none, *(pairs.occupied() for _, pairs in self._anti)]) & ~near
        old = np.logical_or.reduce([none, *(pairs.occupied() for pairs in self._existing)]) & ~near & ~far
        return [
            Refusal(near, Reason.POD_AFFINITY, near),
            Refusal(far, Reason.POD_ANTI_AFFINITY, none),
            Refusal(old, Reason.EXISTING_ANTI_AFFINITY, none),
        ]

    def _lacks_affinity(self, affinity: _Affinity) -> Mask:
        first = affinity.own_match and not any(pairs.pods.any() for pairs in affinity.pairs)
        fine = [pairs.column.has if first else pairs.occupied() for pairs in affinity.pairs]
        lacking: Mask = ~np.logical_and.reduce(fine)
        return lacking

    def refuse_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """Counts move with the changed pods; a trial looks at one node, so only its domains change."""
        if self._affinity is not None and not self._near_one(self._affinity, node, delta):
            return [NodeRefusal(Reason.POD_AFFINITY, True)]
        specs, labels = self._plugin.context.cluster.pod_specs, self._plugin.context.cluster.namespace_labels
        for term, pairs in self._anti:
            change = sum(count for i, count in delta.pods.items() if count and term.matches(specs[i], labels))
            if pairs.is_occupied(node, change):
                return [NodeRefusal(Reason.POD_ANTI_AFFINITY, False)]
        return self._existing_one(node, delta)

    def _near_one(self, affinity: _Affinity, node: int, delta: NodeDelta) -> bool:
        specs = self._plugin.context.cluster.pod_specs
        change = sum(count for i, count in delta.pods.items() if count and affinity.matcher.matches(specs[i]))
        if all(pairs.is_occupied(node, change) for pairs in affinity.pairs):
            return True
        if not affinity.own_match or not all(pairs.column.has[node] for pairs in affinity.pairs):
            return False
        return all(int(pairs.pods.sum()) + change <= 0 for pairs in affinity.pairs)

    def _existing_one(self, node: int, delta: NodeDelta) -> list[NodeRefusal]:
        """Pods of the delta bring their own anti-affinity with them, or take it away."""
        for index, pairs in zip(self._existing_of, self._existing, strict=True):
            if pairs.is_occupied(node, delta.pods.get(index, 0)):
                return [NodeRefusal(Reason.EXISTING_ANTI_AFFINITY, False)]
        return []


class InterPodAffinity:
    """Required terms refuse, preferred ones and the affinity of existing pods give points."""

    name = PluginName.INTER_POD_AFFINITY
    looks_at_pods = True
    is_node_local = False

    def __init__(self, context: SchedulerContext) -> None:
        self.context = context
        self._terms: dict[int, PodTerms] = {}
        self._with_terms: tuple[int, list[int]] = (0, [])
        self._repelling: dict[int, tuple[int, list[tuple[int, PodTerm]]]] = {}
        self._points: dict[int, tuple[int, list[tuple[Matcher, str, int]]]] = {}

    def may_refuse(self, spec: PodSpec) -> bool:
        """With required terms, or where another template has some that mean this one."""
        return bool(self.terms(spec).affinity or self.terms(spec).anti_affinity or self._repelled_by(spec))

    def may_score(self, spec: PodSpec) -> bool:
        """Where terms of this or another template give points."""
        return bool(self._pointing(spec))

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def prepare(self, spec: PodSpec) -> PreparedAffinity | None:
        """None if the pod has no required terms and no existing pod repels it."""
        terms, repelling = self.terms(spec), self._repelled_by(spec)
        if not (terms.affinity or terms.anti_affinity or repelling):
            return None
        existing = [self._pairs(TemplateMatcher(index), term.key) for index, term in repelling]
        if not (terms.affinity or terms.anti_affinity or any(pairs.pods.any() for pairs in existing)):
            return None
        labels = self.context.cluster.namespace_labels
        affinity = None
        if terms.affinity:
            matcher = AllTermsMatcher(terms.affinity, labels)
            near = tuple(self._pairs(matcher, term.key) for term in terms.affinity)
            affinity = _Affinity(near, matcher, matcher.matches(spec))
        anti = tuple((term, self._pairs(AllTermsMatcher((term,), labels), term.key)) for term in terms.anti_affinity)
        indices = tuple(index for index, _ in repelling)
        return PreparedAffinity(self, spec, affinity, anti, tuple(existing), indices)

    def repelling(self, spec: PodSpec) -> list[tuple[Matcher, str]]:
        """Pods that a template shares no domain with, by its anti-affinity or theirs, and the topology key."""
        labels = self.context.cluster.namespace_labels
        own = [(AllTermsMatcher((term,), labels), term.key) for term in self.terms(spec).anti_affinity]
        return [*own, *((TemplateMatcher(index), term.key) for index, term in self._repelled_by(spec))]

    def terms(self, spec: PodSpec) -> PodTerms:
        """The compiled terms of a template."""
        known = self._terms.get(spec.index)
        if known is None:
            known = self._terms[spec.index] = compile_terms(spec)
        return known

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """Share between the fewest and the most points; None if no pod gives any."""
        profile = self.context.profile
        if profile.ignore_preferred_of_existing and not self.terms(spec).preferred:
            return None
        by_key = self._points_by_key(spec)
        if not by_key:
            return None
        raw = np.zeros(len(rows), dtype=np.int64)
        for key, points in by_key.items():
            column = self.context.topologies.column(key)
            here = points.take(column.values.take(rows))
            raw += here if column.complete else here * column.has[rows]
        least = int(raw.min())
        spread = int(raw.max()) - least
        if spread == 0:
            return np.zeros(len(rows), dtype=np.int64)
        shares: NDArray[np.float64] = (raw - least).astype(np.float64) / np.float64(spread)
        return (np.float64(MAX_SCORE) * shares).astype(np.int64)

    def _points_by_key(self, spec: PodSpec) -> dict[str, Counts]:
        """Sum of the points per value of each key that any matching pod touches."""
        out: dict[str, Counts] = {}
        for matcher, key, weight in self._pointing(spec):
            counts = self.context.counts.by_label(matcher, key)
            if not counts.any():
                continue
            points = counts * weight
            known = out.get(key)
            out[key] = points if known is None else _sum(known, points)
        return out

    def _pairs(self, matcher: Matcher, key: str) -> _Pairs:
        return _Pairs(self.context.topologies.column(key), self.context.counts.by_label(matcher, key))

    def _templates_with_terms(self) -> list[int]:
        specs = self.context.cluster.pod_specs
        count, known = self._with_terms
        if count != len(specs):
            known = known + [spec.index for spec in specs[count:] if self.terms(spec)]
            self._with_terms = (len(specs), known)
        return known

    def _repelled_by(self, spec: PodSpec) -> list[tuple[int, PodTerm]]:
        """Templates with a required anti-affinity term that means this one."""
        specs, labels = self.context.cluster.pod_specs, self.context.cluster.namespace_labels
        known = self._repelling.get(spec.index)
        if known is None or known[0] != len(specs):
            found = [
                (index, term)
                for index in self._templates_with_terms()
                for term in self.terms(specs[index]).anti_affinity
                if term.matches(spec, labels)
            ]
            known = self._repelling[spec.index] = (len(specs), found)
        return known[1]

    def _pointing(self, spec: PodSpec) -> list[tuple[Matcher, str, int]]:
        """Who gives points: (pods, topology key, points each)."""
        specs, labels = self.context.cluster.pod_specs, self.context.cluster.namespace_labels
        known = self._points.get(spec.index)
        if known is not None and known[0] == len(specs):
            return known[1]
        hard = self.context.profile.hard_pod_affinity_weight
        found: list[tuple[Matcher, str, int]] = [
            (AllTermsMatcher((own.term,), labels), own.term.key, own.weight) for own in self.terms(spec).preferred
        ]
        for index in self._templates_with_terms():
            theirs = self.terms(specs[index])
            if hard > 0:
                found += [(TemplateMatcher(index), t.key, hard) for t in theirs.affinity if t.matches(spec, labels)]
            found += [
                (TemplateMatcher(index), wanted.term.key, wanted.weight)
                for wanted in theirs.preferred
                if wanted.term.matches(spec, labels)
            ]
        self._points[spec.index] = (len(specs), found)
        return found


def _sum(one: Counts, other: Counts) -> Counts:
    """Sums of arrays that may have been made at different sizes; what is missing is 0."""
    if len(one) < len(other):
        one, other = other, one
    total = one.copy()
    total[: len(other)] += other
    return total
