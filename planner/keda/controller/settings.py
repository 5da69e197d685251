"""ScaledObjects and ScaledJobs of a plan as the rules see them, and the autoscalers that KEDA makes of them."""

from collections.abc import Sequence
from typing import Any

from planner.keda.rules.cron_window import CronWindow
from planner.keda.rules.scaled_job import Combination, JobStrategy, ScaledJobSpec
from planner.keda.rules.scaled_object import (
    FallbackBehavior,
    FallbackSpec,
    HpaMetricSpec,
    MetricTarget,
    Modifiers,
    Pauses,
    ScaledObjectSpec,
    TriggerKind,
    TriggerSpec,
    cron_name,
    hpa_of,
)
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import (
    HorizontalPodAutoscaler,
    HpaBehavior,
    HpaMetric,
    ScalingRules,
    SelectPolicy,
)
from planner.plan.model.autoscalers.hpa_metric import MetricSource, ResourceName, TargetType
from planner.plan.model.autoscalers.scaled_object import (
    CronTrigger,
    ScaledJob,
    ScaledObject,
    SeriesTrigger,
    UseTrigger,
    formula_names,
)
from planner.plan.model.plan import Plan
from planner.plan.values.formula.formula import Formula
from planner.plan.values.zoned_cron import parse_zoned_fields
from planner.plan.variants.scheduled import is_changed

_PAUSES = ("paused", "pausedReplicas")


def spec_of(given: ScaledObject) -> ScaledObjectSpec:
    """A planned ScaledObject."""
    fallback, modifiers = given.fallback, given.scaling_modifiers
    return ScaledObjectSpec(
        given.name,
        [_trigger(one) for one in given.triggers],
        given.polling_interval,
        given.cooldown_period,
        given.initial_cooldown_period,
        given.min_replicas,
        given.max_replicas,
        given.idle_replicas,
        None
        if fallback is None
        else FallbackSpec(fallback.failure_threshold, fallback.replicas, FallbackBehavior(fallback.behavior)),
        None
        if modifiers is None
        else Modifiers(
            modifiers.formula,
            modifiers.target / 1000,
            modifiers.activation_target / 1000,
            MetricTarget(modifiers.target_type),
        ),
    )


def pauses_of(given: ScaledObject) -> Pauses:
    """What its annotations say."""
    replicas = None if given.paused_replicas is None else str(given.paused_replicas)
    return Pauses(replicas, given.paused_scale_in, given.paused_scale_out, given.force_activation)


def formula_of(given: ScaledObject) -> Formula | None:
    """Its formula; raises ValueError, written "problem; remedy", if it is none."""
    if given.scaling_modifiers is None:
        return None
    return Formula(given.scaling_modifiers.formula, formula_names(given))


def window_of(given: CronTrigger) -> CronWindow:
    """The calendar of a cron trigger."""
    start, end = (parse_zoned_fields(line, given.timezone) for line in (given.start, given.end))
    return CronWindow(start, end, given.desired_replicas)


def job_spec(given: ScaledJob) -> ScaledJobSpec:
    """A planned ScaledJob."""
    return ScaledJobSpec(
        given.min_replicas,
        given.max_replicas,
        JobStrategy(given.strategy),
        Combination(given.combination),
        given.queue_length_deduction,
        given.running_job_percentage,
    )


def series_name(given: ScaledObject, metric: str) -> str:
    """How the autoscaler of a ScaledObject calls one of its external metrics."""
    return f"{given.namespace}/{given.name}/{metric}"


def paused_autoscalers(plan: Plan) -> list[HorizontalPodAutoscaler]:
    """Those that KEDA has deleted at the start because their objects are paused, and may create in the run."""
    if not is_changed(plan, "scaledObjects", _PAUSES):
        return []
    goes_on = {"paused": False, "paused_replicas": None}
    return [_autoscaler(one.model_copy(update=goes_on)) for one in plan.scaled_objects if is_paused(one)]


def is_paused(given: ScaledObject) -> bool:
    """Whether KEDA neither polls nor keeps an autoscaler."""
    return given.paused or given.paused_replicas is not None


def with_keda_autoscalers(plan: Plan, more: Sequence[HorizontalPodAutoscaler] = ()) -> Plan:
    """The plan with the HorizontalPodAutoscalers that KEDA creates, those of paused objects left out, and `more`."""
    made = [*(_autoscaler(one) for one in plan.scaled_objects if not is_paused(one)), *more]
    if not made:
        return plan
    return plan.model_copy(update={"horizontal_pod_autoscalers": (*plan.horizontal_pod_autoscalers, *made)})


def _autoscaler(given: ScaledObject) -> HorizontalPodAutoscaler:
    hpa = hpa_of(spec_of(given), pauses_of(given))
    assert hpa is not None, "the number of paused replicas of a plan is a number"
    return HorizontalPodAutoscaler(
        name=hpa.name[:63],
        namespace=given.namespace,
        scale_target=given.scale_target,
        min_replicas=hpa.min_replicas,
        max_replicas=hpa.max_replicas,
        metrics=tuple(_metric(given, one) for one in hpa.metrics),
        behavior=_behavior(given),
    )


def _behavior(given: ScaledObject) -> HpaBehavior | None:
    """Its own, with the directions disabled that are paused."""
    behavior = given.behavior
    for is_paused, side in ((given.paused_scale_in, "scale_down"), (given.paused_scale_out, "scale_up")):
        if is_paused:
            behavior = behavior or HpaBehavior()
            rules: ScalingRules = getattr(behavior, side)
            disabled = rules.model_copy(update={"select_policy": SelectPolicy.DISABLED})
            behavior = behavior.model_copy(update={side: disabled})
    return behavior


def _metric(given: ScaledObject, one: HpaMetricSpec) -> HpaMetric:
    target: dict[str, Any] = {
        MetricTarget.UTILIZATION: {"average_utilization": one.target_milli},
        MetricTarget.AVERAGE_VALUE: {"average_value": one.target_milli},
        MetricTarget.VALUE: {"value": one.target_milli},
    }[one.target_type]
    source, kind = MetricSource(one.source), TargetType(one.target_type)
    if source is MetricSource.EXTERNAL:
        return HpaMetric(type=source, metric=series_name(given, one.name), target_type=kind, **target)
    return HpaMetric(type=source, resource=ResourceName(one.name), container=one.container, target_type=kind, **target)


def _trigger(given: UseTrigger | SeriesTrigger | CronTrigger) -> TriggerSpec:
    if isinstance(given, UseTrigger):
        is_share = given.average_utilization is not None
        target = float(given.average_utilization or 0) if is_share else (given.average_value or 0) / 1000
        kind = MetricTarget.UTILIZATION if is_share else MetricTarget.AVERAGE_VALUE
        return TriggerSpec(TriggerKind(given.type), "", given.name, target, 0.0, kind, given.container)
    if isinstance(given, CronTrigger):
        return TriggerSpec(TriggerKind.EXTERNAL, cron_name(given.timezone, given.start, given.end), given.name)
    return TriggerSpec(
        TriggerKind.EXTERNAL,
        given.series,
        given.name,
        given.target / 1000,
        given.activation / 1000,
        MetricTarget(given.target_type),
        cached=given.use_cached_metrics,
    )
