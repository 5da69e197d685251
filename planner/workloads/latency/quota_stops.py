"""How often and for how long a CPU quota throttles requests: the CFS bandwidth limit of a container.

Threads work at full speed until the pod has used its quota of the period, then stand still until the period ends.
A request arrives anywhere in a period. Before it comes the work that arrived since the period began (Poisson arrivals,
gamma distributed) and what earlier periods left over; with its own work that makes k quotas and a rest, so it is done
in the k-th period from then. What is left over after each period is a random walk that cannot fall below zero: the
chance that anything is left is Spitzer's sum, and what is left then is taken as exponential with the mean of the
waits of M/G/1 that are not zero. Here work is done at once, however few threads do it, so errors grow with the
length of a request in quotas. Measured in tests/planner/workloads/latency/test_throttling.py.
"""

import math
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.gamma import gamma_tail
from planner.workloads.latency.mmc import Floats

PERIOD_S = 0.1
"""CFS period; what Kubernetes sets (kubelet 1.36, --cpu-cfs-quota-period)."""

_FULLEST = 0.97
"""Utilisation above which the fluid queue gives the length of the backlog."""
_PHASES = (np.arange(5) + 0.5) / 5
_QUOTAS = np.array([0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512])
_SINGLE = 4
"""Below so many quotas the phase of the arrival shows in the delay."""
_MIDDLE = np.append(0.5 * (_QUOTAS[:-1] + _QUOTAS[1:] - 1), _QUOTAS[-1])
_LEAST_SHARE = 1e-6
_NO_LOAD = 1e-12
"""Share of the limit below which no request is ever throttled, and squares would underflow."""
_SMALL_DRIFT = 0.2
_SPITZER = 20.0
_ZETA = 0.5826
"""-zeta(1/2) / sqrt(2 pi), of the discretely watched maximum of a random walk."""


class Stops(NamedTuple):
    """What requests meet: shares of them (sum 1), how long they stand still, how much slower they are served after."""

    share: Floats
    delay_s: Floats
    slower: Floats
    throttled: float
    """Share of time in which the pod is throttled."""


def quota_stops(
    limit_cores: float, threads: int, rate: float, request_s: float, cv: float, period_s: float
) -> Stops:  # fmt: skip
    """Stops of requests of `request_s` CPU seconds, `rate` of them a second; `threads` exceed `limit_cores`."""
    rate = min(rate, _FULLEST * limit_cores / request_s)
    if rate * request_s <= _NO_LOAD * limit_cores:
        return Stops(np.ones(1), np.zeros(1), np.ones(1), 0.0)
    quota, second = limit_cores * period_s, request_s * request_s * (1.0 + cv * cv)
    left = chance_of_rest(quota, rate * period_s * request_s, rate * period_s * second)
    rest = 0.5 * second / request_s / (1.0 - rate * request_s / limit_cores)
    before = _PHASES * rate * period_s
    found = []
    throttled = 0.0
    for chance, mean, variance in ((1.0 - left, 0.0, 0.0), (left, rest, rest * rest)):
        work, spread = before * request_s + mean, before * second + variance
        used_up = np.where(_PHASES * threads >= limit_cores, gamma_tail(np.asarray(quota), work, spread), 0.0)
        still = float(used_up.mean())
        throttled += chance * still
        slower = 1.0 / (1.0 - min(still, 1.0 - limit_cores / threads))
        beyond = gamma_tail(_QUOTAS[1:, None] * quota, work + request_s, spread + second - request_s * request_s)
        found.append(_delays(chance, beyond, slower, period_s))
    share, delay_s, slow = (np.concatenate(column) for column in zip(*found, strict=True))
    kept = share > _LEAST_SHARE
    return Stops(share[kept] / share[kept].sum(), delay_s[kept], slow[kept], throttled)


def _delays(chance: float, beyond: Floats, slower: float, period_s: float) -> tuple[Floats, Floats, Floats]:
    """Shares, delays, slow-downs from the chances, by quotas and phases, that a request needs more quotas than that."""
    ends = np.zeros((1, len(_PHASES)))
    share = np.vstack([ends + 1.0, beyond]) - np.vstack([beyond, ends])
    share *= chance / len(_PHASES)
    near = np.where(_QUOTAS[:_SINGLE, None] > 0, _QUOTAS[:_SINGLE, None] - _PHASES, 0.0)
    periods = np.append(near.ravel(), _MIDDLE[_SINGLE:] - 0.5)
    shares = np.append(share[:_SINGLE].ravel(), share[_SINGLE:].sum(axis=1))
    return shares, periods * period_s, np.where(periods > 0.0, slower, 1.0)


def chance_of_rest(quota: float, mean: float, variance: float) -> float:
    """Chance that a period leaves work over, where work of this mean and variance arrives in each (mean < quota)."""
    drift = (quota - mean) / math.sqrt(variance)
    if drift < _SMALL_DRIFT:
        return 1.0 - math.sqrt(2.0) * drift * math.exp(-_ZETA * drift)
    periods = np.arange(1.0, 3.0 + _SPITZER / drift**2)
    more = gamma_tail(periods * quota, periods * mean, periods * variance)
    return -math.expm1(-float((more / periods).sum()))
