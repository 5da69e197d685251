"""Object and External metrics: one value for the whole workload.

Kubernetes 1.36, pkg/controller/podautoscaler/replica_calculator.go, GetObjectMetricReplicas,
GetObjectPerPodMetricReplicas, GetExternalMetricReplicas and GetExternalPerPodMetricReplicas.
"""

from collections.abc import Sequence

from planner.hpa.rules.replica_calculator import (
    INT64_MAX,
    MetricErrorCode,
    MetricFailed,
    Proposal,
    Tolerance,
    replicas_for_total,
    replicas_for_value,
)
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType


def series_total(answer: Sequence[int] | None) -> int:
    """The sum of the series that the API returns, in milli-units, capped at the largest int64.

    Raises MetricFailed when the API fails (None) or returns no series.
    """
    if answer is None:
        raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
    if not answer:
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    return min(sum(answer), INT64_MAX)


def evaluate_series(
    metric: MetricSpec,
    total: int,
    current: int,
    status_replicas: int,
    ready_pods: int | None,
    tolerance: Tolerance,
) -> Proposal:
    """The proposal of an Object or External metric. Raises MetricFailed.

    `status_replicas` is status.replicas of the scale, `ready_pods` the number of pods Running and Ready, or None if
    the scale selects no pod at all.
    """
    if metric.target_type is TargetType.AVERAGE_VALUE:
        is_external = metric.source is MetricSource.EXTERNAL
        if is_external and not 0 <= total < INT64_MAX:
            # A negative sum is taken for one that did not fit an int64.
            proposal = replicas_for_total(INT64_MAX, metric.target, status_replicas, tolerance, is_capped=True)
            return proposal._replace(value_milli=INT64_MAX)
        return replicas_for_total(total, metric.target, status_replicas, tolerance, is_capped=is_external)
    return replicas_for_value(total, metric.target, current, ready_pods, tolerance)
