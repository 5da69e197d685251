"""Horizontal pod autoscalers of the plan, their controller and the metrics they read."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Self

from pydantic import model_validator

from planner.language.translation import tr
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, HpaMetric, ResourceName
from planner.plan.values.fields import INT32_MAX, DurationUs, Misfit, Name, PlanModel, required, setting
from planner.units import US_PER_H, US_PER_MIN, US_PER_S, format_duration

MAX_REPLICAS = 200_000


class PolicyType(StrEnum):
    """Unit of a scaling policy."""

    PODS = "Pods"
    PERCENT = "Percent"


class SelectPolicy(StrEnum):
    """Which of several policies rules."""

    MAX = "Max"
    MIN = "Min"
    DISABLED = "Disabled"


class ScalingPolicy(PlanModel):
    """A limit on the change within a period, in pods or percent."""

    type: PolicyType = required("Type", "Pods, or percent of the pods at the start of the period.")
    value: int = required("Value", "Largest change within the period.", ge=1, le=INT32_MAX)
    period: DurationUs = required(
        "Period", "How far back changes count, whole seconds.", unit="s", ge=US_PER_S, le=30 * US_PER_MIN
    )

    @model_validator(mode="after")
    def _whole_seconds(self) -> Self:
        if self.period % US_PER_S:
            whole = format_duration(-(-self.period // US_PER_S) * US_PER_S)
            problem = tr("the period {period} is not in whole seconds", period=format_duration(self.period))
            raise Misfit(("period",), problem, tr('write for example "{whole}"', whole=whole))
        return self


class ScalingRules(PlanModel):
    """Limits in one direction; omitted settings have the defaults of Kubernetes."""

    stabilization_window: DurationUs | None = setting(
        None,
        "Stabilization window",
        "How long the most conservative recommendation applies; empty: 0 up, the controller's setting down.",
        unit="s",
        le=US_PER_H,
    )
    select_policy: SelectPolicy = setting(
        SelectPolicy.MAX, "Select policy", "Which policy applies; Disabled forbids scaling in this direction."
    )
    policies: tuple[ScalingPolicy, ...] | None = setting(
        None, "Policies", "Rate limits; empty: the defaults of Kubernetes.", min_length=1, max_length=100
    )
    tolerance: float | None = setting(
        None, "Tolerance", "Change of the ratio that is ignored; empty: the controller's setting.", ge=0, le=100
    )


class HpaBehavior(PlanModel):
    """Rate limits and windows. An empty behavior is not the same as none: limits and window boundaries differ."""

    scale_up: ScalingRules = setting(ScalingRules(), "Scale up", "Limits of growth.")
    scale_down: ScalingRules = setting(ScalingRules(), "Scale down", "Limits of shrinking.")


class HorizontalPodAutoscaler(PlanModel):
    """Keeps metrics of a workload near their targets by changing the number of replicas."""

    name: Name = required("Name", "Name of the autoscaler.")
    namespace: Name = setting("default", "Namespace", "Namespace of the autoscaler and its workload.")
    scale_target: Name = required("Workload", "Name of the workload it scales.")
    min_replicas: int = setting(
        1, "Minimum", "Fewest replicas; 0 needs hpaController.scaleToZero.", unit="pods", ge=0, le=MAX_REPLICAS
    )
    max_replicas: int = required("Maximum", "Most replicas.", unit="pods", ge=1, le=MAX_REPLICAS)
    metrics: tuple[HpaMetric, ...] = setting(
        (), "Metrics", "Metrics to follow; empty: CPU at 80 % of the requests.", max_length=10
    )
    behavior: HpaBehavior | None = setting(
        None, "Behavior", "Rate limits and windows; empty: the fixed rules used without behavior."
    )

    @model_validator(mode="after")
    def _minimum_below_maximum(self) -> Self:
        if self.min_replicas > self.max_replicas:
            problem = tr(
                "the minimum ({least}) is above the maximum ({most})",
                least=self.min_replicas,
                most=self.max_replicas,
            )
            raise Misfit(
                ("min_replicas",),
                problem,
                tr("lower it to {most} or raise maxReplicas", most=self.max_replicas),
            )
        return self


def follows_memory(autoscalers: Iterable[HorizontalPodAutoscaler]) -> bool:
    """Whether one of them needs the memory that pods really use."""
    return any(
        metric.type in RESOURCE_SOURCES and metric.resource is ResourceName.MEMORY
        for autoscaler in autoscalers
        for metric in autoscaler.metrics
    )


def follows_use(autoscalers: Iterable[HorizontalPodAutoscaler]) -> frozenset[tuple[str, str]]:
    """Namespace and name of the workloads whose use of CPU or memory an autoscaler follows."""
    return frozenset(
        (one.namespace, one.scale_target)
        for one in autoscalers
        if not one.metrics or any(metric.type in RESOURCE_SOURCES for metric in one.metrics)
    )


class HpaControllerSettings(PlanModel):
    """Flags of the HPA controller, shared by all autoscalers (defaults of Kubernetes 1.36)."""

    sync_period: DurationUs = setting(
        "15s", "Sync period", "Time from one evaluation to the next.", unit="s", ge=US_PER_S, le=US_PER_H
    )
    phase: DurationUs | None = setting(
        None, "Phase", "Time of the first evaluation; empty: drawn, within one period.", unit="s", le=US_PER_H
    )
    evaluation_time: DurationUs = setting(
        "30ms",
        "Evaluation time",
        "How long an evaluation takes on average; the next one begins a sync period after its end, so that evaluations "
        "drift. 0: exact periods.",
        unit="s",
        le=US_PER_MIN,
    )
    tolerance: float = setting(0.1, "Tolerance", "Change of the ratio that is ignored.", ge=0, le=100)
    downscale_stabilization: DurationUs = setting(
        "5m", "Downscale stabilization", "How long the highest recommendation holds.", unit="s", le=24 * US_PER_H
    )
    cpu_initialization_period: DurationUs = setting(
        "5m",
        "CPU initialization period",
        "For this long after a pod's start, its samples count only while it is ready.",
        unit="s",
    )
    initial_readiness_delay: DurationUs = setting(
        "30s",
        "Initial readiness delay",
        "A pod that became unready this soon after its start counts as never having been ready.",
        unit="s",
    )
    scale_to_zero: bool = setting(
        False, "Scale to zero", "Gate HPAScaleToZero: allows minReplicas 0 with an Object or External metric."
    )
    configurable_tolerance: bool = setting(
        True, "Tolerance per autoscaler", "Gate HPAConfigurableTolerance: if off, tolerances in behavior are ignored."
    )
    pod_level_resources: bool = setting(
        True, "Pod-level requests", "Gate PodLevelResources: if off, Utilization counts only the containers' requests."
    )
    skip_unchanged: bool = setting(
        True, "Skip unchanged", "Skip evaluations that cannot change anything; results are the same."
    )


__all__ = [
    "HorizontalPodAutoscaler",
    "HpaBehavior",
    "HpaControllerSettings",
    "HpaMetric",
    "ScalingPolicy",
    "ScalingRules",
]
