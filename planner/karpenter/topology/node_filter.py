"""Which nodes count for a spread constraint.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/topologynodefilter.go.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from planner.karpenter.requirements.requirements import Requirements, compatible, narrowed, of_expressions, of_labels
from planner.matching.taints import NodeTaint, TolerationLike, tolerated
from planner.plan.model.pods.placement import NodeInclusionPolicy, TopologySpreadConstraint
from planner.state.specs import PodPlacement


@dataclass(frozen=True, eq=False)
class CountedNodes:
    """The nodes on which pods count."""

    terms: tuple[Requirements, ...]
    """Alternatives, one of which a node has to offer."""
    honors_affinity: bool
    honors_taints: bool
    tolerations: tuple[TolerationLike, ...]

    @classmethod
    def of(cls, pod: PodPlacement, constraint: TopologySpreadConstraint) -> "CountedNodes":
        """Those that the pod of a constraint may be on, as far as the constraint's policies say."""
        selector = of_labels(pod.node_selector)
        terms = tuple(narrowed(selector, of_expressions(term.match_expressions)) for term in pod.required_terms)
        return cls(
            terms or (selector,),
            constraint.node_affinity_policy is NodeInclusionPolicy.HONOR,
            constraint.node_taints_policy is NodeInclusionPolicy.HONOR,
            pod.tolerations,
        )

    def match(self, taints: Sequence[NodeTaint], requirements: Requirements) -> bool:
        """Whether pods on a node with these taints and labels count."""
        if self.honors_affinity and not any(compatible(requirements, term) for term in self.terms):
            return False
        return not self.honors_taints or tolerates_all(self.tolerations, taints)

    def identity(self) -> Hashable:
        """Constraints with equal identities share their counts.

        The real program hashes only the labels that terms name, not their values, and equal terms cancel in pairs.
        """
        terms = Counter(tuple(sorted(term)) for term in self.terms)
        odd_terms = tuple(sorted(keys for keys, count in terms.items() if count % 2))
        tolerations = Counter(
            (each.key, each.operator, each.value, each.effect or "", getattr(each, "toleration_us", None) or -1)
            for each in self.tolerations
        )
        odd_tolerations = tuple(sorted(each for each, count in tolerations.items() if count % 2))
        return self.honors_affinity, self.honors_taints, odd_terms, odd_tolerations


def tolerates_all(tolerations: Sequence[TolerationLike], taints: Sequence[NodeTaint]) -> bool:
    """Whether every taint is tolerated; PreferNoSchedule counts like the others."""
    return all(tolerated(tolerations, taint) for taint in taints)
