"""One metric of an autoscaler against what is observed: a proposal or an error."""

from collections.abc import Sequence
from dataclasses import dataclass

from planner.hpa.metrics.requests import pod_requests
from planner.hpa.metrics.samples import Sample, custom_samples, resource_samples
from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.observations import ObservedPod, Phase, Readings, ReadyStatus
from planner.hpa.rules.pod_groups import PodGroups, group_pods
from planner.hpa.rules.replica_calculator import (
    INT64_MAX,
    Proposal,
    Tolerance,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_total,
    replicas_for_utilization,
    replicas_for_value,
)
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, TargetType


@dataclass(frozen=True, slots=True)
class Observation:
    """All that a metric may be computed from. Replicas are those of the scale subresource."""

    now_us: int
    current: int
    """spec.replicas of the scale."""
    status_replicas: int
    pods: Sequence[ObservedPod]
    readings: Readings


def metric_proposal(metric: MetricSpec, observed: Observation, tolerance: Tolerance, settings: HpaSettings) -> Proposal:
    """Replicas that one metric asks for. Raises MetricFailed where the controller reports an error."""
    if metric.source in (MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE):
        samples = resource_samples(observed.readings.pod_usage, metric.name, metric.container)
        return _from_pods(metric, metric.name, samples, observed, tolerance, settings)
    if metric.source is MetricSource.PODS:
        samples = custom_samples(observed.readings.pods_metrics, metric.name)
        return _from_pods(metric, "", samples, observed, tolerance, settings)
    total = _total(metric, observed.readings)
    if metric.target_type is TargetType.AVERAGE_VALUE:
        return replicas_for_total(total, metric.target, observed.status_replicas, tolerance)
    return replicas_for_value(total, metric.target, observed.current, _ready_pods(observed.pods), tolerance)


def _from_pods(
    metric: MetricSpec,
    resource: str,
    samples: dict[str, Sample],
    observed: Observation,
    tolerance: Tolerance,
    settings: HpaSettings,
) -> Proposal:
    if not observed.pods:
        raise MetricFailed(MetricErrorCode.NO_PODS)
    groups = group_pods(observed.pods, samples, resource, observed.now_us, settings)
    for pod in (*groups.ignored, *groups.unready):
        samples.pop(pod.name, None)
    if not samples:
        raise MetricFailed(MetricErrorCode.NO_USABLE_METRICS)
    if metric.target_type is TargetType.UTILIZATION:
        requests = pod_requests(observed.pods, resource, metric.container, settings.pod_level_resources)
        totals = _utilization_totals(samples, requests, groups, metric.target)
        return replicas_for_utilization(totals, observed.current, metric.target, tolerance)
    return replicas_for_average(
        usage=sum(sample.value for sample in samples.values()),
        samples=len(samples),
        ready_count=groups.ready_count,
        unready_count=len(groups.unready),
        missing_count=len(groups.missing),
        current=observed.current,
        target=metric.target,
        tolerance=tolerance,
    )


def _utilization_totals(
    samples: dict[str, Sample], requests: dict[str, int], groups: PodGroups, target_pct: int
) -> UtilizationTotals:
    known = [pod for pod in samples if pod in requests]
    fill_pct = max(100, target_pct)
    return UtilizationTotals(
        usage=sum(samples[pod].value for pod in known),
        request=sum(requests[pod] for pod in known),
        pods=len(known),
        samples=len(samples),
        ready_count=groups.ready_count,
        unready_count=len(groups.unready),
        unready_request=sum(requests[pod.name] for pod in groups.unready),
        missing_count=len(groups.missing),
        missing_request=sum(requests[pod.name] for pod in groups.missing),
        missing_fill=sum(requests[pod.name] * fill_pct // 100 for pod in groups.missing),
    )


def _total(metric: MetricSpec, readings: Readings) -> int:
    if metric.source is MetricSource.OBJECT:
        if metric.name not in readings.object_metrics:
            raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
        return readings.object_metrics[metric.name]
    if metric.name not in readings.external_metrics:
        raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
    series = readings.external_metrics[metric.name]
    if not series:
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    return min(sum(series), INT64_MAX)


def _ready_pods(pods: Sequence[ObservedPod]) -> int | None:
    if not pods:
        return None
    return sum(pod.phase is Phase.RUNNING and pod.ready is ReadyStatus.TRUE for pod in pods)
