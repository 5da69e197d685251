"""What a pod needs of the labels of its node.

Source: Karpenter 1.13, pkg/scheduling/requirements.go (NewPodRequirements, NewStrictPodRequirements).
"""

from planner.karpenter.pods.relaxation import heaviest_first
from planner.karpenter.requirements.requirement import LabelRequirement
from planner.karpenter.requirements.requirements import narrowed, of_expressions, of_labels
from planner.state.specs import PodPlacement


def strict_needs(pod: PodPlacement) -> dict[str, LabelRequirement]:
    """The node selector and the first required term."""
    return narrowed(of_labels(pod.node_selector), _first_term(pod))


def all_needs(pod: PodPlacement) -> dict[str, LabelRequirement]:
    """With the heaviest preference, as if it were required."""
    needs = of_labels(pod.node_selector)
    preferred = heaviest_first(pod.preferred_terms)
    if preferred:
        needs = narrowed(needs, of_expressions(preferred[0].preference.match_expressions))
    return narrowed(needs, _first_term(pod))


def _first_term(pod: PodPlacement) -> dict[str, LabelRequirement]:
    return of_expressions(pod.required_terms[0].match_expressions) if pod.required_terms else {}
