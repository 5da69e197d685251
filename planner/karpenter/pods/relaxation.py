"""Preferences count as rules until a pod does not fit; then they are given up one by one.

Source: Karpenter 1.13, pkg/controllers/provisioning/scheduling/preferences.go.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from planner.matching.taints import TaintEffect, TolerationOperator
from planner.plan.model.pods.placement import Toleration, UnsatisfiableAction
from planner.state.specs import PodPlacement

ANY_SOFT_TAINT = Toleration(operator=TolerationOperator.EXISTS, effect=TaintEffect.PREFER_NO_SCHEDULE)


class _Weighted(Protocol):
    @property
    def weight(self) -> int: ...


_W = TypeVar("_W", bound=_Weighted)


def relaxed(pod: PodPlacement, tolerates_soft_taints: bool) -> PodPlacement | None:
    """The pod with one rule less; None when nothing is left to give up.

    `tolerates_soft_taints`: some pool has a taint PreferNoSchedule, so that tolerating those is the last step.
    """
    for step in _STEPS:
        found = step(pod)
        if found is not None:
            return found
    return tolerating_soft_taints(pod) if tolerates_soft_taints else None


def heaviest_first(terms: Sequence[_W]) -> tuple[_W, ...]:
    """Preferences from the heaviest to the lightest; equal ones keep their order."""
    return tuple(sorted(terms, key=lambda term: -term.weight))


def without_first_term(pod: PodPlacement) -> PodPlacement | None:
    """Required terms are alternatives: all but the last can go."""
    return replace(pod, required_terms=pod.required_terms[1:]) if len(pod.required_terms) > 1 else None


def tolerating_soft_taints(pod: PodPlacement) -> PodPlacement | None:
    """The pod with a toleration of every PreferNoSchedule taint; None if it has that one already."""
    if any((each.key, each.operator, each.value, each.effect) == _ANY_SOFT for each in pod.tolerations):
        return None
    return replace(pod, tolerations=(*pod.tolerations, ANY_SOFT_TAINT))


def _without_affinity(pod: PodPlacement) -> PodPlacement | None:
    terms = heaviest_first(pod.preferred_affinity)
    return replace(pod, preferred_affinity=terms[1:]) if terms else None


def _without_anti_affinity(pod: PodPlacement) -> PodPlacement | None:
    terms = heaviest_first(pod.preferred_anti_affinity)
    return replace(pod, preferred_anti_affinity=terms[1:]) if terms else None


def _without_node_preference(pod: PodPlacement) -> PodPlacement | None:
    terms = heaviest_first(pod.preferred_terms)
    return replace(pod, preferred_terms=terms[1:]) if terms else None


def _without_soft_spread(pod: PodPlacement) -> PodPlacement | None:
    """The first soft constraint goes, and the last of all takes its place."""
    constraints = list(pod.spread_constraints)
    for place, each in enumerate(constraints):
        if each.when_unsatisfiable is UnsatisfiableAction.SCHEDULE_ANYWAY:
            constraints[place] = constraints[-1]
            return replace(pod, spread_constraints=tuple(constraints[:-1]))
    return None


_ANY_SOFT = (ANY_SOFT_TAINT.key, ANY_SOFT_TAINT.operator, ANY_SOFT_TAINT.value, ANY_SOFT_TAINT.effect)
_STEPS: tuple[Callable[[PodPlacement], PodPlacement | None], ...] = (
    without_first_term,
    _without_affinity,
    _without_anti_affinity,
    _without_node_preference,
    _without_soft_spread,
)
