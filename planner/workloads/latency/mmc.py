"""Stationary M/M/m queue: Poisson arrivals, m equal servers, exponential service.

Times are in units of the mean service time S = 1/mu; `load` is a = lambda/mu, `rho` is a/m < 1.
Source: spec/load-latency-cost.md section 3, "Calm". Rules named `..._of` take arrays.
"""

import math

import numpy as np
from numpy.typing import NDArray

_MAX_NEWTON = 60
_PRECISION = 1e-14


def log_late(percent: float) -> float:
    """Logarithm of the share of requests that may exceed a percentile."""
    return math.log1p(-percent / 100.0)


def erlang_b(servers: int, load: float) -> float:
    """Probability that all servers are busy when nobody may wait (Erlang's recursion)."""
    if servers == 1:
        return load / (1.0 + load)
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


def erlang_c(servers: int, rho: float) -> float:
    """Probability that a request has to wait."""
    blocked = erlang_b(servers, servers * rho)
    return blocked / (1.0 - rho * (1.0 - blocked))


def erlang_c_and_slope(servers: int, rho: float) -> tuple[float, float]:
    """Probability of waiting and its derivative by rho (for rho > 0)."""
    blocked = erlang_b(servers, servers * rho)
    free = 1.0 - rho * (1.0 - blocked)
    slope_b = servers * blocked * (1.0 / rho - 1.0 + blocked)
    slope = (slope_b * (1.0 - rho) + blocked * (1.0 - blocked)) / (free * free)
    return blocked / free, slope


def mean_wait(servers: int, rho: float) -> float:
    """Mean wait before service, all requests counted."""
    return erlang_c(servers, rho) / (servers * (1.0 - rho))


def mean_number(servers: int, rho: float) -> float:
    """Mean number of requests waiting or in service, L(rho)."""
    return servers * rho + erlang_c(servers, rho) * rho / (1.0 - rho)


def wait_percentile(servers: int, rho: float, percent: float) -> float:
    """Wait that `percent` % of all requests do not exceed; 0 when enough of them do not wait at all."""
    late = 1.0 - percent / 100.0
    waiting = erlang_c(servers, rho)
    return math.log(waiting / late) / (servers * (1.0 - rho)) if waiting > late else 0.0


def wait_tail(servers: int, rho: float, waiting: float, u: float) -> float:
    """P(wait > u) where `waiting` is erlang_c(servers, rho)."""
    return waiting * math.exp(-servers * (1.0 - rho) * u)


def response_tail(servers: int, rho: float, waiting: float, u: float) -> float:
    """P(wait + service > u) where `waiting` is erlang_c(servers, rho)."""
    return math.exp(_log_tail(servers, rho, waiting, u)[0])


def _log_tail(servers: int, rho: float, waiting: float, u: float) -> tuple[float, float]:
    """Logarithm of the response tail and its slope.

    The tail e^-u [1 + C (1 - e^-ud)/d] is written with the slower of its two exponentials in front, so that
    nothing overflows where d = m - 1 - a is negative.
    """
    d = servers * (1.0 - rho) - 1.0
    gap = abs(d)
    fast = math.exp(-u * gap)
    area = -math.expm1(-u * gap) / gap if gap > 1e-12 else u
    if d >= 0.0:
        rest = 1.0 + waiting * area
        return math.log(rest) - u, waiting * fast / rest - 1.0
    rest = fast + waiting * area
    slow = 1.0 - gap
    return math.log(rest) - slow * u, (waiting - gap) * fast / rest - slow


def response_percentile(servers: int, rho: float, waiting: float, percent: float) -> float:
    """Response time that `percent` % of requests do not exceed (`waiting` is erlang_c(servers, rho)).

    Newton's method on the logarithm of the tail, which is concave: it cannot leave the root's basin.
    """
    return response_at(servers, rho, waiting, log_late(percent))


def response_at(servers: int, rho: float, waiting: float, goal: float) -> float:
    """`response_percentile` by the logarithm `goal` of the share of requests that may exceed it."""
    if servers == 1:
        return -goal / (1.0 - rho)
    u = -goal
    for _ in range(_MAX_NEWTON):
        value, slope = _log_tail(servers, rho, waiting, u)
        step = (value - goal) / slope
        u -= step
        if abs(step) <= _PRECISION * u:
            break
    return u


def erlang_c_of(servers: NDArray[np.int64], rho: NDArray[np.float64]) -> NDArray[np.float64]:
    """`erlang_c` for many queues at once."""
    load = servers * rho
    blocked = np.ones(len(load))
    for n in range(1, int(servers.max(initial=0)) + 1):
        blocked = np.where(servers >= n, load * blocked / (n + load * blocked), blocked)
    return np.asarray(blocked / (1.0 - rho * (1.0 - blocked)))


def response_percentile_of(
    servers: NDArray[np.int64], rho: NDArray[np.float64], waiting: NDArray[np.float64], percent: float
) -> NDArray[np.float64]:
    """`response_percentile` for many queues at once."""
    goal = math.log1p(-percent / 100.0)
    d = servers * (1.0 - rho) - 1.0
    gap = np.maximum(np.abs(d), 1e-12)
    slow = np.where(d >= 0.0, 1.0, 1.0 + d)
    u = np.full(len(rho), -goal)
    for _ in range(_MAX_NEWTON):
        fast = np.exp(-u * gap)
        lead = np.where(d >= 0.0, 1.0, fast)
        rest = lead - waiting * np.expm1(-u * gap) / gap
        slope = np.where(d >= 0.0, waiting, waiting - gap) * fast / rest - slow
        step = (np.log(rest) - slow * u - goal) / slope
        u -= step
        if np.all(np.abs(step) <= _PRECISION * u):
            break
    return u
