"""A metric over the arrays of one workload's pods: the rule of `metric_proposal`, vectorised.

The formulas are those of `replica_calculator`; only the grouping is done on arrays here. A property
test compares both with single pods.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.replica_calculator import (
    Proposal,
    Tolerance,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_utilization,
)
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSpec, TargetType

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PodColumns:
    """The pods of one workload that exist, all arrays of shape (pods,). Times in microseconds, -1 for never."""

    usage: Ints
    """In units of `unit_milli`: milli-CPU, bytes, or milli-units of a Pods metric."""
    request: Ints
    """In the same units; below 0: it cannot be told."""
    deleted: Bools
    """Being deleted, or Failed."""
    pending: Bools
    ready: Bools
    has_sample: Bools
    start_us: Ints
    ready_transition_us: Ints
    sample_us: Ints
    window_us: Ints
    is_cpu: bool = True
    """Whether the rows of the table that hold for cpu only apply (spec/hpa.md section 4)."""
    unit_milli: int = 1
    """Milli-units of one unit of `usage`: 1000 for bytes, whose sums in milli-units would not fit an int64."""
    request_error: MetricErrorCode = MetricErrorCode.MISSING_REQUEST
    """Why a request cannot be told."""


class SteadyPods(NamedTuple):
    """Pods that all count from `from_us` on, whatever the time, as long as none of them changes."""

    from_us: int
    pods: int
    request_milli: int
    """Sum over the pods; -1: it cannot be told."""


def steady_pods(pods: PodColumns, settings: HpaSettings) -> SteadyPods | None:
    """The pods as a whole, if all are alive, started, ready and sampled; else None."""
    calm = pods.has_sample & ~pods.deleted & ~pods.pending
    if pods.is_cpu:
        calm &= pods.ready & (pods.start_us >= 0) & (pods.ready_transition_us >= 0)
    if not len(calm) or not calm.all():
        return None
    # A ready pod whose initialisation is over counts without a look at its sample's time (`_unready`).
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
    """What a metric of the pods with target Utilization or AverageValue asks for. Raises MetricFailed."""
    if not pods.has_sample.any():
        raise MetricFailed(MetricErrorCode.NO_METRICS_RETURNED)
    alive = ~pods.deleted
    started = alive & ~pods.pending
    counted = started & pods.has_sample
    if pods.is_cpu:
        counted &= ~_unready(pods, now_us, settings)
    ready_count = int(np.count_nonzero(counted))
    if ready_count == 0:
        raise MetricFailed(MetricErrorCode.NO_USABLE_METRICS)
    missing = started & ~pods.has_sample
    missing_count = int(np.count_nonzero(missing))
    unready_count = int(np.count_nonzero(alive)) - ready_count - missing_count
    usage = int(pods.usage[counted].sum()) * pods.unit_milli
    if metric.target_type is TargetType.AVERAGE_VALUE:
        return replicas_for_average(
            usage, ready_count, ready_count, unready_count, missing_count, current, metric.target, tolerance
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
        samples=ready_count,
        ready_count=ready_count,
        unready_count=unready_count,
        unready_request=(alive_request - request - missing_request) * pods.unit_milli,
        missing_count=missing_count,
        missing_request=missing_request * pods.unit_milli,
        missing_fill=_fill(missing_requests, max(100, metric.target), pods.unit_milli) if missing_count else 0,
    )
    return replicas_for_utilization(totals, current, metric.target, tolerance)


def _fill(requests: Ints, percent: int, unit_milli: int) -> int:
    """What missing pods are taken to use: percent of each request, truncated to milli-units."""
    return sum(request * unit_milli * percent // 100 for request in requests.tolist())


def _unready(pods: PodColumns, now_us: int, settings: HpaSettings) -> Bools:
    """Samples of pods that start up or were never ready; see `pod_groups.is_cpu_unready`."""
    not_ready = ~pods.ready
    young = pods.start_us > now_us - settings.cpu_initialization_us
    too_early = pods.sample_us < pods.ready_transition_us + pods.window_us
    never_ready = pods.start_us > pods.ready_transition_us - settings.initial_readiness_us
    unknown = (pods.start_us < 0) | (pods.ready_transition_us < 0)
    return unknown | (young & (not_ready | too_early)) | (~young & not_ready & never_ready)
