"""Requests that calm pods lose: those that find a pod full, and those whose wait would exceed their timeout.

A backlog that has reached its limit overflows by itself (`saturation.py`); here is what chance adds before that.
docs/model.md, "Losses".
"""

from typing import NamedTuple

import numpy as np

from planner.workloads.latency.blocking import blocked
from planner.workloads.latency.saturation import FluidStep
from planner.workloads.load.demand import Floats
from planner.workloads.load.step.pod_groups import CALM_MAX, PodGroups

_LEAST = 1e-9
_ENDLESS = 1e9
"""Room that no calm queue fills."""


class Refused(NamedTuple):
    """What pods lose by chance; columns."""

    rejected: Floats
    """Requests per second that find a pod full,"""
    late: Floats
    """and that time out."""
    most: Floats
    """Requests that a pod holds on average at most."""


def calm_losses(groups: PodGroups, rate: Floats) -> tuple[Floats, Refused | None]:
    """The rate that pods take of `rate`, and what they refuse; None where nothing can be lost.

    Past saturation a backlog overflows when it has reached its limit; what chance loses beyond that is added.
    """
    if not len(groups.can_lose):
        return rate, None
    rows, demands, laws = groups.can_lose, groups.demands, groups.laws
    rho = rate / np.maximum(groups.capacity_rate, _LEAST)
    rejected, late, most = np.zeros(len(rate)), np.zeros(len(rate)), np.full(len(rate), np.inf)
    room = demands.queue_limit[rows]
    full, number = blocked(groups.queues_that_lose, rho[rows], room, groups.variability[rows])
    patient = np.minimum(rho, CALM_MAX)
    endless = blocked(groups.queues_that_lose, patient[rows], np.full(len(rows), _ENDLESS), groups.variability[rows])[1]
    shorter = laws.number(patient)[rows] * np.minimum(number / endless, 1.0)
    most[rows] = np.where(rho[rows] < CALM_MAX, shorter, np.inf)
    overflows = 1.0 - 1.0 / np.maximum(rho[rows], 1.0)
    rejected[rows] = rate[rows] * np.maximum(full - overflows, 0.0)
    waiting, decay = laws.wait(patient)
    left_s = np.maximum(demands.timeout_s - demands.floor_s, 0.0)[rows]
    service_s = groups.servers[rows] / groups.capacity_rate[rows]
    chance = np.clip(waiting[rows], 0.0, 1.0) * np.exp(-np.minimum(left_s * decay[rows] / service_s, 700.0))
    late[rows] = (rate - rejected)[rows] * np.maximum(chance - overflows, 0.0)
    return rate - rejected - late, Refused(rejected, late, most)


def with_losses(
    groups: PodGroups, fluid: FluidStep, timed_out: Floats, refused: Refused, dt_s: float | Floats
) -> tuple[FluidStep, Floats]:
    """The step with what was refused, and the requests that timed out in it."""
    excess = np.maximum(fluid.in_flight - refused.most, 0.0)
    more = np.minimum(excess, np.maximum(groups.capacity_rate * dt_s - fluid.served, 0.0))
    beyond = excess - more
    overflow = fluid.overflow + (refused.rejected + refused.late) * dt_s + beyond
    return FluidStep(fluid.in_flight - excess, fluid.served + more, overflow), timed_out + refused.late * dt_s
