"""One step of one workload: load in; served and lost requests, requests in flight, CPU use and latency out.

Rules: spec/load-latency-cost.md sections 2 and 3. Ready pods share the load evenly; the backlog is spread evenly
again in every step. Requests in flight are those waiting for or using CPU; time on the latency floor adds to
latency only. Figures of latency are those of a request that arrives at the end of the step.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.traffic import Demand
from planner.units import US_PER_S
from planner.workloads.latency import mixture, mmc
from planner.workloads.latency.mixture import PodLatency
from planner.workloads.pod_queue import NO_LIMIT_MILLI, PodStep, shares_a_queue, step_pod

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PERCENTILES = (50, 90, 95, 99)
_LOG_LATE = tuple(mmc.log_late(percent) for percent in PERCENTILES)
_ROUNDING_MILLI = 1e-6


class WorkloadStep(NamedTuple):
    """What happened in one step: requests as counts, times in seconds, CPU in milli-CPU.

    offered + retried + in flight before = served + rejected + timed out + in flight after. `cpu_used_milli` is the
    mean of a ready pod. Without any ready pod latencies are nan and everything is rejected.
    """

    offered: float
    served: float
    rejected: float
    timed_out: float
    in_flight: float
    cpu_used_milli: int
    mean_s: float
    p50_s: float
    p90_s: float
    p95_s: float
    p99_s: float
    error_ratio: float
    """Share of the requests that ended and were lost for good."""
    variance_s2: float = math.nan
    """Variance of the latency."""
    throttled: float = 0.0
    """Share of time in which a pod stands still because its CPU quota is used up."""
    retried: float = 0.0
    """Tries that came again after an earlier one was rejected or timed out."""
    gave_up: float = 0.0
    """Of `rejected` and `timed_out` those that nobody tries again."""

    def percentile_s(self, percent: int) -> float:
        """The latency percentile `percent`, one of PERCENTILES."""
        return (self.p50_s, self.p90_s, self.p95_s, self.p99_s)[PERCENTILES.index(percent)]


def cpu_needed_milli(demand: Demand, offered_rate: float, pods: int, in_flight: float, dt_us: int) -> int:
    """CPU that each ready pod wants in this step: its load, the work it has in flight, and its idle use.

    This is what a node divides among its pods, each capped by its limit.
    """
    if pods == 0:
        return 0
    requests_per_s = (offered_rate + in_flight * US_PER_S / dt_us) / pods
    return demand.idle_cpu + _whole_milli(requests_per_s * demand.cpu_seconds_per_request * 1000.0)


def cpu_used_milli(demand: Demand, offered_rate: float, pods: int, capacity_milli: int) -> int:
    """CPU that the metrics see per pod: min(lambda s + idle, what the pod got)."""
    wanted = offered_rate * demand.cpu_seconds_per_request * 1000.0 / pods + demand.idle_cpu
    return min(_whole_milli(min(wanted, 1e15)), capacity_milli)


def cpu_needed_milli_of(
    cpu_seconds: Floats, idle_milli: Ints, offered_rate: Floats, pods: Ints, in_flight: Floats, dt_us: int
) -> Ints:
    """`cpu_needed_milli` of many workloads at once, bit for bit the same; `cpu_seconds` are those of one request."""
    requests_per_s = (offered_rate + in_flight * US_PER_S / dt_us) / np.maximum(pods, 1)
    needed = idle_milli + _whole_milli_of(requests_per_s * cpu_seconds * 1000.0)
    return np.asarray(np.where(pods > 0, needed, 0), np.int64)


def cpu_wanted_milli_of(
    cpu_seconds: Floats, idle_milli: Ints, offered_rate: Floats, pods: Ints, nearest: bool = False
) -> Ints:
    """`cpu_used_milli` of many workloads at once before the cap by capacity; that of one pod without any.

    `nearest`: rounded half up instead of up, as the load generator of the recorded whole runs does.
    """
    milli = offered_rate * cpu_seconds * 1000.0 / np.maximum(pods, 1) + idle_milli
    if nearest:
        return np.asarray(np.floor(np.minimum(milli, 1e15) + 0.5), np.int64)
    return _whole_milli_of(milli)


def step_equal_pods(
    demand: Demand,
    offered_rate: float,
    pods: int,
    capacity_milli: int,
    in_flight: float,
    dt_us: int,
    limit_milli: int = NO_LIMIT_MILLI,
) -> WorkloadStep:
    """One step of a workload whose `pods` ready pods can all use `capacity_milli` (idle use included).

    `in_flight` is that of the whole workload at the start of the step, `offered_rate` its requests per second.
    `limit_milli` is the CPU limit of a pod, for its quota.
    """
    dt_s = dt_us / US_PER_S
    offered = offered_rate * dt_s
    if pods <= 0:
        return _nobody_serves(offered, in_flight)
    pod = step_pod(demand, offered_rate / pods, capacity_milli, in_flight / pods, dt_s, pods, limit_milli)
    used = cpu_used_milli(demand, offered_rate, pods, capacity_milli)
    return _collect(offered, ((pods, pod),), _latency_of_equal(pod.latency), used)


def step_pods(
    demand: Demand,
    offered_rate: float,
    capacity_milli: NDArray[np.int64],
    in_flight: float,
    dt_us: int,
    limit_milli: int = NO_LIMIT_MILLI,
) -> tuple[WorkloadStep, NDArray[np.int64]]:
    """The same for pods with different capacities, one entry a ready pod; also CPU used by each."""
    pods = len(capacity_milli)
    if pods == 0:
        return step_equal_pods(demand, offered_rate, 0, 0, in_flight, dt_us), np.zeros(0, np.int64)
    first = int(capacity_milli[0])
    if shares_a_queue(demand):
        mean = int(capacity_milli.sum()) // pods
        step = step_equal_pods(demand, offered_rate, pods, mean, in_flight, dt_us, limit_milli)
        return step, np.minimum(capacity_milli, cpu_used_milli(demand, offered_rate, pods, mean))
    if (capacity_milli == first).all():  # the usual case, without sorting
        step = step_equal_pods(demand, offered_rate, pods, first, in_flight, dt_us, limit_milli)
        return step, np.full(pods, cpu_used_milli(demand, offered_rate, pods, first))
    values, member, counts = np.unique(capacity_milli, return_inverse=True, return_counts=True)
    capacities = [int(value) for value in values]
    used = np.array([cpu_used_milli(demand, offered_rate, pods, value) for value in capacities])[member]
    dt_s = dt_us / US_PER_S
    rate, held = offered_rate / pods, in_flight / pods
    groups = [
        (int(count), step_pod(demand, rate, value, held, dt_s, pods, limit_milli))
        for count, value in zip(counts, capacities, strict=True)
    ]
    latency = _latency_of_groups([(count, pod.latency) for count, pod in groups])
    return _collect(offered_rate * dt_s, groups, latency, int(used.sum()) // pods), used


def _latency_of_equal(parts: Sequence[PodLatency]) -> tuple[float, ...]:
    """Mean, PERCENTILES in seconds, and variance; inf where a pod has no CPU for requests."""
    if not parts:
        return (math.inf,) * 6
    if len(parts) == 1:
        return (parts[0].mean_s(), *parts[0].percentiles_s(_LOG_LATE), parts[0].variance_s2())
    percentiles = (mixture.percentile_s(parts, percent) for percent in PERCENTILES)
    return (mixture.mean_s(parts), *percentiles, mixture.variance_s2(parts))


def _latency_of_groups(groups: Sequence[tuple[int, Sequence[PodLatency]]]) -> tuple[float, ...]:
    """The same over unlike pods, weighted by traffic (every pod gets the same).

    Requests that meet a pod without CPU wait for ever; the percentiles count them.
    """
    pods = [part._replace(weight=part.weight * count) for count, parts in groups for part in parts]
    if not pods:
        return _latency_of_equal(())
    starved = sum(count for count, parts in groups if not parts) / sum(count for count, _ in groups)
    return (
        math.inf if starved > 0.0 else mixture.mean_s(pods),
        *(
            math.inf if starved >= 1.0 - percent / 100.0 else mixture.percentile_s(pods, percent / (1.0 - starved))
            for percent in PERCENTILES
        ),
        math.inf if starved > 0.0 else mixture.variance_s2(pods),
    )


def _collect(
    offered: float, groups: Sequence[tuple[int, PodStep]], latency: tuple[float, ...], used_milli: int
) -> WorkloadStep:
    pods = 0
    served = overflow = timed_out = in_flight = throttled = 0.0
    for count, pod in groups:
        (kept, done, spilt), lost_late, _, stopped = pod
        pods += count
        served += count * done
        overflow += count * spilt
        timed_out += count * lost_late
        in_flight += count * kept
        throttled += count * stopped
    finished = served + overflow
    error_ratio = overflow / finished if finished > 0.0 else 0.0
    mean_s, p50_s, p90_s, p95_s, p99_s, variance_s2 = latency
    return WorkloadStep(
        offered, served, overflow - timed_out, timed_out, in_flight, used_milli,
        mean_s, p50_s, p90_s, p95_s, p99_s, error_ratio, variance_s2,
        throttled / pods, 0.0, overflow,
    )  # fmt: skip


def _nobody_serves(offered: float, in_flight: float) -> WorkloadStep:
    """Without ready pods new requests and those in flight are lost."""
    lost = offered + in_flight
    nan = math.nan
    failing = 1.0 if lost > 0.0 else 0.0
    return WorkloadStep(offered, 0.0, lost, 0.0, 0.0, 0, nan, nan, nan, nan, nan, failing, gave_up=lost)


def _whole_milli(milli: float) -> int:
    """Upwards to whole milli-CPU, as MilliValue() rounds, forgiving the last bits of a float."""
    return math.ceil(min(milli, 1e15) - _ROUNDING_MILLI)


def _whole_milli_of(milli: Floats) -> Ints:
    """`_whole_milli` of many values."""
    return np.asarray(np.ceil(np.minimum(milli, 1e15) - _ROUNDING_MILLI), np.int64)
