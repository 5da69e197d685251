"""The specification of one HorizontalPodAutoscaler as the controller reads it.

Plain data between those who write it (plan, manifests) and the rules in planner.hpa. Amounts of
quantities are milli-units, windows and periods microseconds.
"""

from dataclasses import dataclass
from enum import StrEnum

from planner.units import US_PER_S


class ResourceName(StrEnum):
    """Resources whose use the kubelet measures."""

    CPU = "cpu"
    MEMORY = "memory"


class MetricSource(StrEnum):
    """Where a metric comes from."""

    RESOURCE = "Resource"
    CONTAINER_RESOURCE = "ContainerResource"
    PODS = "Pods"
    OBJECT = "Object"
    EXTERNAL = "External"


class TargetType(StrEnum):
    """What the target number of a metric means."""

    UTILIZATION = "Utilization"
    """Percent of the requests, averaged over the pods."""
    VALUE = "Value"
    """The metric itself."""
    AVERAGE_VALUE = "AverageValue"
    """The metric per pod."""


class PolicyType(StrEnum):
    """Unit of a scaling policy."""

    PODS = "Pods"
    PERCENT = "Percent"


class SelectPolicy(StrEnum):
    """Which of several policies rules."""

    MAX = "Max"
    MIN = "Min"
    DISABLED = "Disabled"


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric of an autoscaler. `target` is percent for Utilization, else milli-units."""

    source: MetricSource
    name: str
    target_type: TargetType
    target: int
    container: str = ""
    described_kind: str = ""
    """Kind of the object an Object metric belongs to."""


@dataclass(frozen=True, slots=True)
class ScalingPolicySpec:
    """At most `value` pods or percent within a period."""

    type: PolicyType
    value: int
    period_us: int


@dataclass(frozen=True, slots=True)
class ScalingRulesSpec:
    """Limits in one direction, defaults of the API filled in."""

    policies: tuple[ScalingPolicySpec, ...]
    select_policy: SelectPolicy = SelectPolicy.MAX
    stabilization_window_us: int | None = None
    """None: the controller's downscale stabilization (scale-down only)."""
    tolerance: float | None = None
    """None: the controller's tolerance."""


@dataclass(frozen=True, slots=True)
class BehaviorSpec:
    """Limits in both directions."""

    scale_up: ScalingRulesSpec
    scale_down: ScalingRulesSpec


@dataclass(frozen=True, slots=True)
class HpaSpec:
    """A whole specification, defaults of the API filled in. `behavior` None is the older code path."""

    metrics: tuple[MetricSpec, ...]
    max_replicas: int
    min_replicas: int = 1
    behavior: BehaviorSpec | None = None


DEFAULT_METRIC = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 80)
"""What the API server fills in for an empty list of metrics."""

DEFAULT_SCALE_UP = ScalingRulesSpec(
    policies=(
        ScalingPolicySpec(PolicyType.PODS, 4, 15 * US_PER_S),
        ScalingPolicySpec(PolicyType.PERCENT, 100, 15 * US_PER_S),
    ),
    stabilization_window_us=0,
)
DEFAULT_SCALE_DOWN = ScalingRulesSpec(policies=(ScalingPolicySpec(PolicyType.PERCENT, 100, 15 * US_PER_S),))
