"""What the updater does with a pod that it would resize in place.

Vertical Pod Autoscaler 1.8, updater/restriction/pods_inplace_restriction.go. Times are microseconds.
"""

from collections.abc import Sequence
from enum import Enum, auto

from planner.vpa.admission.capping import ContainerResources, Recommendation
from planner.vpa.updater.groups import Group

_US_PER_MIN = 60_000_000
_DEFERRED_US = 5 * _US_PER_MIN
_IN_PROGRESS_US = 60 * _US_PER_MIN


class ResizeState(Enum):
    """Where the resize of a pod is, by its conditions PodResizePending and PodResizeInProgress."""

    NONE = auto()
    DEFERRED = auto()
    INFEASIBLE = auto()
    IN_PROGRESS = auto()
    ERROR = auto()
    UNKNOWN = auto()


class InPlace(Enum):
    """What to do with a pod."""

    RESIZE = auto()
    RETRY = auto()
    """Resize although the last one failed, and remember what was tried."""
    WAIT = auto()
    SKIP = auto()
    """Nothing is lower than in the recommendation that a node could not satisfy."""
    EVICT = auto()


def may_evict_resizing(state: ResizeState, seen_us: int, now_us: int, group: Group) -> bool:
    """Whether a resize that was first seen at `seen_us` has failed or takes too long, so that the pod is evicted."""
    if not group.is_disruptable():
        return False
    if state is ResizeState.DEFERRED:
        return now_us - seen_us > _DEFERRED_US
    if state is ResizeState.IN_PROGRESS:
        return now_us - seen_us > _IN_PROGRESS_US
    return True


def while_resizing(state: ResizeState, never_evicts: bool, may_evict: bool) -> InPlace:
    """What to do with a pod whose resize is under way; `never_evicts`: the mode is InPlace."""
    if not never_evicts:
        return InPlace.EVICT if may_evict else InPlace.WAIT
    return InPlace.RETRY if state in (ResizeState.INFEASIBLE, ResizeState.ERROR) else InPlace.WAIT


def is_lower(recommendation: Recommendation, tried: Recommendation) -> bool:
    """Whether some target is below what was tried."""
    return any(
        name in tried and resource in tried[name].target and amount < tried[name].target[resource]
        for name, one in recommendation.items()
        for resource, amount in one.target.items()
    )


def is_patch(containers: Sequence[ContainerResources], settings: Sequence[ContainerResources]) -> bool:
    """Whether there is anything to ask the API for; a resize without anything fails unasked.

    For a container without resources upstream asks for empty ones (updater/inplace/resource_updates.go).
    """
    has_bare = any(not (one.requests or one.limits) for one in containers)
    return has_bare or any(one.requests or one.limits for one in settings)
