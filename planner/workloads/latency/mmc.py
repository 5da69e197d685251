"""Stationary M/M/m queues: Poisson arrivals, m equal servers, exponential service.

Times are in units of the mean service time S = 1/mu; `load` is a = lambda/mu, `rho` is a/m < 1. All rules take
numbers or columns, one entry a group of pods. A wait that is positive with probability `waiting` and then exponential
with rate `decay` describes M/M/m (decay m - a) and, approximately, its relatives in `laws.py`. Erlang's formulas are
those of any textbook on queues (Kleinrock, Queueing Systems I, 1975, section 3.5).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.workloads.latency.share_of_one import waiting_of_one

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Amounts = float | Floats
Counts = int | Ints | Floats

_MAX_NEWTON = 60
_CLOSE = 1e-7
"""A step of Newton's method as short as this ends at the precision of a double."""
_EXPONENTIAL = 1e-12
_LEAST_GAP = 1e-12
_LEAST_LOAD = 1e-100
_RAREST = 1e100
"""Where a derivative is needed; its square is still a double."""
_FEW = 200
"""Steps of Erlang's recursion that are faster taken one by one."""


def log_late(percent: Amounts) -> Floats:
    """Logarithm of the share of requests that may exceed a percentile."""
    return np.log1p(-np.asarray(percent) / 100.0)


class Servers:
    """Queues of so many servers each, prepared once and evaluated many times."""

    def __init__(self, servers: Counts, scalar_twins: bool = True) -> None:
        """`scalar_twins`: short columns are computed in plain numbers."""
        self.servers = np.asarray(servers, np.float64)  # spares a conversion in every product
        self.counts: list[int] = np.ravel(self.servers).astype(np.int64).tolist()
        self.most_servers = max(self.counts, default=1)
        self._is_single = bool((self.servers == 1).all())
        steps = len(self.counts) * (self.most_servers + 8)
        self._is_short = scalar_twins and self.servers.ndim == 1 and steps <= _FEW and not self._is_single
        self._left = np.maximum(self.servers[..., np.newaxis] - np.arange(int(self.servers.max(initial=1))), 0)
        self._inside = self._left > 0
        self._are_alike = bool(self._inside.all())

    def _rarity(self, load: Floats) -> Floats:
        """1/B, B being the probability that all servers are busy in a queue without waiting room.

        Erlang's recursion written out as the sum 1 + m/a + m(m-1)/a^2 + ..., all columns at once; infinite where B
        is below the least double.
        """
        if self._is_single:
            return np.asarray(1.0 + 1.0 / np.maximum(load, _LEAST_LOAD), np.float64)
        ratios = self._left / np.maximum(load, _LEAST_LOAD)[..., np.newaxis]
        terms = ratios.cumprod(axis=-1)
        if not self._are_alike:
            terms = np.where(self._inside, terms, 0.0)
        return np.asarray(1.0 + terms.sum(axis=-1))

    def erlang_c(self, rho: Amounts) -> Floats:
        """Probability that a request has to wait."""
        if isinstance(rho, np.ndarray) and self._is_short and rho.shape == self.servers.shape:
            return np.array(list(map(waiting_of_one, self.counts, rho.tolist())), np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            rarity = self._rarity(self.servers * np.asarray(rho))
        return np.asarray(1.0 / (rho + rarity * (1.0 - rho)))

    def erlang_c_and_slope(self, rho: Floats) -> tuple[Floats, Floats]:
        """Probability of waiting and its derivative by rho > 0; where it is tiny, NumPy may warn of overflows."""
        rarity = np.minimum(self._rarity(self.servers * rho), _RAREST)
        free, rare = 1.0 - rho, rarity - 1.0
        waiting = 1.0 / (1.0 + free * rare)
        return waiting, waiting * waiting * (self.servers * (rarity * free / rho + 1.0) * free + rare)


def sojourn_at(waiting: Amounts, decay: Amounts, goal: Amounts) -> Floats:
    """Time that a request exceeds with the probability whose logarithm is `goal`.

    Newton's method on the logarithm of the tail. That is concave or convex all the way and starts above `goal`, so
    the method converges from one side (after the first step).
    """
    closed = np.asarray(-goal / np.asarray(decay))
    settled = np.abs(np.add(waiting, decay) - 1.0) <= _EXPONENTIAL
    if settled.all():  # one server: wait and service together are exponential
        return closed
    shape = _shape(waiting, decay)
    u = np.where(settled, closed, -np.asarray(goal))
    for _ in range(_MAX_NEWTON):
        value, slope = _log_tail(shape, u)
        step = (value - goal) / slope
        step = np.where(settled, 0.0, step)
        u = u - step
        settled = settled | (np.abs(step) <= _CLOSE * u)
        if settled.all():
            break
    return u


class _Shape(NamedTuple):
    """What the tail e^-u [1 + C (1 - e^-ud)/d], d = decay - 1, needs besides u.

    It is written with the slower of its two exponentials in front, so that nothing overflows where d is negative.
    """

    waiting: Amounts
    gap: Floats
    """|d|, but never 0: the tail is continuous there."""
    behind: Bools
    """Where d is negative."""
    slow: Floats
    lead: Floats
    """Factor of the fast exponential in the slope."""


def _shape(waiting: Amounts, decay: Amounts) -> _Shape:
    behind = np.less(decay, 1.0)
    gap = np.maximum(np.abs(np.asarray(decay) - 1.0), _LEAST_GAP)
    return _Shape(waiting, gap, behind, np.minimum(decay, 1.0), np.where(behind, waiting - gap, waiting))


def _log_tail(shape: _Shape, u: Amounts) -> tuple[Floats, Floats]:
    """Logarithm of the tail of wait plus service and its slope."""
    waiting, gap, behind, slow, lead = shape
    exponent = -u * gap
    fast = np.exp(exponent)
    rest = np.where(behind, fast, 1.0) - waiting * np.expm1(exponent) / gap
    return np.log(rest) - slow * u, lead * fast / rest - slow
