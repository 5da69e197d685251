"""From the recommendation of the metrics to the size to write, without `behavior`.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, normalizeDesiredReplicas.
"""

from typing import NamedTuple

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec

_FREE = ConditionReason.DESIRED_WITHIN_RANGE  # looking up a member of an enum costs a call in Python 3.11
_READY, _STABILIZED = ConditionReason.READY_FOR_NEW_SCALE, ConditionReason.SCALE_DOWN_STABILIZED
_DOUBLING = 2
_ALWAYS_ALLOWED = 4


class Normalized(NamedTuple):
    """The size to write and the reasons of AbleToScale and ScalingLimited."""

    replicas: int
    stabilized: int
    """After the windows, before the limits."""
    able: ConditionReason
    limited: ConditionReason
    memory: HpaMemory

    @property
    def is_limited(self) -> bool:
        """Status of ScalingLimited."""
        return self.limited is not _FREE


def normalize(
    want: int, current: int, spec: HpaSpec, memory: HpaMemory, now_us: int, settings: HpaSettings
) -> Normalized:
    """Take the highest recommendation of the window, at most double the size, then apply minimum and maximum.

    A recommendation exactly at the edge of the window still counts. The highest one may exceed `current` even when
    `want` is below it.
    """
    cut_us = now_us - settings.downscale_stabilization_us
    best = want
    for time_us, replicas in memory.recommendations:
        if replicas > best and time_us >= cut_us:
            best = replicas
    able = _READY if best == want else _STABILIZED
    allowed, limited = _limit(best, current, spec)
    return Normalized(allowed, best, able, limited, memory.remembering(want, now_us, cut_us))


def _limit(best: int, current: int, spec: HpaSpec) -> tuple[int, ConditionReason]:
    limit = max(_DOUBLING * current, _ALWAYS_ALLOWED)
    if best < spec.min_replicas:
        return spec.min_replicas, ConditionReason.TOO_FEW_REPLICAS
    if best > min(spec.max_replicas, limit):
        if spec.max_replicas <= limit:
            return spec.max_replicas, ConditionReason.TOO_MANY_REPLICAS
        return limit, ConditionReason.SCALE_UP_LIMIT
    return best, _FREE
