"""Requests that calm pods lose: those that find a pod full, and those whose wait would exceed their timeout.

A backlog that has reached its limit overflows by itself (`saturation.py`); here is what chance adds before that.
docs/model.md, "Losses".
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.latency.saturation import FluidStep
from planner.workloads.load.demand import Floats
from planner.workloads.load.step.pod_groups import CALM_MAX, PodGroups

_LEAST = 1e-9
_RARE = 1e-6
_HALVINGS = 14


class Refused(NamedTuple):
    """What pods lose by chance; columns."""

    rejected: Floats
    """Requests per second that find a pod full,"""
    late: Floats
    """and that time out."""
    most: Floats
    """Requests that a pod holds on average at most."""


def calm_losses(groups: PodGroups, rate: Floats, held: Floats) -> tuple[Floats, Refused | None]:
    """The rate that pods take of `rate`, and what they refuse; None where nothing can be lost.

    Past saturation a pod first fills: as long as it holds fewer requests than in the long run, chance loses only what
    it will lose beyond the overflow. A full pod refuses all that it will not serve.
    """
    if not groups.some_lose:
        return rate, None
    rho, laws = rate / np.maximum(groups.capacity_rate, _LEAST), groups.laws
    patient = np.minimum(rho, CALM_MAX)
    calm = laws.wait(patient)
    blocked, numbers = groups.bounded_queues.blocked(np.stack((rho, patient)))
    full, number, endless = blocked[0], numbers[0], numbers[1]
    shorter = laws.number_after(patient, *calm) * np.minimum(number / endless, 1.0)
    most = np.where(groups.loses, np.where(rho < CALM_MAX, shorter, number), np.inf)
    filled = np.minimum(held / np.maximum(number, _LEAST), 1.0)
    overflows = (1.0 - 1.0 / np.maximum(rho, 1.0)) * (1.0 - filled)
    rejected = rate * np.maximum(full - overflows, 0.0) * groups.loses
    late = np.zeros(len(rate))
    if groups.some_time_out:
        late = (rate - rejected) * _late_share(groups, patient, calm) * (rho < 1.0)
    return rate - rejected - late, Refused(rejected, late, most)


def _late_share(groups: PodGroups, rho: Floats, calm: tuple[Floats, Floats]) -> Floats:
    """Share of requests whose wait would exceed their timeout: those that are lost shorten the queue of the others.

    `calm`: what the laws say of the wait at `rho`.
    """
    left_s = np.maximum(groups.demands.timeout_s - groups.demands.floor_s, 0.0)
    service_s = groups.servers / np.maximum(groups.capacity_rate, _LEAST)

    def share(waiting: Floats, decay: Floats) -> Floats:
        beyond = np.exp(-np.minimum(left_s * decay / service_s, 700.0))
        return np.asarray(np.minimum(np.maximum(waiting, 0.0), 1.0) * beyond * groups.loses)

    if float(share(*calm).max()) < _RARE:
        return np.zeros(len(rho))
    low, high = np.zeros(len(rho)), rho
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        above = rho * (1.0 - share(*groups.laws.wait(middle))) < middle
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.where(rho > _LEAST, 1.0 - high / np.maximum(rho, _LEAST), 0.0)


def with_losses(
    groups: PodGroups, fluid: FluidStep, timed_out: Floats, refused: Refused, dt_s: float | Floats
) -> tuple[FluidStep, Floats]:
    """The step with what was refused, and the requests that timed out in it."""
    excess = np.maximum(fluid.in_flight - refused.most, 0.0)
    # What chance refuses leaves room: a pod that has CPU to spare serves what a queue without bounds would hold.
    bounded = np.isfinite(refused.most) & ~groups.times_out
    beyond = excess + np.where(bounded, fluid.overflow, 0.0)
    more = np.minimum(beyond, np.maximum(groups.capacity_rate * dt_s - fluid.served, 0.0))
    overflow = np.where(bounded, 0.0, fluid.overflow) + beyond - more + (refused.rejected + refused.late) * dt_s
    return FluidStep(fluid.in_flight - excess, fluid.served + more, overflow), timed_out + refused.late * dt_s
