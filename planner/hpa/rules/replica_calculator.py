"""The arithmetic of the replica calculator: sums over pods in, a number of replicas out.

Kubernetes 1.36, pkg/controller/podautoscaler/replica_calculator.go and metrics/utilization.go. Where Kubernetes
divides integers the quotient is truncated; ratios are doubles.
"""

import math
from enum import StrEnum
from typing import NamedTuple

INT32_MAX = 2**31 - 1
INT32_MIN = -(2**31)
INT64_MAX = 2**63 - 1
INT64_MIN = -(2**63)


class MetricErrorCode(StrEnum):
    """Why a metric gives no proposal, in the order in which the causes are tested."""

    METRICS_API_ERROR = "MetricsAPIError"
    NO_METRICS_RETURNED = "NoMetricsReturned"
    CONTAINER_NOT_IN_METRICS = "ContainerNotInMetrics"
    NO_PODS = "NoPods"
    NO_USABLE_METRICS = "NoUsableMetrics"
    MISSING_REQUEST = "MissingRequest"
    MISSING_POD_LEVEL_REQUEST = "MissingPodLevelRequest"
    CONTAINER_NOT_IN_POD = "ContainerNotInPod"
    ZERO_REQUESTS = "ZeroRequests"


class MetricFailed(Exception):
    """A metric gives no proposal; the evaluation counts it as failing."""

    def __init__(self, code: MetricErrorCode) -> None:
        self.code = code
        super().__init__(code.value)


class Tolerance(NamedTuple):
    """Relative change of a ratio that is ignored, per direction."""

    scale_up: float
    scale_down: float

    def within(self, ratio: float) -> bool:
        """Whether the ratio counts as 1; both ends belong to it."""
        return 1.0 - self.scale_down <= ratio <= 1.0 + self.scale_up


class Proposal(NamedTuple):
    """The replicas that one metric calls for, and how it came to them."""

    replicas: int
    ratio: float
    """Measured over target; the second pass's ratio where there was one."""
    value_milli: int
    """Average in milli-units; for Value targets the total."""
    utilization_pct: int | None = None
    first_ratio: float | None = None
    """Measured over target before unready and missing pods were put in; None where no second pass was made."""
    ready: int = -1
    """Pods whose samples count; -1 where no pods are looked at."""
    unready: int = 0
    missing: int = 0


def known_value(value_milli: int | None) -> int | None:
    """The reported value; None for the number that stands for none (see `replicas_for_total`)."""
    return None if value_milli == INT64_MIN else value_milli


class UtilizationTotals(NamedTuple):
    """Sums over the pods of a target, milli-units."""

    usage: int
    """Samples of ready pods that have a request."""
    request: int
    """Requests of those pods."""
    pods: int
    """How many those are."""
    samples: int
    """Samples in the table, those of vanished pods included."""
    ready_count: int
    unready_count: int
    unready_request: int
    missing_count: int
    missing_request: int
    missing_fill: int
    """Sum of request * max(100, target) // 100 over the missing pods."""


def replicas_for_utilization(
    totals: UtilizationTotals, current: int, target_pct: int, tolerance: Tolerance
) -> Proposal:
    """Replicas that bring average utilization back to the target percent (GetResourceReplicas).

    Raises MetricFailed when the requests add up to 0.
    """
    if totals.request == 0:
        raise MetricFailed(MetricErrorCode.ZERO_REQUESTS)
    utilization = _wrapped(_quotient(totals.usage * 100, totals.request))
    first = utilization / target_pct
    value = _quotient(totals.usage, totals.pods)
    grow_with_unready = totals.unready_count > 0 and first > 1.0
    if not grow_with_unready and totals.missing_count == 0:
        replicas = _plain(first, totals.ready_count, current, tolerance)
        return Proposal(replicas, first, value, utilization, None, totals.ready_count, totals.unready_count)
    usage, request, samples = totals.usage, totals.request, totals.samples
    if totals.missing_count and first != 1.0:
        request += totals.missing_request
        samples += totals.missing_count
        usage += totals.missing_fill if first < 1.0 else 0
    if grow_with_unready:
        request += totals.unready_request
        samples += totals.unready_count
    second = _wrapped(_quotient(usage * 100, request)) / target_pct
    replicas = _careful(first, second, samples, current, tolerance)
    counts = totals.ready_count, totals.unready_count, totals.missing_count
    return Proposal(replicas, second, value, utilization, first, *counts)


