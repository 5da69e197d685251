"""Changing load and overload: the mean number of requests at a pod as a fluid.

Pointwise stationary fluid flow approximation (Wang, Tipper, Banerjee 1996): dx/dt = lambda - m mu rho(x),
where rho(x) inverts the stationary mean number L(rho) of a law of `laws.py`. Its errors: docs/model.md, "Changing load
and overload".
"""

import math
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.busy_share import busy_share
from planner.workloads.latency.laws import Laws
from planner.workloads.latency.mmc import Amounts, Floats

_TOLERANCE = 1e-3
_MAX_SUBSTEPS = 16
_STILL = 1e-12
_LEAST = 1e-100
_NOT_FULL = 0.98
_HALVES = np.array([[1.0], [0.5]])


class FluidStep(NamedTuple):
    """Pods over one step: start + arrived = `in_flight` + `served` + `overflow`."""

    in_flight: Floats
    served: Floats
    overflow: Floats


def advance_in_flight(
    x: Amounts, arrival_rate: Amounts, capacity_rate: Floats, laws: Laws, dt_s: Amounts, limit: Amounts = math.inf
) -> FluidStep:
    """Requests at pods after `dt_s` seconds, starting with `x`; what exceeds `limit` overflows.

    `arrival_rate` and `capacity_rate` (of all servers of a pod) are per second. Backward Euler, which is stable for any
    step; two step sizes are extrapolated, and halved while they disagree. A steady queue stays as it is.
    """
    arrived, could = np.asarray(arrival_rate * np.asarray(dt_s)), capacity_rate * dt_s
    available = x + arrived
    near = None if laws.of_single else _near(arrived, could)
    both, share = _implicit(x, _HALVES * arrived, _HALVES * could, laws, near)
    coarse = both[0]
    fine, _ = _implicit(both[1], 0.5 * arrived, 0.5 * could, laws, share[1])
    coarse, fine = _refined(x, arrived, could, laws, coarse, fine)
    lowest = np.maximum(0.0, available - could)
    end = 2.0 * fine - coarse
    within = (lowest <= end) & (end <= available)
    if np.count_nonzero(within) < within.size:
        end = np.where(within, end, np.minimum(available, np.maximum(lowest, fine)))
    end = np.where(np.abs(end - x) <= _STILL * end, np.minimum(x, available), end)
    kept = np.minimum(end, limit)
    return FluidStep(kept, available - end, end - kept)


def _near(arrived: Floats, could: Floats) -> Floats:
    """How busy the pods are if they do just what arrives; 0 where that may be too much."""
    rho = arrived / np.maximum(could, _LEAST)
    return np.where(rho < _NOT_FULL, rho, 0.0)


def _refined(
    x: Amounts, arrived: Floats, could: Floats, laws: Laws, coarse: Floats, fine: Floats
) -> tuple[Floats, Floats]:
    """The last two results of ever more substeps, until they agree."""
    rows = (np.abs(fine - coarse) > _TOLERANCE * (0.1 + fine)).nonzero()[0]
    substeps = 2
    if len(rows):
        x, arrived, could = (np.broadcast_to(column, fine.shape) for column in (x, arrived, could))
    while len(rows) and substeps < _MAX_SUBSTEPS:
        substeps *= 2
        some, part, most = laws.take(rows), arrived[rows] / substeps, could[rows] / substeps
        finer, near = np.asarray(x)[rows], None
        for _ in range(substeps):
            finer, near = _implicit(finer, part, most, some, near)
        coarse[rows], fine[rows] = fine[rows], finer
        rows = rows[np.abs(finer - coarse[rows]) > _TOLERANCE * (0.1 + finer)]
    return coarse, fine


def _implicit(
    x: Amounts, arrived: Floats, could: Floats, laws: Laws, near: Floats | None = None
) -> tuple[Floats, Floats]:
    """One backward Euler step; also how busy the pods are at its end."""
    available = x + arrived
    share = busy_share(laws, available, could, near)
    return np.maximum(0.0, available - could * share), share
