"""A metric of the pods of one workload, over arrays: which pods count, and what they use against the target.

Kubernetes 1.36, pkg/controller/podautoscaler/replica_calculator.go (GetResourceReplicas, calcPlainMetricReplicas,
groupPods) and metrics/client.go. The arithmetic is in `replica_calculator`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.conditions import NEVER_US
from planner.hpa.rules.replica_calculator import (
    MetricErrorCode,
    MetricFailed,
    Proposal,
    Tolerance,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_utilization,
)
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import TargetType

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PodColumns:
    """The pods that a scale selects, in listed order, and their samples.

    Arrays have the shape (pods,). Times are microseconds, -1 where there is none.
    """

    usage: Ints
    """In units of `unit_milli`: milli-CPU, bytes, or milli-units of a Pods metric."""
    request: Ints
    """In the same units, -1 where the pod has none; read for Utilization only."""
    ignored: Bools
    """Being deleted, or Failed."""
    pending: Bools
    not_ready: Bools
    """The Ready condition is False; Unknown is not."""
    has_sample: Bools
    start_us: Ints
    """status.startTime."""
    ready_transition_us: Ints
    """Last transition of the Ready condition, -1 without the condition."""
    sample_us: Ints
    window_us: Ints
    answered: int
    """Pods in the answer of the metrics API, -1 if the API fails."""
    lacks_container: bool = False
    """A pod of the answer has no container of the metric's name."""
    vanished: tuple[int, ...] = ()
    """Samples, in the units of `usage`, of pods that are in the answer but no longer exist."""
    is_cpu: bool = True
    """Whether start-up sets samples aside, as it does for cpu only."""
    unit_milli: int = 1
    """Milli-units of one unit of `usage`: 1000 for bytes, whose sums in milli-units would not fit an int64."""
    request_error: MetricErrorCode = MetricErrorCode.MISSING_REQUEST
    """Why the first pod without a request has none."""


class SteadyPods(NamedTuple):
    """Pods that all count from `from_us` on, whatever the time, as long as none of them changes."""

    from_us: int
    pods: int
    request_milli: int
    """Sum over the pods, -1 if one of them has none."""


def steady_pods(pods: PodColumns, settings: HpaSettings) -> SteadyPods | None:
    """The pods as a whole, if all are alive, started, ready and sampled, and nothing else is; otherwise None."""
    if pods.lacks_container or pods.vanished or pods.answered < 0:
        return None
    calm = pods.has_sample & ~pods.ignored & ~pods.pending
    if pods.is_cpu:
        calm &= ~pods.not_ready & (pods.start_us != NEVER_US) & (pods.ready_transition_us != NEVER_US)
    if not len(calm) or not calm.all():
        return None
    # A ready pod whose initialization is over counts whatever the time of its sample (`_unready`).
    from_us = int(pods.start_us.max()) + settings.cpu_initialization_us if pods.is_cpu else 0
    request = int(pods.request.sum()) * pods.unit_milli if pods.request.min() >= 0 else -1
    return SteadyPods(from_us, len(calm), request)


def evaluate_steady(
    metric: MetricSpec, pods: SteadyPods, usage_milli: int, current: int, tolerance: Tolerance
) -> Proposal:
    """`evaluate_pods` at or after `pods.from_us`; `usage_milli` is the sum over the pods. Raises MetricFailed."""
    if metric.target_type is TargetType.AVERAGE_VALUE:
        return replicas_for_average(usage_milli, pods.pods, pods.pods, 0, 0, current, metric.target, tolerance)
    totals = UtilizationTotals(usage_milli, pods.request_milli, pods.pods, pods.pods, pods.pods, 0, 0, 0, 0, 0)
    return replicas_for_utilization(totals, current, metric.target, tolerance)


def evaluate_pods(
    metric: MetricSpec, pods: PodColumns, current: int, now_us: int, tolerance: Tolerance, settings: HpaSettings
) -> Proposal:
    """The proposal of a Resource, ContainerResource or Pods metric. Raises MetricFailed."""
    _check_answer(pods)
    alive = ~pods.ignored
    started = alive & ~pods.pending
    counted = started & pods.has_sample
    if pods.is_cpu:
        counted &= ~_unready(pods, now_us, settings)
    ready_count = int(np.count_nonzero(counted))
    samples = ready_count + len(pods.vanished)
    if samples == 0:
        raise MetricFailed(MetricErrorCode.NO_USABLE_METRICS)
    missing = started & ~pods.has_sample
    missing_count = int(np.count_nonzero(missing))
    unready_count = int(np.count_nonzero(alive)) - ready_count - missing_count
    usage = int(pods.usage[counted].sum()) * pods.unit_milli
    if metric.target_type is TargetType.AVERAGE_VALUE:
        usage += sum(pods.vanished) * pods.unit_milli
        return replicas_for_average(
            usage, samples, ready_count, unready_count, missing_count, current, metric.target, tolerance
        )
    if pods.request.min() < 0:
        raise MetricFailed(pods.request_error)
    missing_requests = pods.request[missing]
    request = int(pods.request[counted].sum())
    missing_request = int(missing_requests.sum()) if missing_count else 0
    alive_request = int(pods.request[alive].sum()) if unready_count else request + missing_request
    totals = UtilizationTotals(
        usage=usage,
        request=request * pods.unit_milli,
        pods=ready_count,
        samples=samples,
        ready_count=ready_count,
        unready_count=unready_count,
        unready_request=(alive_request - request - missing_request) * pods.unit_milli,
        missing_count=missing_count,
        missing_request=missing_request * pods.unit_milli,
        missing_fill=_fill(missing_requests, max(100, metric.target), pods.unit_milli) if missing_count else 0,
    )
    return replicas_for_utilization(totals, current, metric.target, tolerance)


def _check_answer(pods: PodColumns) -> None:
    """The causes of failure that come before any pod is grouped."""
    if pods.answered < 0:
        raise MetricFailed(MetricErrorCode.METRICS_API_ERROR)
    if pods.answered == 0:
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    if pods.lacks_container:
        raise MetricFailed(MetricErrorCode.CONTAINER_NOT_IN_METRICS)
    if not len(pods.usage):
        raise MetricFailed(MetricErrorCode.NO_PODS)


def _fill(requests: Ints, percent: int, unit_milli: int) -> int:
    """The use assumed for missing pods: a percentage of each request, truncated to milli-units."""
    return sum(request * unit_milli * percent // 100 for request in requests.tolist())


def _unready(pods: PodColumns, now_us: int, settings: HpaSettings) -> Bools:
    """Whose cpu samples are set aside because the pod is starting up or was never ready.

    Both limits are strict: at exactly the initialization period the later rule applies, and a sample taken exactly
    one window after the transition counts.
    """
    young = pods.start_us > now_us - settings.cpu_initialization_us
    too_early = pods.sample_us < pods.ready_transition_us + pods.window_us
    never_ready = pods.start_us > pods.ready_transition_us - settings.initial_readiness_us
    unknown: Bools = (pods.start_us == NEVER_US) | (pods.ready_transition_us == NEVER_US)
    return unknown | (young & (pods.not_ready | too_early)) | (~young & pods.not_ready & never_ready)
