"""The specification of one autoscaler as the rules read it, and how it follows from the plan.

Amounts of quantities are milli-units, windows and periods microseconds. Defaults are those of Kubernetes 1.36,
pkg/apis/autoscaling/v2/defaults.go.
"""

from dataclasses import dataclass

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    HpaBehavior,
    PolicyType,
    ScalingRules,
    SelectPolicy,
)
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, HpaMetric, MetricSource, TargetType
from planner.units import US_PER_S


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


def spec_from_plan(hpa: HorizontalPodAutoscaler) -> HpaSpec:
    """The specification of a planned autoscaler, with the defaults that the API server fills in.

    Kubernetes 1.36, pkg/apis/autoscaling/v2/defaults.go.
    """
    return HpaSpec(
        metrics=tuple(_metric(metric) for metric in hpa.metrics) or (DEFAULT_METRIC,),
        max_replicas=hpa.max_replicas,
        min_replicas=hpa.min_replicas,
        behavior=None if hpa.behavior is None else _behavior(hpa.behavior),
    )


def _metric(metric: HpaMetric) -> MetricSpec:
    is_resource = metric.type in RESOURCE_SOURCES
    return MetricSpec(
        source=metric.type,
        name=metric.resource.value if is_resource else metric.metric,
        target_type=metric.target_type,
        target=metric.target,
        container=metric.container,
        described_kind=metric.described_kind if metric.type is MetricSource.OBJECT else "",
    )


def _behavior(behavior: HpaBehavior) -> BehaviorSpec:
    return BehaviorSpec(
        scale_up=_rules(behavior.scale_up, DEFAULT_SCALE_UP),
        scale_down=_rules(behavior.scale_down, DEFAULT_SCALE_DOWN),
    )


def _rules(rules: ScalingRules, default: ScalingRulesSpec) -> ScalingRulesSpec:
    policies = default.policies
    if rules.policies is not None:
        policies = tuple(ScalingPolicySpec(policy.type, policy.value, policy.period) for policy in rules.policies)
    window = rules.stabilization_window
    return ScalingRulesSpec(
        policies=policies,
        select_policy=rules.select_policy,
        stabilization_window_us=default.stabilization_window_us if window is None else window,
        tolerance=rules.tolerance,
    )
