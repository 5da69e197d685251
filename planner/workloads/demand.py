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

from planner.plan.traffic import Demand, Slo
from planner.units import US_PER_S
from planner.workloads.latency import mixture, mmc
from planner.workloads.latency.mixture import PodLatency
from planner.workloads.latency.saturation import FluidStep, advance_in_flight, busy_share

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
PERCENTILES = (50, 90, 95, 99)
_LOG_LATE = tuple(mmc.log_late(percent) for percent in PERCENTILES)
_CALM_MAX = 0.99
_CALM_IN_OVERLOAD = 0.9
_CALM_SHRINKS = 0.2
_ROUNDING_MILLI = 1e-6


class WorkloadStep(NamedTuple):
    """What happened in one step: requests as counts, times in seconds, CPU in milli-CPU.

    offered + in flight before = served + rejected + timed out + in flight after. `cpu_used_milli` is the mean of a
    ready pod. Without any ready pod latencies are nan and everything is rejected.
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
    demand: Demand, offered_rate: float, pods: int, capacity_milli: int, in_flight: float, dt_us: int
) -> WorkloadStep:
    """One step of a workload whose `pods` ready pods can all use `capacity_milli` (idle use included).

    `in_flight` is that of the whole workload at the start of the step, `offered_rate` its requests per second.
    """
    dt_s = dt_us / US_PER_S
    offered = offered_rate * dt_s
    if pods <= 0:
        return _nobody_serves(offered, in_flight)
    pod = _step_pod(demand, offered_rate / pods, capacity_milli, in_flight / pods, dt_s)
    used = cpu_used_milli(demand, offered_rate, pods, capacity_milli)
    return _collect(offered, ((pods, pod),), _latency_of_equal(pod.latency), used)


def step_pods(
    demand: Demand, offered_rate: float, capacity_milli: NDArray[np.int64], in_flight: float, dt_us: int
) -> tuple[WorkloadStep, NDArray[np.int64]]:
    """The same for pods with different capacities, one entry a ready pod; also CPU used by each."""
    pods = len(capacity_milli)
    if pods == 0:
        return step_equal_pods(demand, offered_rate, 0, 0, in_flight, dt_us), np.zeros(0, np.int64)
    first = int(capacity_milli[0])
    if (capacity_milli == first).all():  # the usual case, without sorting
        step = step_equal_pods(demand, offered_rate, pods, first, in_flight, dt_us)
        return step, np.full(pods, cpu_used_milli(demand, offered_rate, pods, first))
    values, member, counts = np.unique(capacity_milli, return_inverse=True, return_counts=True)
    capacities = [int(value) for value in values]
    used = np.array([cpu_used_milli(demand, offered_rate, pods, value) for value in capacities])[member]
    dt_s = dt_us / US_PER_S
    rate, held = offered_rate / pods, in_flight / pods
    groups = [
        (int(count), _step_pod(demand, rate, value, held, dt_s))
        for count, value in zip(counts, capacities, strict=True)
    ]
    latency = _latency_of_groups([(count, pod.latency) for count, pod in groups])
    return _collect(offered_rate * dt_s, groups, latency, int(used.sum()) // pods), used


def slo_met(step: WorkloadStep, slo: Slo) -> bool:
    """Whether the step kept both the latency target and the error ratio (False when nothing could be served)."""
    return step.percentile_s(slo.percentile) * US_PER_S <= slo.target and step.error_ratio <= slo.max_error_ratio


class _PodStep(NamedTuple):
    """One pod over one step; `latency` is None where the pod has no CPU for requests."""

    fluid: FluidStep
    timed_out: float
    latency: PodLatency | None


def _step_pod(demand: Demand, rate: float, capacity_milli: int, held: float, dt_s: float) -> _PodStep:
    """Advance the queue of one pod that gets `rate` requests/s and holds `held` requests."""
    cores = capacity_milli / 1000.0
    servers = max(1, capacity_milli // 1000)
    if demand.concurrency:
        servers = min(servers, demand.concurrency)
    service_rate = max(0.0, cores - demand.idle_cpu / 1000.0) / servers / demand.cpu_seconds_per_request
    limit = float(demand.queue_limit or math.inf)
    times_out = False
    if demand.timeout:
        # Whoever finds more than this before him would wait beyond the timeout; he counts as lost on arrival.
        longest = servers + servers * service_rate * demand.timeout / US_PER_S
        times_out = longest < limit
        limit = min(limit, longest)
    fluid = advance_in_flight(held, rate, service_rate, servers, dt_s, limit)
    latency = None
    if service_rate > 0.0:
        floor_s = demand.latency_floor / US_PER_S
        latency = _pod_latency(fluid.in_flight, rate, service_rate, servers, floor_s, limit)
    return _PodStep(fluid, fluid.overflow if times_out else 0.0, latency)


def _pod_latency(x: float, rate: float, service_rate: float, servers: int, floor_s: float, limit: float) -> PodLatency:
    """Latency at a pod with `x` of at most `limit` requests.

    It is that of a calm queue and, before it, of the backlog that no calm queue explains. The calm queue is the
    stationary one of the load (up to rho 0.99), but never longer than x; so it is exact when stationary.
    """
    rho = min(rate / (servers * service_rate), _CALM_MAX)
    waiting = mmc.erlang_c(servers, rho)
    calm = servers * rho + waiting * rho / (1.0 - rho)
    longest = min(x, _longest_calm(x, servers)) if rho > _CALM_IN_OVERLOAD else x
    if longest < calm:
        rho, calm = min(rho, busy_share(longest, servers)), longest
        waiting = mmc.erlang_c(servers, rho)
    backlog_s = (x - calm) / (servers * service_rate)
    latest_start_s = floor_s + limit / (servers * service_rate)
    return PodLatency(1.0, floor_s + backlog_s, 1.0 / service_rate, servers, rho, waiting, latest_start_s)


def _longest_calm(x: float, servers: int) -> float:
    """Length of the fluctuating part of a queue of `x` near or past saturation.

    A growing backlog is nearly certain while a calm queue of that mean would scatter widely, so the calm part shrinks
    as x exceeds what it can explain, slowly enough that no percentile falls while x grows.
    """
    most = mmc.mean_number(servers, _CALM_MAX)
    if x <= most:
        return x
    return max(mmc.mean_number(servers, _CALM_IN_OVERLOAD), most - _CALM_SHRINKS * (x - most))


def _latency_of_equal(latency: PodLatency | None) -> tuple[float, ...]:
    """Mean, then PERCENTILES, in seconds; inf where a pod has no CPU for requests."""
    if latency is None:
        return (math.inf,) * 5
    return (latency.mean_s(), *latency.percentiles_s(_LOG_LATE))


def _latency_of_groups(groups: Sequence[tuple[int, PodLatency | None]]) -> tuple[float, ...]:
    """The same over unlike pods, weighted by traffic (every pod gets the same).

    Requests that meet a pod without CPU wait for ever; the percentiles count them.
    """
    pods = [own._replace(weight=float(count)) for count, own in groups if own is not None]
    if not pods:
        return _latency_of_equal(None)
    starved = 1.0 - sum(pod.weight for pod in pods) / sum(count for count, _ in groups)
    return (
        math.inf if starved > 0.0 else mixture.mean_s(pods),
        *(
            math.inf if starved >= 1.0 - percent / 100.0 else mixture.percentile_s(pods, percent / (1.0 - starved))
            for percent in PERCENTILES
        ),
    )


def _collect(
    offered: float, groups: Sequence[tuple[int, _PodStep]], latency: tuple[float, ...], used_milli: int
) -> WorkloadStep:
    served = overflow = timed_out = in_flight = 0.0
    for count, pod in groups:
        kept, done, spilt = pod.fluid
        served += count * done
        overflow += count * spilt
        timed_out += count * pod.timed_out
        in_flight += count * kept
    finished = served + overflow
    error_ratio = overflow / finished if finished > 0.0 else 0.0
    mean_s, p50_s, p90_s, p95_s, p99_s = latency
    return WorkloadStep(
        offered, served, overflow - timed_out, timed_out, in_flight, used_milli,
        mean_s, p50_s, p90_s, p95_s, p99_s, error_ratio,
    )  # fmt: skip


def _nobody_serves(offered: float, in_flight: float) -> WorkloadStep:
    """Without ready pods new requests and those in flight are lost."""
    lost = offered + in_flight
    nan = math.nan
    return WorkloadStep(offered, 0.0, lost, 0.0, 0.0, 0, nan, nan, nan, nan, nan, 1.0 if lost > 0.0 else 0.0)


def _whole_milli(milli: float) -> int:
    """Upwards to whole milli-CPU, as MilliValue() rounds, forgiving the last bits of a float."""
    return math.ceil(min(milli, 1e15) - _ROUNDING_MILLI)


def _whole_milli_of(milli: Floats) -> Ints:
    """`_whole_milli` of many values."""
    return np.asarray(np.ceil(np.minimum(milli, 1e15) - _ROUNDING_MILLI), np.int64)
