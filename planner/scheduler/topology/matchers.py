"""Which pods are counted: those whose template a selector matches."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from planner.matching.selectors import expressions_match, has_labels
from planner.plan.model.pods.placement import NodeSelectorRequirement
from planner.state.nodes import NONE
from planner.state.specs import PodSpec


class Matcher(Hashable, Protocol):
    """Chooses pods by their template."""

    @property
    def counts_terminating(self) -> bool:
        """Whether pods count until they are gone, and not only until their deletion is asked for."""

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""


@dataclass(frozen=True)
class PodMatcher:
    """Pods with matching labels in one namespace or, with `workload` set, among the pods of that workload."""

    counts_terminating: ClassVar[bool] = False
    namespace: str = ""
    labels: tuple[tuple[str, str], ...] = ()
    expressions: tuple[NodeSelectorRequirement, ...] = ()
    workload: int = NONE

    @property
    def is_empty(self) -> bool:
        """An empty selector matches every pod, yet spreading counts none for it."""
        return self.workload == NONE and not self.labels and not self.expressions

    def matches_labels(self, labels: Mapping[str, str]) -> bool:
        """Whether the labels satisfy the selector, whatever the namespace."""
        return has_labels(labels, self.labels) and expressions_match(self.expressions, labels)

    def matches(self, spec: PodSpec) -> bool:
        """Whether pods of a template are counted."""
        if self.workload != NONE:
            return spec.workload == self.workload and self.matches_labels(spec.labels)
        return spec.namespace == self.namespace and self.matches_labels(spec.labels)


def workload_of(matcher: Matcher) -> int:
    """The one workload whose pods a matcher chooses from; NONE for all others."""
    return matcher.workload if isinstance(matcher, PodMatcher) else NONE
