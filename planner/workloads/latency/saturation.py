"""Changing load and overload: the mean number of requests at a pod as a fluid.

Pointwise stationary fluid flow approximation (Wang, Tipper, Banerjee 1996): dx/dt = lambda - m mu rho(x),
where rho(x) inverts the stationary mean number L(rho) of M/M/m. Source: spec/load-latency-cost.md section 3.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.workloads.latency import mmc

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
    x: float, arrival_rate: float, service_rate: float, servers: int, dt_s: float, limit: float = math.inf
) -> FluidStep:
    """Requests at a pod after `dt_s` seconds, starting with `x`; what exceeds `limit` overflows.

    `arrival_rate` and `service_rate` (of one server) are per second. Backward Euler, which is stable for any step;
    two step sizes are extrapolated, and halved while they disagree.
    """
    available = x + arrival_rate * dt_s
    if service_rate <= 0.0:
        kept = min(available, limit)
        return FluidStep(kept, 0.0, available - kept)
    coarse = _euler(x, arrival_rate, service_rate, servers, dt_s, 1)
    substeps = 2
    while True:
        fine = _euler(x, arrival_rate, service_rate, servers, dt_s, substeps)
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


def _euler(x: float, arrival_rate: float, service_rate: float, servers: int, dt_s: float, substeps: int) -> float:
    h = dt_s / substeps
    capacity = servers * service_rate * h
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


def fluid_waits(
    edges_s: Sequence[float], arrival: Sequence[float], capacity: Sequence[float], arrivals_s: Sequence[float]
) -> list[float]:
    """Wait of requests that arrive at `arrivals_s`: until the integral of capacity reaches the backlog before them.

    Rates are per second and constant from each of `edges_s` to the next, the last for ever; the backlog is 0 at the
    first edge. A request that is never served waits for ever (inf).
    """
    backlogs = [0.0]
    for i in range(len(edges_s) - 1):
        grown = (arrival[i] - capacity[i]) * (edges_s[i + 1] - edges_s[i])
        backlogs.append(max(0.0, backlogs[-1] + grown))
    waits = []
    for at_s in arrivals_s:
        i = max(k for k, edge_s in enumerate(edges_s) if edge_s <= at_s)
        backlog = max(0.0, backlogs[i] + (arrival[i] - capacity[i]) * (at_s - edges_s[i]))
        waits.append(_time_to_serve(edges_s, capacity, i, at_s, backlog))
    return waits


def _time_to_serve(edges_s: Sequence[float], capacity: Sequence[float], i: int, at_s: float, backlog: float) -> float:
    """Seconds from `at_s`, which lies in step `i`, until the capacity has worked off `backlog`."""
    now_s = at_s
    while backlog > 0.0:
        end_s = edges_s[i + 1] if i + 1 < len(edges_s) else math.inf
        if capacity[i] > 0.0 and backlog <= capacity[i] * (end_s - now_s):
            return now_s + backlog / capacity[i] - at_s
        if end_s == math.inf:
            return math.inf
        backlog -= capacity[i] * (end_s - now_s)
        now_s, i = end_s, i + 1
    return now_s - at_s
