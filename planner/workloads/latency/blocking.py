"""Losses of calm pods: requests that find a pod full, and requests that would wait longer than their timeout.

A pod with room for K requests is M/M/m/K: the wait of a request that need not be exponential is taken as one whose
length shrinks with the variability of arrivals and sizes, so that a place holds more of it. Exact for M/M/1/K and
M/M/m/K.
"""

import numpy as np

from planner.workloads.latency.mmc import Floats, Servers

_NEAR = 1e-9
_LONGEST = 1e9
_RAREST = 1e100
_LEAST_LOAD = 1e-50
_LEAST_VARIABILITY = 0.05


class BoundedQueues:
    """Pods of `room` for requests in all, prepared once and evaluated many times."""

    def __init__(self, queues: Servers, room: Floats, variability: Floats) -> None:
        """`room`: one row of columns, or several.

        `variability`: that of arrivals and sizes, (c_a^2 + c_s^2) / 2; 1 for exponential ones.
        """
        self._queues = queues
        self._room, self._is_bounded = room, np.isfinite(room)
        self._variability = np.maximum(variability, _LEAST_VARIABILITY)
        places = np.maximum(room - queues.servers, 0.0) / self._variability
        self._places = np.minimum(places, _LONGEST)

    def blocked(self, rho: Floats) -> tuple[Floats, Floats]:
        """Share of arrivals that are blocked, and mean number of requests; `rho` may exceed 1."""
        servers, places = self._queues.servers, self._places
        known = np.minimum(np.where(np.abs(rho - 1.0) < _NEAR, 1.0 + _NEAR, rho), 50.0)
        erlang_b = _erlang_b(self._queues, known)
        ratio = np.maximum(known, _LEAST_LOAD)
        # Divided by the largest power of the ratio, so that nothing overflows above saturation.
        power, is_over = np.exp(-places * np.abs(np.log(ratio))), ratio > 1.0
        first, last = np.where(is_over, power, 1.0), np.where(is_over, 1.0, power)
        total = first + erlang_b * ratio * (last - first) / (ratio - 1.0)
        lost = np.minimum(np.maximum(erlang_b * last / total, 0.0), 1.0)
        share = np.where(self._is_bounded, lost, 0.0)
        held = first - (places + 1.0) * last + places * last * ratio
        queue = np.maximum(erlang_b / total * ratio * held / (1.0 - ratio) ** 2, 0.0)
        number = np.minimum(servers, servers * known * (1.0 - share)) + queue * self._variability
        return share, np.where(self._is_bounded, np.minimum(number, self._room), np.inf)


def _erlang_b(queues: Servers, rho: Floats) -> Floats:
    """Probability that all servers are busy, in a queue without places; as a sum of falling powers."""
    term, total = np.ones(rho.shape), np.ones(rho.shape)
    load = np.maximum(queues.servers * rho, _LEAST_LOAD)
    for left in range(queues.most_servers):
        inside = queues.servers > left
        term = np.where(inside, np.minimum(term * np.maximum(queues.servers - left, 0.0) / load, _RAREST), 0.0)
        total = total + term
    return np.asarray(1.0 / total)
