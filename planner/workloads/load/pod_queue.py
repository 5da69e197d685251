"""Groups of pods over one step: their queues as fluids, and the latency that follows from them.

docs/model.md, "Latency of a calm pod" and "Changing load and overload".
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from planner.workloads.latency import mmc
from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.mixture import PodLatency
from planner.workloads.latency.quota_stops import PERIOD_S, Stops, quota_stops
from planner.workloads.latency.saturation import FluidStep, advance_in_flight
from planner.workloads.latency.service_shape import shaped
from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.pod_groups import CALM_IN_OVERLOAD, CALM_MAX, PodGroups

_CALM_SHRINKS = 0.1
"""Less than one over the slope of a p99 in the mean wait, 8.4 where requests share the cores."""
_LEAST_CORES = 1e-3


class PodSteps(NamedTuple):
    """A pod of each group over one step; columns."""

    fluid: FluidStep
    timed_out: Floats
    throttled: Floats | None
    """Share of the step in which the pod is throttled because its quota is used up; None: nowhere."""
    latency: PodLatency
    """Parts of the response time. Groups without CPU for requests have none."""
    owner: Ints
    """The group of each part, ascending."""


def step_pods(groups: PodGroups, rate: Floats, held: Floats, dt_s: float | Floats) -> PodSteps:
    """Advance the queues of pods that get `rate` requests/s each and hold `held` requests each."""
    fluid = advance_in_flight(held, rate, groups.capacity_rate, groups.laws, dt_s, groups.limit)
    if len(groups.without_queue):
        fluid = _without_queue(groups, fluid, rate, held, dt_s)
    if len(groups.finishing):
        fluid = _finishing(groups, fluid, held, dt_s)
    timed_out = np.where(groups.times_out, fluid.overflow, 0.0)
    working, rows, rates, x = groups.working, groups.working_rows, rate, fluid.in_flight
    if working is not groups:
        rates, x = rate[rows], x[rows]
    latency, owner = _latency(working, x, rates), rows
    stops = [_stops(working, rates, row) for row in working.throttled.tolist()]
    if stops or len(working.shaped):
        latency, parts = _in_parts(working, latency, rates, stops)
        owner = rows[parts]
    throttled = None
    if stops:
        throttled = np.zeros(len(rate))
        throttled[rows[working.throttled]] = [one.throttled for one in stops]
    return PodSteps(fluid, timed_out, throttled, latency, owner)


def _without_queue(groups: PodGroups, fluid: FluidStep, rate: Floats, held: Floats, dt_s: float | Floats) -> FluidStep:
    """The step where some pods refuse at once what they have no server for; the requests they hold are in service."""
    could = groups.capacity_rate
    busy = np.minimum(1.0, rate / np.where(could > 0.0, could, np.inf))
    available = held + rate * dt_s
    kept = np.minimum(available, groups.servers * busy)
    served = np.minimum(available - kept, could * dt_s)
    rows, whole = groups.without_queue, (kept, served, available - kept - served)
    columns = tuple(np.array(column) for column in fluid)
    for column, own in zip(columns, whole, strict=True):
        column[rows] = own[rows]
    return FluidStep(*columns)


def _finishing(groups: PodGroups, fluid: FluidStep, held: Floats, dt_s: float | Floats) -> FluidStep:
    """The step where some pods get no more requests: they work at full speed until none is left."""
    rows = groups.finishing
    kept, served, overflow = (np.array(column) for column in fluid)
    served[rows] = np.minimum(held, groups.capacity_rate * dt_s)[rows]
    kept[rows], overflow[rows] = held[rows] - served[rows], 0.0
    return FluidStep(kept, served, overflow)


def _latency(groups: PodGroups, x: Floats, rate: Floats) -> PodLatency:
    """Latency at pods with `x` requests.

    It is that of a calm queue and, before it, of the backlog that no calm queue explains. The calm queue is the
    stationary one of the load (up to rho 0.99), but never longer than x; so it is exact when stationary. A queue that
    is nearly as long as it may be has no room to scatter.
    """
    laws, capacity_rate = groups.laws, groups.capacity_rate
    rho = np.minimum(rate / capacity_rate, CALM_MAX)
    waiting, decay = laws.wait(rho)
    calm = groups.servers * rho * (1.0 + waiting / decay)
    longest, near_full = x, rho > CALM_IN_OVERLOAD
    if np.count_nonzero(near_full):
        longest = np.where(near_full, np.minimum(x, _longest_calm(groups, x)), x)
    longest = np.minimum(longest, np.maximum(groups.servers, groups.limit - x))
    short = longest < calm
    if np.count_nonzero(short):
        share = np.minimum(rho, busy_share(laws, longest, 0.0, rho))
        waiting_short, decay_short = laws.wait(share)
        waiting, decay = np.where(short, waiting_short, waiting), np.where(short, decay_short, decay)
        calm = np.where(short, longest, calm)
    fixed_s = groups.demands.floor_s + (x - calm) / capacity_rate
    return PodLatency(
        groups.weight, fixed_s, groups.service_s, waiting, decay, groups.latest_start_s, groups.shared
    )  # fmt: skip


def _longest_calm(groups: PodGroups, x: Floats) -> Floats:
    """Length of the fluctuating part of queues of `x` near or past saturation.

    A growing backlog is nearly certain while a calm queue of that mean would scatter widely, so the calm part shrinks
    as x exceeds what it can explain, slowly enough that no percentile falls while x grows.
    """
    most, least = groups.calm_numbers
    return np.where(x <= most, x, np.maximum(least, most - _CALM_SHRINKS * (x - most)))


def _in_parts(groups: PodGroups, latency: PodLatency, rate: Floats, stops: Sequence[Stops]) -> tuple[PodLatency, Ints]:
    """The latency in parts where quotas stop threads or requests are of two kinds; also the group of each part."""
    latency = latency._replace(shared=~groups.demands.queueing)
    special = np.r_[groups.throttled, groups.shaped]
    plain = np.setdiff1d(np.arange(len(rate)), special)
    found, owners = [latency.take(plain)], [plain]
    for row, met in zip(groups.throttled.tolist(), stops, strict=True):
        parts = _throttled(groups, latency, rate, row, met)
        found.append(parts)
        owners.append(np.full(len(np.asarray(parts.fixed_s)), row))
    if len(groups.shaped):
        rows = groups.shaped
        cv = groups.demands.cv[rows]
        first, second = shaped(latency.take(rows), cv)
        twice = np.flatnonzero(cv > 1.0)
        found.extend((first, second.take(twice)))
        owners.extend((rows, rows[twice]))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    return PodLatency(*(np.concatenate(column)[order] for column in zip(*found, strict=True))), owner[order]


def _stops(groups: PodGroups, rate: Floats, row: int) -> Stops:
    """What the quota does to the requests of a group; idle use takes of it, too."""
    demands = groups.demands
    cores = max(_LEAST_CORES, float(groups.limit_milli[row] - demands.idle_cpu[row]) / 1000.0)
    threads, request_s = int(demands.workers[row]), float(demands.cpu_seconds[row])
    return quota_stops(cores, threads, float(rate[row]), request_s, float(demands.cv[row]), PERIOD_S)


def _throttled(groups: PodGroups, slow: PodLatency, rate: Floats, row: int, stops: Stops) -> PodLatency:
    """The latency where threads run at full speed and then stand still instead of running slowly all the time."""
    demands, cv = groups.demands, float(groups.demands.cv[row])
    servers = demands.workers[row]
    rho = min(rate[row] * demands.cpu_seconds[row] / servers, CALM_MAX)
    alone, like = slow.take(np.array([row])), np.ones(len(stops.share))
    delayed = PodLatency(
        alone.weight * stops.share, alone.fixed_s + stops.delay_s, demands.cpu_seconds[row] * stops.slower,
        mmc.Servers(servers).erlang_c(rho) * like, servers * (1.0 - rho) * like, alone.latest_start_s + stops.delay_s,
        like < 0.0,
    )  # fmt: skip
    first, second = shaped(delayed, cv)
    if cv <= 1.0:
        return first
    return PodLatency(*(np.concatenate(pair) for pair in zip(first, second, strict=True)))
