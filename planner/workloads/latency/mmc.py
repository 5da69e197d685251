"""Stationary M/M/m queue: Poisson arrivals, m equal servers, exponential service.

Times are in units of the mean service time S = 1/mu; `load` is a = lambda/mu, `rho` is a/m < 1.
Source: spec/load-latency-cost.md section 3, "Calm". A wait that is positive with probability `waiting` and then
exponential with rate `decay` describes M/M/m (decay m - a) and, approximately, its relatives in `laws.py`.
"""

import math

import numpy as np

_MAX_NEWTON = 60
_PRECISION = 1e-14
_EXPONENTIAL = 1e-12
_LONG_RECURSION = 256


def log_late(percent: float) -> float:
    """Logarithm of the share of requests that may exceed a percentile."""
    return math.log1p(-percent / 100.0)


def erlang_b(servers: int, load: float) -> float:
    """Probability that all servers are busy when nobody may wait (Erlang's recursion)."""
    if servers == 1:
        return load / (1.0 + load)
    if servers > _LONG_RECURSION:
        return _erlang_b_of_many(servers, load)
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


def _erlang_b_of_many(servers: int, load: float) -> float:
    """The recursion written out as the sum 1/B = 1 + m/a + m(m-1)/a^2 + ..., for thousands of servers."""
    if load <= 0.0:
        return 0.0
    with np.errstate(over="ignore"):
        return 1.0 / (1.0 + float(np.cumprod(np.arange(servers, 0, -1) / load).sum()))


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
    return sojourn_tail(waiting, servers * (1.0 - rho), u)


def response_percentile(servers: int, rho: float, waiting: float, percent: float) -> float:
    """Response time that `percent` % of requests do not exceed (`waiting` is erlang_c(servers, rho))."""
    return sojourn_at(waiting, servers * (1.0 - rho), log_late(percent))


def sojourn_tail(waiting: float, decay: float, u: float) -> float:
    """P(wait + service > u), service being exponential with mean 1."""
    return math.exp(_log_tail(waiting, decay, u)[0])


def sojourn_at(waiting: float, decay: float, goal: float) -> float:
    """Time that a request exceeds with the probability whose logarithm is `goal`.

    Newton's method on the logarithm of the tail, kept between the bounds it has passed.
    """
    if abs(waiting + decay - 1.0) <= _EXPONENTIAL:  # one server: wait and service together are exponential
        return -goal / decay
    low, high = 0.0, math.inf
    u = -goal
    for _ in range(_MAX_NEWTON):
        value, slope = _log_tail(waiting, decay, u)
        if value > goal:
            low = u
        else:
            high = u
        step = (value - goal) / slope
        if abs(step) <= _PRECISION * u:
            return u - step
        u -= step
        if not low <= u <= high:
            u = 0.5 * (low + high) if high < math.inf else 2.0 * low
    return u


def _log_tail(waiting: float, decay: float, u: float) -> tuple[float, float]:
    """Logarithm of the tail of wait plus service and its slope.

    The tail e^-u [1 + C (1 - e^-ud)/d], d = decay - 1, is written with the slower of its two exponentials in front,
    so that nothing overflows where d is negative.
    """
    d = decay - 1.0
    gap = abs(d)
    fast = math.exp(-u * gap)
    area = -math.expm1(-u * gap) / gap if gap > 1e-12 else u
    if d >= 0.0:
        rest = 1.0 + waiting * area
        return math.log(rest) - u, waiting * fast / rest - 1.0
    rest = fast + waiting * area
    slow = 1.0 - gap
    return math.log(rest) - slow * u, (waiting - gap) * fast / rest - slow
