"""One pod over one step: its queue as a fluid, and the latency that follows from it.

Rules: spec/load-latency-cost.md sections 2 and 3.
"""

import math
from typing import NamedTuple

from planner.plan.serving import Balancer, Discipline
from planner.plan.traffic import Demand
from planner.units import US_PER_S
from planner.workloads.latency import mmc
from planner.workloads.latency.laws import Law, law_of
from planner.workloads.latency.mixture import PodLatency
from planner.workloads.latency.saturation import FluidStep, advance_in_flight, busy_share
from planner.workloads.latency.service_shape import shaped
from planner.workloads.latency.throttling import Quota

_CALM_MAX = 0.99
_CALM_IN_OVERLOAD = 0.9
_CALM_SHRINKS = 0.2
NO_LIMIT_MILLI = 1 << 40
"""A CPU limit of this or more is none."""


class PodStep(NamedTuple):
    """One pod over one step; `latency` has no part where the pod has no CPU for requests."""

    fluid: FluidStep
    timed_out: float
    latency: tuple[PodLatency, ...]
    throttled: float = 0.0
    """Share of the step in which the pod stands still because its quota is used up."""


def step_pod(
    demand: Demand, rate: float, capacity_milli: int, held: float, dt_s: float, pods: int, limit_milli: int
) -> PodStep:
    """Advance the queue of one of `pods` pods that gets `rate` requests/s and holds `held` requests."""
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
    law = law_of(demand, servers, pods)
    fluid = advance_in_flight(held, rate, service_rate, servers, dt_s, limit, law)
    timed_out = fluid.overflow if times_out else 0.0
    if service_rate <= 0.0:
        return PodStep(fluid, timed_out, ())
    floor_s = demand.latency_floor / US_PER_S
    latency = _latency(fluid.in_flight, rate, service_rate, servers, floor_s, limit, law)
    parts: tuple[PodLatency, ...] = (latency,)
    if limit_milli < NO_LIMIT_MILLI and demand.threads * 1000 > limit_milli:
        quota = Quota(limit_milli / 1000.0, demand.threads)
        return _throttled(demand, rate, PodStep(fluid, timed_out, parts), quota)
    if law is not None and demand.discipline is Discipline.QUEUE:
        parts = shaped(latency, demand.cv)
    return PodStep(fluid, timed_out, parts)


def _latency(
    x: float, rate: float, service_rate: float, servers: int, floor_s: float, limit: float, law: Law | None
) -> PodLatency:
    """Latency at a pod with `x` of at most `limit` requests.

    It is that of a calm queue and, before it, of the backlog that no calm queue explains. The calm queue is the
    stationary one of the load (up to rho 0.99), but never longer than x; so it is exact when stationary.
    """
    rho = min(rate / (servers * service_rate), _CALM_MAX)
    waiting, decay, calm = _calm(rho, servers, law)
    longest = min(x, _longest_calm(x, servers, law)) if rho > _CALM_IN_OVERLOAD else x
    if longest < calm:
        share = busy_share(longest, servers) if law is None else law.busy_share(longest)
        waiting, decay, _ = _calm(min(rho, share), servers, law)
        calm = longest
    backlog_s = (x - calm) / (servers * service_rate)
    latest_start_s = floor_s + limit / (servers * service_rate)
    return PodLatency(1.0, floor_s + backlog_s, 1.0 / service_rate, waiting, decay, latest_start_s)


def _calm(rho: float, servers: int, law: Law | None) -> tuple[float, float, float]:
    """Probability of waiting, decay of the wait, and mean number of requests."""
    if law is None:
        waiting = mmc.erlang_c(servers, rho)
        return waiting, servers * (1.0 - rho), servers * rho + waiting * rho / (1.0 - rho)
    waiting, decay = law.wait(rho)
    return waiting, decay, servers * rho * (1.0 + waiting / decay)


def _longest_calm(x: float, servers: int, law: Law | None) -> float:
    """Length of the fluctuating part of a queue of `x` near or past saturation.

    A growing backlog is nearly certain while a calm queue of that mean would scatter widely, so the calm part shrinks
    as x exceeds what it can explain, slowly enough that no percentile falls while x grows.
    """
    most = mmc.mean_number(servers, _CALM_MAX) if law is None else law.number(_CALM_MAX)
    if x <= most:
        return x
    least = mmc.mean_number(servers, _CALM_IN_OVERLOAD) if law is None else law.number(_CALM_IN_OVERLOAD)
    return max(least, most - _CALM_SHRINKS * (x - most))


def _throttled(demand: Demand, rate: float, step: PodStep, quota: Quota) -> PodStep:
    """The same step where threads run at full speed and then stand still instead of running slowly all the time."""
    (slow,) = step.latency
    servers = min(quota.threads, demand.concurrency) if demand.concurrency else quota.threads
    request_s = demand.cpu_seconds_per_request
    rho = min(rate * request_s / servers, _CALM_MAX)
    waiting, decay, _ = _calm(rho, servers, None)
    useful = Quota(max(1e-3, quota.limit_cores - demand.idle_cpu / 1000.0), quota.threads)
    parts = tuple(
        PodLatency(share, slow.fixed_s + delay_s, request_s, waiting, decay, slow.latest_start_s + delay_s)
        for share, delay_s in useful.delays(rate, request_s, demand.cv)
    )
    return step._replace(latency=parts, throttled=useful.throttled_share(rate, request_s, demand.cv))


def shares_a_queue(demand: Demand) -> bool:
    """Whether unlike pods take from one queue, each as fast as it can."""
    return demand.balancer is Balancer.SHARED_QUEUE
