"""The specification that the rules read, from an autoscaler of the plan."""

from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HorizontalPodAutoscaler, HpaBehavior, ScalingRules
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, HpaMetric
from planner.plan.model.autoscalers.hpa_spec import (
    DEFAULT_METRIC,
    DEFAULT_SCALE_DOWN,
    DEFAULT_SCALE_UP,
    BehaviorSpec,
    HpaSpec,
    MetricSource,
    MetricSpec,
    ScalingPolicySpec,
    ScalingRulesSpec,
)


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
