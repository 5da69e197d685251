"""Node selector and node affinity (kube-scheduler 1.36, nodeaffinity)."""

import numpy as np

from planner.matching.selectors import node_matches, term_is_legal, term_matches
from planner.plan.model.pods.placement import PreferredNodeTerm
from planner.plan.model.scheduler import PluginName
from planner.scheduler.feasibility.resource_rules import Ints, normalised
from planner.scheduler.interface import Rows, SchedulerContext, StaticFilter
from planner.scheduler.reasons import Reason
from planner.state.specs import PodSpec


class MalformedPreference(ValueError):
    """A preferred term Kubernetes cannot read: the attempt to place the pod fails with an error."""


class NodeAffinity:
    """Required terms refuse, preferred ones give points."""

    name = PluginName.NODE_AFFINITY
    looks_at_pods = False
    is_node_local = True

    def __init__(self, context: SchedulerContext) -> None:
        self._context = context
        self._raw: dict[int, Ints] = {}

    def may_refuse(self, spec: PodSpec) -> bool:
        """With a selector, required terms or terms of the scheduler."""
        rules = spec.placement
        return bool(self._context.profile.added_required_terms or rules.node_selector or rules.required_terms)

    def may_score(self, spec: PodSpec) -> bool:
        """With preferred terms."""
        return bool(self._context.profile.added_preferred_terms or spec.placement.preferred_terms)

    def uniform(self, spec: PodSpec) -> int | None:
        """Nodes differ."""
        return None

    def prepare(self, spec: PodSpec) -> StaticFilter | None:
        """Nodes outside the scheduler's own affinity, then nodes outside the pod's."""
        added = self._context.profile.added_required_terms
        if not added and not spec.placement.node_selector and not spec.placement.required_terms:
            return None
        refused = ~self._context.static.affinity_mask(spec)
        if not added:
            return StaticFilter((refused, Reason.NODE_AFFINITY))
        cluster = self._context.cluster
        outside = np.array(
            [
                not node_matches({}, added, cluster.node_labels(i), cluster.node_name(i))
                for i in range(cluster.nodes.count)
            ],
            dtype=np.bool_,
        )
        return StaticFilter((outside, Reason.ADDED_AFFINITY), (refused & ~outside, Reason.NODE_AFFINITY))

    def score(self, spec: PodSpec, rows: Rows) -> Ints | None:
        """Share of the best sum of weights of matching preferred terms."""
        terms = (*self._context.profile.added_preferred_terms, *spec.placement.preferred_terms)
        if not terms:
            return None
        for term in terms:
            if not term_is_legal(term.preference) and term.weight:
                raise MalformedPreference(f"{term.preference}")
        return normalised(self._raw_scores(spec, terms)[rows])

    def _raw_scores(self, spec: PodSpec, terms: tuple[PreferredNodeTerm, ...]) -> Ints:
        """Labels of a node never change, so each node is looked at once per template."""
        cluster = self._context.cluster
        known = self._raw.get(spec.index, np.zeros(0, dtype=np.int64))
        if len(known) < cluster.nodes.count:
            new = [
                sum(t.weight for t in terms if term_matches(t.preference, labels, cluster.node_name(i)))
                for i in range(len(known), cluster.nodes.count)
                for labels in (cluster.node_labels(i),)
            ]
            known = self._raw[spec.index] = np.concatenate([known, np.array(new, dtype=np.int64)])
        return known
