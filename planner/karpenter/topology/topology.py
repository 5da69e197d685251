"""All rules between pods of a scheduling round.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/topology.go.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from planner.karpenter.failures import Failure
from planner.karpenter.pods.shapes import PodStage
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import Requirements, narrowed, of_labels, on_key
from planner.karpenter.topology.domains import PossibleDomains
from planner.karpenter.topology.groups import Choice, PodRule, RuleCounts, RuleKind
from planner.karpenter.topology.node_filter import CountedNodes
from planner.matching.selectors import SelectorOperator, selector_matches
from planner.matching.taints import NodeTaint
from planner.plan.model.pods.placement import (
    LabelSelector,
    NodeSelectorRequirement,
    PodAffinityTerm,
    TopologySpreadConstraint,
    UnsatisfiableAction,
)
from planner.state.specs import HOSTNAME_LABEL, PodPlacement, PodSpec


@dataclass(frozen=True, slots=True, eq=False)
class BoundPods:
    """A registered node with the pods on it that do not take part in the round."""

    name: str
    labels: Mapping[str, str]
    taints: tuple[NodeTaint, ...]
    pods: tuple[tuple[PodSpec, int], ...] = ()
    """Templates of pods that neither have ended nor are ending, and how many of each run there."""
    is_open: bool = True
    """The node takes part in the round; others only have their pods counted."""


REFUSALS = {
    RuleKind.SPREAD: Failure.SPREAD,
    RuleKind.AFFINITY: Failure.AFFINITY,
    RuleKind.ANTI_AFFINITY: Failure.ANTI_AFFINITY,
}


@dataclass(frozen=True, eq=False)
class _Rules:
    """The rules of pods at one stage."""

    own: tuple[RuleCounts, ...]
    repelling: tuple[RuleCounts, ...]
    """Counts of the pods that repel others, as which its own anti-affinity counts."""


class RoundTopology:
    """Counts of a round; they grow as pods find room."""

    def __init__(
        self,
        domains: PossibleDomains,
        bound: Callable[[], Sequence[BoundPods]],
        repelling: Iterable[BoundPods],
        namespaces: Mapping[str, Mapping[str, str]],
        ignores_preferences: bool,
        choice: Choice,
    ) -> None:
        """`bound`: nodes with their pods, which are read if pods of the round have rules; `repelling`: at least those
        with pods that keep others away; `namespaces`: labels by name.
        """
        self._domains = domains
        self._read_bound = bound
        self._namespaces = namespaces
        self._ignores = ignores_preferences
        self._choice = choice
        self._groups: dict[Hashable, RuleCounts] = {}
        self._repelling: dict[Hashable, RuleCounts] = {}
        self._rules: dict[int, _Rules] = {}
        for node in repelling:
            for spec, count in node.pods:
                for term in spec.placement.required_anti_affinity:
                    counts = self._repelled(spec, spec.placement, term)
                    if term.topology_key in node.labels:
                        counts.record(node.labels[term.topology_key], count)

    @cached_property
    def _bound(self) -> Sequence[BoundPods]:
        return self._read_bound()

    @cached_property
    def _node_needs(self) -> list[dict[str, LabelRequirement]]:
        return [of_labels(node.labels) for node in self._bound]

    # -- rules --------------------------------------------------------------------------------

    def rules_of(self, stage: PodStage) -> _Rules:
        """The rules of pods at a stage; their counts begin with the pods that run when the first pod has them."""
        known = self._rules.get(stage.number)
        if known is None:
            pod, spec = stage.pod, stage.spec
            repelling = tuple(self._repelled(spec, pod, term) for term in pod.required_anti_affinity)
            own = tuple(map(self._shared, self._rules_for(spec, pod), _repeat(pod)))
            known = self._rules[stage.number] = _Rules(tuple(dict.fromkeys(own)), repelling)
        return known

    def _shared(self, rule: PodRule, pod: PodPlacement) -> RuleCounts:
        identity = rule.identity()
        counts = self._groups.get(identity)
        if counts is None:
            counts = self._groups[identity] = self._opened(rule, pod)
            self._count_bound(counts)
        return counts

    def _opened(self, rule: PodRule, pod: PodPlacement) -> RuleCounts:
        honors = rule.nodes is None or rule.nodes.honors_taints
        return RuleCounts(rule, self._domains.of(rule.key, pod.tolerations if honors else None), self._choice)

    def _count_bound(self, counts: RuleCounts) -> None:
        rule = counts.rule
        for node, needs in zip(self._bound, self._node_needs, strict=True):
            if rule.nodes is not None and not rule.nodes.match(node.taints, needs):
                continue
            domain = node.labels.get(rule.key)
            if domain is not None and node.is_open:
                counts.register(domain)
            domain = node.name if domain is None and rule.key == HOSTNAME_LABEL else domain
            pods = sum(count for spec, count in node.pods if rule.lists(spec))
            if domain is not None and pods:
                counts.record(domain, pods)

    def _repelled(self, spec: PodSpec, pod: PodPlacement, term: PodAffinityTerm) -> RuleCounts:
        rule = self._term_rule(RuleKind.ANTI_AFFINITY, spec, term)
        identity = rule.identity()
        counts = self._repelling.get(identity)
        if counts is None:
            counts = self._repelling[identity] = self._opened(rule, pod)
        return counts

    def _rules_for(self, spec: PodSpec, pod: PodPlacement) -> Iterator[PodRule]:
        for constraint in pod.spread_constraints:
            is_soft = constraint.when_unsatisfiable is UnsatisfiableAction.SCHEDULE_ANYWAY
            if not (self._ignores and is_soft):
                yield _spread_rule(spec, pod, constraint)
        attracted = [*pod.required_affinity]
        repelled = [*pod.required_anti_affinity]
        if not self._ignores:
            attracted += [each.pod_affinity_term for each in pod.preferred_affinity]
            repelled += [each.pod_affinity_term for each in pod.preferred_anti_affinity]
        for term in attracted:
            yield self._term_rule(RuleKind.AFFINITY, spec, term)
        for term in repelled:
            yield self._term_rule(RuleKind.ANTI_AFFINITY, spec, term)

    def _term_rule(self, kind: RuleKind, spec: PodSpec, term: PodAffinityTerm) -> PodRule:
        return PodRule(kind, term.topology_key, self._namespaces_of(spec, term), term.label_selector)

    def _namespaces_of(self, spec: PodSpec, term: PodAffinityTerm) -> tuple[str, ...]:
        if term.namespace_selector is None:
            return tuple(sorted(frozenset(term.namespaces))) or (spec.namespace,)
        known = self._namespaces.items()
        selected = [name for name, labels in known if selector_matches(term.namespace_selector, labels)]
        return tuple(sorted(frozenset((*term.namespaces, *selected))))

    # -- a pod on a node ----------------------------------------------------------------------

    def concerns(self, stage: PodStage) -> bool:
        """Whether any rule narrows where pods of a stage may go."""
        return bool(self.rules_of(stage).own) or any(c.rule.selects(stage.spec) for c in self._repelling.values())

    def narrowing(
        self, stage: PodStage, node: Requirements, *, by_chance: bool = False
    ) -> dict[str, LabelRequirement] | Failure:
        """The node's requirements with what the rules leave; the kind of rule that leaves nothing.

        `by_chance`: which of several own rules that leave nothing is named. The real program walks a hash map.
        """
        found = dict(node)
        for counts in self._matching(stage):
            key = counts.rule.key
            allowed = counts.allowed(stage.spec, on_key(stage.strict, key), on_key(node, key))
            if not allowed.values:
                return self._one_of_refusals(counts, stage, node) if by_chance else REFUSALS[counts.rule.kind]
            found = narrowed(found, {key: allowed})
        return found

    def _one_of_refusals(self, refusing: RuleCounts, stage: PodStage, node: Requirements) -> Failure:
        """`refusing`: the first rule that leaves nothing."""
        own = self.rules_of(stage).own
        named = [REFUSALS[refusing.rule.kind]]
        for counts in own[own.index(refusing) + 1 :] if refusing in own else ():
            key = counts.rule.key
            if counts.leaves_nothing(stage.spec, on_key(stage.strict, key), on_key(node, key)):
                named.append(REFUSALS[counts.rule.kind])
        return Failure(self._choice(named)) if len(dict.fromkeys(named)) > 1 else named[0]

    def _matching(self, stage: PodStage) -> Iterable[RuleCounts]:
        yield from self.rules_of(stage).own
        for counts in self._repelling.values():
            if counts.rule.selects(stage.spec):
                yield counts

    def register_hosts(self, names: Iterable[str]) -> None:
        """Hosts exist for the rules that are known so far."""
        of_hosts = [
            each for each in (*self._groups.values(), *self._repelling.values()) if each.rule.key == HOSTNAME_LABEL
        ]
        for name in names if of_hosts else ():
            for counts in of_hosts:
                counts.register(name)

    def record(self, stage: PodStage, taints: Sequence[NodeTaint], node: Requirements) -> None:
        """A pod has found room on a node: it counts where the domain is certain, and repels wherever it may be."""
        for counts in self._groups.values():
            rule = counts.rule
            if not rule.selects(stage.spec) or (rule.nodes is not None and not rule.nodes.match(taints, node)):
                continue
            domains = on_key(node, rule.key)
            if rule.kind is RuleKind.ANTI_AFFINITY:
                for domain in domains.values:
                    counts.record(domain)
            elif (only := domains.only_value()) is not None:
                counts.record(only)
        for counts in self.rules_of(stage).repelling:
            for domain in on_key(node, counts.rule.key).values:
                counts.record(domain)


def _repeat(pod: PodPlacement) -> Iterator[PodPlacement]:
    while True:
        yield pod


def _spread_rule(spec: PodSpec, pod: PodPlacement, constraint: TopologySpreadConstraint) -> PodRule:
    selector = constraint.label_selector
    own = [key for key in constraint.match_label_keys if key in spec.labels]
    if own and selector is not None:
        mine = tuple(
            NodeSelectorRequirement(key=key, operator=SelectorOperator.IN, values=(spec.labels[key],)) for key in own
        )
        expressions = (*selector.match_expressions, *mine)
        selector = LabelSelector(match_labels=selector.match_labels, match_expressions=expressions)
    return PodRule(
        RuleKind.SPREAD,
        constraint.topology_key,
        (spec.namespace,),
        selector,
        constraint.max_skew,
        constraint.min_domains,
        CountedNodes.of(pod, constraint),
    )
