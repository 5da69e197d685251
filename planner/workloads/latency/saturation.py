"""Changing load and overload: the mean number of requests at a pod as a fluid.

Pointwise stationary fluid flow approximation (Wang, Tipper, Banerjee 1996): dx/dt = lambda - m mu rho(x),
where rho(x) inverts the stationary mean number L(rho) of M/M/m or of another law of `laws.py`.
Source: spec/load-latency-cost.md section 3.
"""

import math
from typing import NamedTuple

from planner.workloads.latency import mmc
from planner.workloads.latency.laws import Law

_TOLERANCE = 1e-3
_MAX_SUBSTEPS = 16
_MAX_NEWTON = 60
_PRECISION = 1e-13
_FULL = 1.0 - 1e-14


class FluidStep(NamedTuple):
    """One pod over one step: start + arrived = `in_flight` + `served` + `overflow`."""

    in_flight: float
    served: float
    overflow: float


def advance_in_flight(
    x: float,
    arrival_rate: float,
    service_rate: float,
    servers: int,
    dt_s: float,
    limit: float = math.inf,
    law: Law | None = None,
) -> FluidStep:
    """Requests at a pod after `dt_s` seconds, starting with `x`; what exceeds `limit` overflows.

    `arrival_rate` and `service_rate` (of one server) are per second. Backward Euler, which is stable for any step;
    two step sizes are extrapolated, and halved while they disagree. `law` None is M/M/m.
    """
    available = x + arrival_rate * dt_s
    if service_rate <= 0.0:
        kept = min(available, limit)
        return FluidStep(kept, 0.0, available - kept)
    coarse = _euler(x, arrival_rate, service_rate, servers, dt_s, 1, law)
    substeps = 2
    while True:
        fine = _euler(x, arrival_rate, service_rate, servers, dt_s, substeps, law)
        if abs(fine - coarse) <= _TOLERANCE * (0.1 + fine) or substeps >= _MAX_SUBSTEPS:
            break
        coarse = fine
        substeps *= 2
    lowest = max(0.0, available - servers * service_rate * dt_s)
    end = 2.0 * fine - coarse
    if not lowest <= end <= available:
        end = min(available, max(lowest, fine))
    kept = min(end, limit)
    return FluidStep(kept, available - end, end - kept)


def _euler(
    x: float, arrival_rate: float, service_rate: float, servers: int, dt_s: float, substeps: int, law: Law | None
) -> float:
    h = dt_s / substeps
    capacity = servers * service_rate * h
    if law is not None:
        for _ in range(substeps):
            available = x + arrival_rate * h
            x = max(0.0, available - capacity * law.busy_share(available, capacity))
        return x
    if servers == 1:  # the same without the calls in between: most pods have one server
        arrived = arrival_rate * h
        for _ in range(substeps):
            available = x + arrived
            left = available - capacity * _single_share(available, capacity)
            x = left if left > 0.0 else 0.0
        return x
    for _ in range(substeps):
        available = x + arrival_rate * h
        x = max(0.0, available - capacity * busy_share(available, servers, capacity))
    return x


def busy_share(available: float, servers: int, capacity: float = 0.0) -> float:
    """The rho that solves L(rho) + capacity * rho = available; with `capacity` 0 the inverse of L.

    `capacity` is what the servers could serve in an implicit step. Below 1, up to the precision of a double.
    """
    if available <= 0.0:
        return 0.0
    if servers == 1:
        return _single_share(available, capacity)
    low = _single_share(available, capacity + servers)
    if low >= _FULL:
        return low
    odds_low, odds_high = low / (1.0 - low), available
    odds = odds_low
    for _ in range(_MAX_NEWTON):
        rho = odds / (1.0 + odds)
        waiting, slope = mmc.erlang_c_and_slope(servers, rho)
        missing = (servers + capacity) * rho + waiting * odds - available
        if missing > 0.0:
            odds_high = odds
        else:
            odds_low = odds
        share = 1.0 - rho
        step = missing / ((servers + capacity + slope * odds) * share * share + waiting)
        odds -= step
        if not odds_low <= odds <= odds_high:
            odds = 0.5 * (odds_low + odds_high)
        elif abs(step) <= _PRECISION * odds:
            break
    return odds / (1.0 + odds)


def _single_share(available: float, capacity: float) -> float:
    """Root of rho/(1-rho) + capacity rho = available, written without cancellation."""
    total = 1.0 + capacity + available
    return 2.0 * available / (total + math.sqrt(total * total - 4.0 * capacity * available))
