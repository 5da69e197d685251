"""Groups of pods over one step: their queues as fluids, and the latency that follows from them.

docs/model.md, "Latency of a calm pod" and "Changing load and overload".
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.pod_latency import PodLatency
from planner.workloads.latency.saturation import FluidStep, advance_in_flight
from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.step.calm_losses import calm_losses, with_losses
from planner.workloads.load.step.pod_groups import CALM_IN_OVERLOAD, CALM_MAX, PodGroups
from planner.workloads.load.step.responses import Responses, responses_of


class PodSteps(NamedTuple):
    """A pod of each group over one step; columns."""

    fluid: FluidStep
    timed_out: Floats
    throttled: Floats | None
    """Share of the step in which the pod is throttled because its quota is used up; None: nowhere."""
    responses: Responses
    """Of the groups that have CPU for requests."""


class PodQueues(NamedTuple):
    """A pod of each group at the end of a step; columns."""

    fluid: FluidStep
    timed_out: Floats
    admitted: Floats
    """Requests per second that pods took in."""


def advance_pods(groups: PodGroups, rate: Floats, held: Floats, dt_s: float | Floats) -> PodQueues:
    """Advance the queues of pods that get `rate` requests/s each and hold `held` requests each."""
    admitted, refused = calm_losses(groups, rate, held)
    fluid = advance_in_flight(held, admitted, groups.capacity_rate, groups.laws, dt_s, groups.limit)
    timed_out = np.where(groups.times_out, fluid.overflow, 0.0)
    if refused is not None:
        fluid, timed_out = with_losses(groups, fluid, timed_out, refused, dt_s)
    if len(groups.without_queue):
        fluid = _without_queue(groups, fluid, rate, held, dt_s)
    if len(groups.finishing):
        fluid = _finishing(groups, fluid, held, dt_s)
        timed_out = np.where(groups.takes, timed_out, 0.0)
    return PodQueues(fluid, timed_out, admitted)


def step_pods(groups: PodGroups, rate: Floats, held: Floats, dt_s: float | Floats) -> PodSteps:
    """The same, with the latency of the requests that come at the end of the step."""
    fluid, timed_out, admitted = advance_pods(groups, rate, held, dt_s)
    working, rows, rates, x = groups.working, groups.working_rows, admitted, fluid.in_flight
    if working is not groups:
        rates, x = admitted[rows], x[rows]
    latency, load = _latency(working, x, rates)
    throttled = None
    if len(working.throttled):
        throttled = np.zeros(len(rate))
        throttled[rows] = _throttled(working, fluid.served[rows] / _of(dt_s, rows))
    return PodSteps(fluid, timed_out, throttled, responses_of(working, latency, load))


def losses_of(groups: PodGroups, rate: Floats, held: Floats) -> Floats | None:
    """What chance takes of each group, a row as the kernel has it (`QuotaPods.one`); None where it takes nothing."""
    taken, refused = calm_losses(groups, rate, held)
    if refused is None:
        return None
    return np.stack((taken, refused.rejected + refused.late, refused.late, refused.most), axis=1)


def _of(dt_s: float | Floats, rows: Ints) -> float | Floats:
    return dt_s[rows] if isinstance(dt_s, np.ndarray) else dt_s


def _throttled(groups: PodGroups, served_rate: Floats) -> Floats:
    """Share of the time in which the pods of each group stand still because their quota is used up."""
    found, rows, laws = np.zeros(len(served_rate)), groups.throttled, groups.laws
    if laws.tables is not None and laws.quota is not None:
        busy = np.minimum(served_rate[rows] / groups.capacity_rate[rows], 1.0)
        found[rows] = laws.tables.throttled(laws.quota[rows], busy)
    return found


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


def _latency(groups: PodGroups, x: Floats, rate: Floats) -> tuple[PodLatency, Floats]:
    """Latency at pods with `x` requests, and the utilisation that explains its calm part.

    It is that of a calm queue and, before it, of the backlog that no calm queue explains. The calm queue is the
    stationary one of the load (up to rho 0.99), but never longer than x; so it is exact when stationary. A queue that
    is nearly as long as it may be has no room to scatter.
    """
    laws, capacity_rate = groups.laws, groups.capacity_rate
    rho = np.minimum(rate / capacity_rate, CALM_MAX)
    waiting, decay = laws.wait(rho)
    calm = groups.servers * rho * (1.0 + waiting / decay) + groups.floor_load * rho
    longest, near_full = x, rho > CALM_IN_OVERLOAD
    if np.count_nonzero(near_full):
        longest = np.where(near_full, np.minimum(x, _longest_calm(groups, x)), x)
    longest = np.minimum(longest, np.maximum(groups.servers, groups.limit - x))
    short = longest < calm
    if np.count_nonzero(short):
        share = np.minimum(rho, busy_share(laws, longest, 0.0, rho))
        waiting_short, decay_short = laws.wait(share)
        waiting, decay = np.where(short, waiting_short, waiting), np.where(short, decay_short, decay)
        calm, rho = np.where(short, longest, calm), np.where(short, share, rho)
    fixed_s = groups.demands.floor_s + (x - calm) / capacity_rate
    own = (groups.service_s, waiting, decay, groups.latest_start_s, groups.shared)
    return PodLatency(groups.weight, fixed_s, *own), rho


def _longest_calm(groups: PodGroups, x: Floats) -> Floats:
    """Length of the fluctuating part of queues of `x` near or past saturation.

    A growing backlog is nearly certain while a calm queue of that mean would scatter widely, so the calm part shrinks
    as x exceeds what it can explain, slowly enough that no percentile falls while x grows.
    """
    most, least = groups.calm_numbers
    return np.where(x <= most, x, np.maximum(least, most - groups.calm_shrinks * (x - most)))
