"""One step of many workloads: load in; served and lost requests, requests in flight and latency out.

The model and its errors are described in docs/model.md. Ready pods share the load evenly; a backlog stays at its pod.
Requests in flight are those waiting for or using CPU; time on the latency floor adds to
latency only. Figures of latency are those of a request that arrives at the end of the step.
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.latency.free_response import PERCENTILES
from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.step.pod_groups import PodGroups
from planner.workloads.load.step.pod_queue import PodSteps, advance_pods, step_pods
from planner.workloads.load.step.responses import mixed_moments, mixed_percentiles_s


class WorkloadSteps(NamedTuple):
    """What happened in one step, a column entry a workload: requests as counts, times in seconds.

    offered + retried + in flight before = served + rejected + timed out + in flight after. Without any ready pod
    latencies are nan and everything is rejected; without CPU for requests they are inf.
    """

    offered: Floats
    served: Floats
    rejected: Floats
    timed_out: Floats
    in_flight: Floats
    mean_s: Floats
    p50_s: Floats
    p90_s: Floats
    p95_s: Floats
    p99_s: Floats
    error_ratio: Floats
    """Share of the requests that ended and were lost for good."""
    variance_s2: Floats
    """Variance of the latency."""
    throttled: Floats
    """Share of time in which a pod is throttled because its CPU quota is used up."""
    retried: Floats
    """Tries that came again after an earlier one was rejected or timed out."""
    gave_up: Floats
    """Those of `rejected` and `timed_out` that are not tried again."""


class PodWork(NamedTuple):
    """What a pod of each group holds at the end of a step, and how many requests it has served in it."""

    in_flight: Floats
    served: Floats


def step_workloads(
    groups: PodGroups, rate: Floats, held: Floats, dt_s: float | Floats
) -> tuple[WorkloadSteps, PodWork]:
    """One step of workloads that `rate` requests/s reach, and of their pods, of which each holds `held` requests.

    `held` has an entry for each of `groups`. Without a group that takes requests, a workload loses all that arrive.
    """
    n = len(rate)
    is_one_each = len(groups.service) == n and groups.is_one_each
    offered = rate * dt_s
    if is_one_each:
        pods = step_pods(groups, rate_at_pods(groups, rate), held, dt_s)
        count, fluid = groups.weight, pods.fluid
        served, overflow, timed_out, kept = (
            count * fluid.served, count * fluid.overflow, count * pods.timed_out, count * fluid.in_flight
        )  # fmt: skip
        throttled = np.zeros(n) if pods.throttled is None else pods.throttled
    else:
        of = groups.service
        dt = dt_s[of] if isinstance(dt_s, np.ndarray) else dt_s
        pods = step_pods(groups, rate_at_pods(groups, rate), held, dt)
        served, overflow, timed_out, kept = (_sums(of, groups.count * column, n) for column in _counts(pods))
        share = 0.0 if pods.throttled is None else pods.throttled
        throttled = _sums(of, groups.count * groups.shares * share, n)
        without = np.flatnonzero(np.bincount(of, groups.weight, minlength=n) == 0.0)
        overflow[without] += offered[without]
    finished = served + overflow
    errors = overflow / np.where(finished > 0.0, finished, 1.0)
    mean_s, variance_s2, percentiles = _latencies(groups, pods, n)
    steps = WorkloadSteps(
        offered, served, overflow - timed_out, timed_out, kept, mean_s, percentiles[0], percentiles[1], percentiles[2],
        percentiles[3], errors, variance_s2, throttled, np.zeros(n), overflow,
    )  # fmt: skip
    return steps, PodWork(pods.fluid.in_flight, pods.fluid.served)


def rate_at_pods(groups: PodGroups, rate: Floats) -> Floats:
    """Requests per second that reach a pod of each group, of the `rate` of each workload."""
    if len(groups.service) == len(rate) and groups.is_one_each:
        return rate / groups.pods
    return rate[groups.service] * groups.shares


def requests_held(groups: PodGroups, rate: Floats, held: Floats, dt_s: float | Floats) -> Floats:
    """Requests at the pods of each workload at the end of the step that `step_workloads` would do."""
    of = groups.service
    dt = dt_s[of] if isinstance(dt_s, np.ndarray) else dt_s
    queues = advance_pods(groups, rate[of] * groups.shares, held, dt)
    return _sums(of, groups.count * queues.fluid.in_flight, len(rate))


def _sums(of: Ints, values: Floats | Ints, n: int) -> Floats:
    """Sums by workload; of nothing at all `bincount` would make whole numbers."""
    return np.bincount(of, values, minlength=n).astype(np.float64)


def _counts(pods: PodSteps) -> tuple[Floats, Floats, Floats, Floats]:
    return pods.fluid.served, pods.fluid.overflow, pods.timed_out, pods.fluid.in_flight


def _latencies(groups: PodGroups, pods: PodSteps, n: int) -> tuple[Floats, Floats, Floats]:
    """Mean, variance and PERCENTILES (rows) of the latency of each workload, weighted by traffic."""
    parts, owner = pods.responses, groups.working_rows
    if not groups.takes.all():
        taking = np.flatnonzero(groups.takes[owner])
        parts, owner = parts.take(taking), owner[taking]
    of, weight = groups.service[owner], groups.weight
    if len(of) == n == len(groups.service) and (of == np.arange(n)).all():  # each workload has one part, as usual
        return parts.mean_s, parts.variance_s2, parts.percentiles_s()
    mean_s, variance_s2, percentiles = np.full(n, np.nan), np.full(n, np.nan), np.full((len(PERCENTILES), n), np.nan)
    served = np.bincount(groups.service, weight, minlength=n) > 0.0
    mean_s[served], variance_s2[served], percentiles[:, served] = np.inf, np.inf, np.inf
    if len(of):
        starts = np.flatnonzero(np.r_[True, of[1:] != of[:-1]])
        some, stuck = of[starts], _sums(groups.service[groups.idle], weight[groups.idle], n)
        mean_s[some], variance_s2[some] = mixed_moments(parts, starts)
        whole = _sums(groups.service, weight, n)
        percentiles[:, some] = mixed_percentiles_s(parts, starts, (stuck / np.maximum(whole, 1))[some])
        mean_s[stuck > 0.0] = variance_s2[stuck > 0.0] = np.inf
    return mean_s, variance_s2, percentiles
