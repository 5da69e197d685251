"""Which pods an update is worth, and which of them come first.

Vertical Pod Autoscaler 1.8, updater/priority/. Times are microseconds.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from planner.vpa.admission.capping import ContainerResources, Recommendation

_US_PER_MIN = 60_000_000
_US_PER_H = 60 * _US_PER_MIN
_MILLI = {"cpu": 1, "memory": 1000}
"""Milli-units in an amount: the differences are counted in them."""


class Direction(Enum):
    """How a recommendation must differ from the request."""

    HIGHER = "TargetHigherThanRequests"
    LOWER = "TargetLowerThanRequests"


class Requirement(NamedTuple):
    """One of these resources must change in this direction, or the pod is not updated."""

    resources: tuple[str, ...]
    direction: Direction


@dataclass(frozen=True)
class PriorityRules:
    """Flags of the updater that say when an update is worth it."""

    threshold: float = 0.1
    """Least difference of pods within bounds."""
    lifetime_us: int = 12 * _US_PER_H
    """Pods within bounds are left alone for so long."""
    quick_oom_us: int = 10 * _US_PER_MIN
    """A container that is killed for want of memory sooner is a reason to update."""


class UpdatePriority(NamedTuple):
    """How urgent an update is."""

    outside: bool
    """Some request is missing or out of bounds."""
    up: bool
    """Some request is missing or below the target."""
    difference: float
    """Sum over the resources of the change as a share of the requests."""


class PodFacts(NamedTuple):
    """What counts of a pod."""

    containers: tuple[ContainerResources, ...]
    """With what they have now."""
    observed: frozenset[str] | None = None
    """Names of the containers that admission saw; None: all count."""
    started_us: int | None = None
    oom_after_us: tuple[tuple[str, int], ...] = ()
    """Containers that were killed last time for want of memory, and how long after their start."""


def priority_of(pod: PodFacts, recommendation: Recommendation) -> UpdatePriority:
    """How much the recommendation, fitted to the pod, differs from its requests."""
    outside = up = False
    requested: dict[str, int] = {}
    recommended: dict[str, int] = {}
    for one in pod.containers:
        known = recommendation.get(one.name)
        if known is None or (pod.observed is not None and one.name not in pod.observed):
            continue
        for resource, target in known.target.items():
            recommended[resource] = recommended.get(resource, 0) + target * _MILLI[resource]
            request = one.requests.get(resource)
            if request is None:
                outside = up = True
                continue
            requested[resource] = requested.get(resource, 0) + request * _MILLI[resource]
            up |= target > request
            outside |= request < known.lower.get(resource, request) or request > known.upper.get(resource, request)
    difference = 0.0
    for resource, total in recommended.items():
        base = max(float(requested.get(resource, 0)), 1.0)
        difference += abs(base - total) / base
    return UpdatePriority(outside, up, difference)


def is_worth_it(
    pod: PodFacts, priority: UpdatePriority, off: Collection[str], rules: PriorityRules, now_us: int
) -> bool:
    """Whether the pod may be updated at all; `off`: containers whose policy is off."""
    quick_oom = any(
        after_us < rules.quick_oom_us and name not in off and (pod.observed is None or name in pod.observed)
        for name, after_us in pod.oom_after_us
    )
    if quick_oom and priority.difference == 0:
        return False
    if priority.outside or quick_oom:
        return True
    is_old = pod.started_us is not None and now_us >= pod.started_us + rules.lifetime_us
    return is_old and priority.difference >= rules.threshold


def is_admitted(pod: PodFacts, recommendation: Recommendation, requirements: Sequence[Requirement] | None) -> bool:
    """Whether some container changes in all demanded directions; one without requests always does.

    A container must have a recommendation for that, even where nothing is demanded, unless the VPA has no update policy
    (None).
    """
    if requirements is None:
        return True
    for one in pod.containers:
        known = recommendation.get(one.name)
        if known is None:
            continue
        if not {"cpu", "memory"} <= one.requests.keys():
            return True
        if all(_changes(one.requests, known.target, requirement) for requirement in requirements):
            return True
    return False


def _changes(requests: Mapping[str, int], target: Mapping[str, int], requirement: Requirement) -> bool:
    sign = 1 if requirement.direction is Direction.HIGHER else -1
    return any(sign * (target.get(name, 0) - requests.get(name, 0)) > 0 for name in requirement.resources)


def in_order(priorities: Sequence[UpdatePriority]) -> list[int]:
    """Positions of pods, most urgent first: those that grow, then the larger difference; else as they are listed."""
    return sorted(range(len(priorities)), key=lambda at: (not priorities[at].up, -priorities[at].difference))