def replicas_for_average(
    usage: int,
    samples: int,
    ready_count: int,
    unready_count: int,
    missing_count: int,
    current: int,
    target: int,
    tolerance: Tolerance,
) -> Proposal:
    """Replicas that bring the average per pod back to `target` (milli-units).

    `usage` and `samples` cover all samples in the table, those of vanished pods included.
    """
    average = _quotient(usage, samples)
    first = average / target
    grow_with_unready = unready_count > 0 and first > 1.0
    if not grow_with_unready and missing_count == 0:
        replicas = _plain(first, ready_count, current, tolerance)
        return Proposal(replicas, first, average, None, None, ready_count, unready_count)
    if missing_count and first != 1.0:
        samples += missing_count
        usage += target * missing_count if first < 1.0 else 0
    if grow_with_unready:
        samples += unready_count
    second = _quotient(usage, samples) / target
    replicas = _careful(first, second, samples, current, tolerance)
    return Proposal(replicas, second, average, None, first, ready_count, unready_count, missing_count)


def replicas_for_value(total: int, target: int, current: int, ready_pods: int | None, tolerance: Tolerance) -> Proposal:
    """Replicas for an Object or External metric with target Value.

    `ready_pods`: pods Running and Ready, None when no pod matches at all (an error once it is needed).
    """
    ratio = float(total) / float(target)  # Python divides integers above 2^53 more exactly than doubles are
    if current == 0:
        return Proposal(as_int32(ratio), ratio, total)
    if tolerance.within(ratio):
        return Proposal(current, ratio, total)
    if ready_pods is None:
        raise MetricFailed(MetricErrorCode.NO_PODS)
    return Proposal(min(math.ceil(ratio * ready_pods), INT32_MAX), ratio, total)


def replicas_for_total(
    total: int, target: int, status_replicas: int, tolerance: Tolerance, is_capped: bool = True
) -> Proposal:
    """Replicas for an Object or External metric with target AverageValue, from status.replicas.

    Inside the tolerance the answer is status.replicas, so a lagging status can itself move spec.replicas.
    Without replicas the reported value means nothing; it is the smallest int64, as the controller shows it.
    `is_capped`: numbers beyond an int32 become the largest one, which is so for External metrics alone.
    """
    wanted = as_int32(min(float(total) / float(target), INT32_MAX if is_capped else math.inf))
    if status_replicas == 0:
        return Proposal(wanted, math.inf if total else 0.0, INT64_MIN)
    ratio = float(total) / (float(target) * float(status_replicas))
    replicas = status_replicas if tolerance.within(ratio) else wanted
    return Proposal(replicas, ratio, math.ceil(float(total) / float(status_replicas)))


def as_int32(replicas: float) -> int:
    """Rounded up to an int32; what does not fit becomes the smallest one, as Go converts on amd64."""
    rounded = math.ceil(replicas)
    return rounded if INT32_MIN <= rounded <= INT32_MAX else INT32_MIN


def _quotient(number: int, divisor: int) -> int:
    """Divided by a positive number and truncated: a metric of pods may be negative."""
    return number // divisor if number >= 0 else -(-number // divisor)


def _wrapped(number: int) -> int:
    """An integer cut to the 32 bits of an int32."""
    return (number - INT32_MIN) % 2**32 + INT32_MIN


def _plain(ratio: float, ready_count: int, current: int, tolerance: Tolerance) -> int:
    return current if tolerance.within(ratio) else as_int32(ratio * ready_count)


def _careful(first: float, second: float, samples: int, current: int, tolerance: Tolerance) -> int:
    """The second pass: never change direction because of pods that were only assumed."""
    if tolerance.within(second) or (first < 1.0 < second) or (second < 1.0 < first):
        return current
    replicas = as_int32(second * samples)
    if (second < 1.0 and replicas > current) or (second > 1.0 and replicas < current):
        return current
    return replicas
