"""Inter-pod affinity terms of a template, compiled once, and the matchers that count pods for them.

A term selects pods by namespace and labels; the node label `key` defines the domains.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from planner.matching.selectors import SelectorOperator
from planner.plan.model.pods.placement import LabelSelector, NodeSelectorRequirement, PodAffinityTerm
from planner.scheduler.topology.matchers import PodMatcher
from planner.state.specs import PodSpec

NamespaceLabels = Mapping[str, Mapping[str, str]]
NO_LABELS: Mapping[str, str] = {}


@dataclass(frozen=True)
class PodTerm:
    """One term as the rules use it."""

    key: str
    namespaces: tuple[str, ...]
    namespace_selector: PodMatcher | None
    """Namespaces by label, besides those named; an empty one chooses all."""
    selector: PodMatcher | None
    """Pods by label, whatever their namespace; None chooses none."""

    def chooses_namespace(self, name: str, labels: NamespaceLabels) -> bool:
        """Whether pods of a namespace are meant."""
        if name in self.namespaces:
            return True
        return self.namespace_selector is not None and self.namespace_selector.matches_labels(
            labels.get(name, NO_LABELS)
        )

    def matches(self, spec: PodSpec, labels: NamespaceLabels) -> bool:
        """Whether pods of a template are meant; `labels`: those of the namespaces."""
        return (
            self.selector is not None
            and self.chooses_namespace(spec.namespace, labels)
            and self.selector.matches_labels(spec.labels)
        )


@dataclass(frozen=True)
class WeightedTerm:
    """A term with the points that each matching pod gives; negative for anti-affinity."""

    term: PodTerm
    weight: int


@dataclass(frozen=True)
class PodTerms:
    """All terms of one template."""

    affinity: tuple[PodTerm, ...]
    anti_affinity: tuple[PodTerm, ...]
    preferred: tuple[WeightedTerm, ...]

    def __bool__(self) -> bool:
        return bool(self.affinity or self.anti_affinity or self.preferred)


NO_TERMS = PodTerms((), (), ())


def compile_terms(spec: PodSpec) -> PodTerms:
    """The terms of a template; match label keys are merged into the selectors as the API server does."""
    rules = spec.placement
    if not (
        rules.required_affinity
        or rules.required_anti_affinity
        or rules.preferred_affinity
        or rules.preferred_anti_affinity
    ):
        return NO_TERMS
    near = [WeightedTerm(_compile(t.pod_affinity_term, spec), t.weight) for t in rules.preferred_affinity]
    far = [WeightedTerm(_compile(t.pod_affinity_term, spec), -t.weight) for t in rules.preferred_anti_affinity]
    return PodTerms(
        affinity=tuple(_compile(term, spec) for term in rules.required_affinity),
        anti_affinity=tuple(_compile(term, spec) for term in rules.required_anti_affinity),
        preferred=(*near, *far),
    )


def _compile(term: PodAffinityTerm, spec: PodSpec) -> PodTerm:
    selector = None
    if term.label_selector is not None:
        merged = (
            *_merged(term.match_label_keys, SelectorOperator.IN, spec),
            *_merged(term.mismatch_label_keys, SelectorOperator.NOT_IN, spec),
        )
        selector = _matcher(term.label_selector, merged)
    chosen = term.namespaces
    if not chosen and term.namespace_selector is None:
        chosen = (spec.namespace,)
    everywhere = None if term.namespace_selector is None else _matcher(term.namespace_selector)
    return PodTerm(term.topology_key, tuple(chosen), everywhere, selector)


def _merged(keys: Sequence[str], operator: SelectorOperator, spec: PodSpec) -> tuple[NodeSelectorRequirement, ...]:
    """Expressions on the pod's own values; keys it lacks are left out."""
    return tuple(
        NodeSelectorRequirement(key=key, operator=operator, values=(spec.labels[key],))
        for key in keys
        if key in spec.labels
    )


def _matcher(selector: LabelSelector, extra: tuple[NodeSelectorRequirement, ...] = ()) -> PodMatcher:
    return PodMatcher("", tuple(sorted(selector.match_labels.items())), (*selector.match_expressions, *extra))


@dataclass(frozen=True)
class AllTermsMatcher:
    """Pods that every one of the terms means; terminating ones count."""

    counts_terminating: ClassVar[bool] = True
    terms: tuple[PodTerm, ...]
    labels: NamespaceLabels = field(compare=False)

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""
        return all(term.matches(spec, self.labels) for term in self.terms)


@dataclass(frozen=True)
class TemplateMatcher:
    """Pods of one template; terminating ones count."""

    counts_terminating: ClassVar[bool] = True
    index: int

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""
        return spec.index == self.index
