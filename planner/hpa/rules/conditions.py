"""Status conditions of an autoscaler: they persist, in order of first appearance."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

NEVER_US = -1


class ConditionType(StrEnum):
    """Types of condition."""

    ABLE_TO_SCALE = "AbleToScale"
    SCALING_ACTIVE = "ScalingActive"
    SCALING_LIMITED = "ScalingLimited"
    SCALED_TO_ZERO = "ScaledToZero"


class ConditionReason(StrEnum):
    """Reasons of conditions, as Kubernetes spells them. Those of failed metrics are made from the source."""

    SUCCEEDED_GET_SCALE = "SucceededGetScale"
    FAILED_GET_SCALE = "FailedGetScale"
    SUCCEEDED_RESCALE = "SucceededRescale"
    FAILED_UPDATE_SCALE = "FailedUpdateScale"
    READY_FOR_NEW_SCALE = "ReadyForNewScale"
    SCALE_UP_STABILIZED = "ScaleUpStabilized"
    SCALE_DOWN_STABILIZED = "ScaleDownStabilized"
    SCALING_DISABLED = "ScalingDisabled"
    INVALID_SELECTOR = "InvalidSelector"
    AMBIGUOUS_SELECTOR = "AmbiguousSelector"
    VALID_METRIC_FOUND = "ValidMetricFound"
    FAILED_GET_RESOURCE_METRIC = "FailedGetResourceMetric"
    FAILED_GET_CONTAINER_RESOURCE_METRIC = "FailedGetContainerResourceMetric"
    FAILED_GET_PODS_METRIC = "FailedGetPodsMetric"
    FAILED_GET_OBJECT_METRIC = "FailedGetObjectMetric"
    FAILED_GET_EXTERNAL_METRIC = "FailedGetExternalMetric"
    DESIRED_WITHIN_RANGE = "DesiredWithinRange"
    SCALE_UP_LIMIT = "ScaleUpLimit"
    SCALE_DOWN_LIMIT = "ScaleDownLimit"
    TOO_MANY_REPLICAS = "TooManyReplicas"
    TOO_FEW_REPLICAS = "TooFewReplicas"
    SCALED_TO_ZERO = "ScaledToZero"
    NOT_SCALED_TO_ZERO = "NotScaledToZero"


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition. `detail` holds the variable part of its message (a number, a metric, an error code)."""

    type: ConditionType
    status: bool
    reason: str
    detail: str = ""
    last_transition_us: int = NEVER_US
    """When `status` last changed; -1 if that is not known."""


class Conditions:
    """The conditions during one evaluation."""

    def __init__(self, conditions: Iterable[Condition], now_us: int) -> None:
        self._by_type = {condition.type: condition for condition in conditions}
        self._now_us = now_us

    def set(self, kind: ConditionType, status: bool, reason: str, detail: str = "") -> None:
        """Set a condition; its transition time moves only when its status changes."""
        old = self._by_type.get(kind)
        if old is not None and old.status == status and old.reason == reason and old.detail == detail:
            return
        since_us = self._now_us if old is None or old.status != status else old.last_transition_us
        self._by_type[kind] = Condition(kind, status, reason, detail, since_us)

    def remove(self, kind: ConditionType) -> None:
        """Drop a condition, if it is there."""
        self._by_type.pop(kind, None)

    def is_true(self, kind: ConditionType) -> bool:
        """Whether the condition is there with status True."""
        condition = self._by_type.get(kind)
        return condition is not None and condition.status

    def all(self) -> tuple[Condition, ...]:
        """All conditions, in order of first appearance."""
        return tuple(self._by_type.values())
