"""Pods counted by domain for one rule, and the domains that the rule leaves.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/topologygroup.go.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import Enum, auto

from planner.karpenter.requirements.requirement import NOTHING, LabelRequirement, intersection, one_of
from planner.karpenter.topology.node_filter import CountedNodes
from planner.matching.selectors import expression_is_legal, selector_matches
from planner.plan.model.pods.placement import LabelSelector
from planner.state.specs import HOSTNAME_LABEL, PodSpec

Choice = Callable[[Sequence[str]], str]
"""Takes one of several equally good domains, given in ascending order."""


class RuleKind(Enum):
    """What a rule does with domains."""

    SPREAD = auto()
    AFFINITY = auto()
    ANTI_AFFINITY = auto()


class PodRule:
    """A rule as pods share it."""

    def __init__(
        self,
        kind: RuleKind,
        key: str,
        namespaces: tuple[str, ...],
        selector: LabelSelector | None,
        max_skew: int = 0,
        min_domains: int = 1,
        nodes: CountedNodes | None = None,
    ) -> None:
        """`min_domains` is that of the first pod with the rule; `nodes`: where pods count, None: everywhere."""
        self.kind = kind
        self.key = key
        self.namespaces = namespaces
        self.selector = selector
        self.max_skew = max_skew
        self.min_domains = min_domains
        self.nodes = nodes
        self._selects: dict[int, bool] = {}

    def identity(self) -> Hashable:
        """Pods whose rules have equal identities share one count; the number of domains is no part of it."""
        nodes = None if self.nodes is None else self.nodes.identity()
        selector: Hashable = None
        if self.selector is not None:
            expressions = {
                (e.key, e.operator, tuple(sorted(frozenset(e.values)))) for e in self.selector.match_expressions
            }
            selector = tuple(sorted(self.selector.match_labels.items())), tuple(sorted(expressions))
        return self.kind, self.key, self.namespaces, self.max_skew, nodes, selector

    def selects(self, spec: PodSpec) -> bool:
        """Whether the rule counts pods of a template; without a selector it counts none."""
        known = self._selects.get(spec.index)
        if known is None:
            known = self._selects[spec.index] = (
                self.selector is not None
                and spec.namespace in self.namespaces
                and _is_legal(self.selector)
                and selector_matches(self.selector, spec.labels)
            )
        return known

    def lists(self, spec: PodSpec) -> bool:
        """Whether pods that run already are counted; without a selector all of the namespace are."""
        return spec.namespace in self.namespaces if self.selector is None else self.selects(spec)


def _is_legal(selector: LabelSelector) -> bool:
    return all(map(expression_is_legal, selector.match_expressions))


def _first(choices: Sequence[str]) -> str:
    return choices[0]


class RuleCounts:
    """The pods that a rule counts, by domain."""

    def __init__(self, rule: PodRule, domains: Iterable[str], choice: Choice) -> None:
        self.rule = rule
        self._counts: dict[str, int] = dict.fromkeys(domains, 0)
        self._empty: dict[str, None] = dict.fromkeys(self._counts)
        self._choice = choice

    def register(self, domain: str) -> None:
        """A domain exists."""
        if domain not in self._counts:
            self._counts[domain] = 0
            self._empty[domain] = None

    def record(self, domain: str, pods: int = 1) -> None:
        """Pods are in a domain, or may be."""
        self._counts[domain] = self._counts.get(domain, 0) + pods
        self._empty.pop(domain, None)

    def allowed(self, spec: PodSpec, pod_domains: LabelRequirement, node_domains: LabelRequirement) -> LabelRequirement:
        """Domains where a pod may go: those it may be in by itself, and those a node may still become part of."""
        if self.rule.kind is RuleKind.SPREAD:
            return self._spread(spec, pod_domains, node_domains)
        if self.rule.kind is RuleKind.AFFINITY:
            return self._affinity(spec, pod_domains, node_domains)
        return self._anti_affinity(pod_domains, node_domains)

    def leaves_nothing(self, spec: PodSpec, pod_domains: LabelRequirement, node_domains: LabelRequirement) -> bool:
        """Whether a pod may go nowhere. To tell it draws no lots."""
        drawn, self._choice = self._choice, _first
        found = self.allowed(spec, pod_domains, node_domains)
        self._choice = drawn
        return not found.values

    def _own_host(self, node_domains: LabelRequirement) -> str | None:
        """The host of a node; one that is about to be launched is not known by name before it has pods."""
        if self.rule.key != HOSTNAME_LABEL or len(node_domains.values) != 1:
            return None
        return node_domains.values[0]

    def _spread(self, spec: PodSpec, pod_domains: LabelRequirement, node_domains: LabelRequirement) -> LabelRequirement:
        """One domain with the fewest pods that keeps the skew; new hosts count as empty domains."""
        own, most = int(self.rule.selects(spec)), self.rule.max_skew
        host = self._own_host(node_domains)
        if host is not None:
            return one_of(host) if self._counts.get(host, 0) + own <= most else NOTHING
        fewest = self._fewest(pod_domains)
        known = {
            domain: count
            for domain, count in self._counts.items()
            if node_domains.has(domain) and count + own - fewest <= most
        }
        if not known:
            return NOTHING
        least = min(known.values())
        return one_of(self._choice(sorted(domain for domain, count in known.items() if count == least)))

    def _fewest(self, pod_domains: LabelRequirement) -> int:
        if self.rule.key == HOSTNAME_LABEL:
            return 0
        counts = [count for domain, count in self._counts.items() if pod_domains.has(domain)]
        return min(counts) if counts and len(counts) >= self.rule.min_domains else 0

    def _affinity(
        self, spec: PodSpec, pod_domains: LabelRequirement, node_domains: LabelRequirement
    ) -> LabelRequirement:
        """All domains with pods; where there are none, a pod that selects itself opens one."""
        host = self._own_host(node_domains)
        if host is not None:
            if not pod_domains.has(host):
                return NOTHING
            opens = self._counts.get(host, 0) > 0 or self._may_open(spec, pod_domains)
            return one_of(host) if opens else NOTHING
        taken = [
            domain
            for domain, count in self._counts.items()
            if count > 0 and pod_domains.has(domain) and node_domains.has(domain)
        ]
        if taken or not self._may_open(spec, pod_domains):
            return one_of(*taken)
        both = intersection(pod_domains, node_domains)
        chosen: dict[str, None] = {}
        for wanted in (both, pod_domains):
            possible = sorted(domain for domain in self._counts if wanted.has(domain))
            if possible:
                chosen[self._choice(possible)] = None
        return one_of(*chosen)

    def _may_open(self, spec: PodSpec, pod_domains: LabelRequirement) -> bool:
        if not self.rule.selects(spec):
            return False
        if len(self._counts) == len(self._empty):
            return True
        return not any(count > 0 and pod_domains.has(domain) for domain, count in self._counts.items())

    def _anti_affinity(self, pod_domains: LabelRequirement, node_domains: LabelRequirement) -> LabelRequirement:
        """All empty domains."""
        host = self._own_host(node_domains)
        if host is not None:
            return one_of(host) if self._counts.get(host, 0) == 0 else NOTHING
        if not node_domains.complement and len(node_domains.values) < len(self._empty):
            return one_of(*(d for d in node_domains.values if d in self._empty and pod_domains.has(d)))
        return one_of(*(d for d in self._empty if node_domains.has(d) and pod_domains.has(d)))
