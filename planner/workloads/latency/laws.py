"""Stationary laws besides M/M/m: how a Service balances, and first come first served with any variability.

Times are in units of the mean service time S. A law gives, for utilisation rho < 1 of a pod, the probability of
waiting and the rate at which the tail of the wait decays; everything else follows. Exact: round-robin over
one-server pods, the shared queue, one server with `queue`. The rest is scaled from those by the wait of M/M/m.
Source: spec/load-latency-cost.md section 3, "Calm" and "Balancer".
"""

import math
from typing import NamedTuple

from planner.plan.serving import Balancer, Discipline
from planner.plan.traffic import Demand
from planner.workloads.latency import mmc

_MAX_STEPS = 60
_PRECISION = 1e-12
_FULL = 1.0 - 1e-13


class Law(NamedTuple):
    """One of `pods` like pods of `servers` servers each, behind a balancer."""

    servers: int
    pods: int
    balancer: Balancer
    cv: float = 1.0
    """Variability of service demand as far as the discipline lets it matter; 1 is exponential."""

    def wait(self, rho: float) -> tuple[float, float]:
        """Probability of waiting, and the decay of the wait's tail per mean service time."""
        servers, waiting = self.servers, mmc.erlang_c(self.servers, rho)
        decay = servers * (1.0 - rho)
        if self.balancer is Balancer.SHARED_QUEUE:
            servers *= self.pods
            waiting, decay = mmc.erlang_c(servers, rho), servers * (1.0 - rho)
        elif self.balancer is Balancer.ROUND_ROBIN:
            sigma = round_robin_sigma(self.pods, rho)
            waiting, decay = waiting * sigma / rho if rho > 0.0 else 0.0, self.servers * (1.0 - sigma)
        elif self.balancer is Balancer.LEAST_OF_TWO and rho > 0.0:
            waiting, decay = self._least_of_two(rho, waiting)
        return waiting, decay / self._stretch(rho, servers)

    def _least_of_two(self, rho: float, waiting: float) -> tuple[float, float]:
        """The limit for many pods, never better than one queue for all of them."""
        alone = waiting / (self.servers * (1.0 - rho))
        many = alone * least_of_two_wait(rho) * (1.0 - rho) / rho
        together = mmc.mean_wait(self.servers * self.pods, rho)
        return waiting * rho, waiting * rho / max(many, together, 1e-300)

    def _stretch(self, rho: float, servers: int) -> float:
        if self.cv == 1.0:
            return 1.0
        arrival = 1.0 / self.pods if self.balancer is Balancer.ROUND_ROBIN else 1.0
        return wait_stretch(servers, rho, self.cv, arrival)

    def number(self, rho: float) -> float:
        """Mean number of requests at a pod, L(rho)."""
        waiting, decay = self.wait(rho)
        return self.servers * rho * (1.0 + waiting / decay)

    def busy_share(self, available: float, capacity: float = 0.0) -> float:
        """The rho that solves L(rho) + capacity rho = available; false position on the odds rho / (1 - rho)."""
        if available <= 0.0:
            return 0.0
        low, low_value = 0.0, -available
        high = max(available, 1e-9)
        high_value = self._missing(high, capacity, available)
        while high_value < 0.0:
            low, low_value = high, high_value
            high *= 2.0
            if high / (1.0 + high) >= _FULL:
                return _FULL
            high_value = self._missing(high, capacity, available)
        side = 0
        for _ in range(_MAX_STEPS):
            if high - low <= _PRECISION * high:
                break
            odds = high - high_value * (high - low) / (high_value - low_value)
            value = self._missing(odds, capacity, available)
            if abs(value) <= _PRECISION * available:
                return odds / (1.0 + odds)
            if value > 0.0:  # an end that stays is given half its weight (Illinois)
                high, high_value = odds, value
                low_value *= 0.5 if side > 0 else 1.0
                side = 1
            else:
                low, low_value = odds, value
                high_value *= 0.5 if side < 0 else 1.0
                side = -1
        return high / (1.0 + high)

    def _missing(self, odds: float, capacity: float, available: float) -> float:
        rho = odds / (1.0 + odds)
        return self.number(rho) + capacity * rho - available


def law_of(demand: Demand, servers: int, pods: int) -> Law | None:
    """The law of a workload's pods; None where it is M/M/m, which `mmc` knows in closed form."""
    if demand.balancer is Balancer.RANDOM and demand.discipline is Discipline.SHARING:  # nearly always
        return None
    cv = demand.cv if demand.discipline is Discipline.QUEUE else 1.0
    balancer = demand.balancer if pods > 1 else Balancer.RANDOM
    return None if cv == 1.0 and balancer is Balancer.RANDOM else Law(servers, pods, balancer, cv)


def wait_stretch(servers: int, rho: float, cv: float, arrival_cv2: float = 1.0) -> float:
    """Mean wait, first come first served, over that of exponential service.

    Allen-Cunneen for cv >= 1. Below, the wait goes with cv^2 from the one of constant service (Cosmetatos) to that of
    exponential service; for one server this is Pollaczek-Khinchine, exact.
    """
    cv2 = cv * cv
    if arrival_cv2 != 1.0 or cv >= 1.0:
        return (arrival_cv2 + cv2) / (arrival_cv2 + 1.0)
    return cv2 + (1.0 - cv2) * constant_service_stretch(servers, rho)


def constant_service_stretch(servers: int, rho: float) -> float:
    """Wait of M/D/m over that of M/M/m (Cosmetatos 1976); never above 1."""
    if rho <= 0.0:
        return 1.0 if servers > 1 else 0.5
    more = (1.0 - rho) * (servers - 1) * (math.sqrt(4.0 + 5.0 * servers) - 2.0) / (16.0 * servers * rho)
    return min(1.0, 0.5 * (1.0 + more))


def round_robin_sigma(pods: int, rho: float) -> float:
    """Root below 1 of sigma = (n rho / (n rho + 1 - sigma))^n: an arrival of E_n/M/1 finds the server busy.

    Newton's method from 0 on a convex function: it climbs to the root without passing it.
    """
    if rho <= 0.0:
        return 0.0
    sigma, load = 0.0, pods * rho
    for _ in range(_MAX_STEPS):
        power = (load / (load + 1.0 - sigma)) ** pods
        step = (power - sigma) / (1.0 - pods * power / (load + 1.0 - sigma))
        sigma += step
        if step <= 1e-15 * sigma:
            break
    return min(sigma, rho)


def least_of_two_wait(rho: float) -> float:
    """Mean wait at the shorter of two random queues out of very many, sum over i >= 2 of rho^(2^i - 2)."""
    total, power, i = 0.0, 1.0, 2
    while power > 1e-17 * total and i < 64:
        power = rho ** (2.0**i - 2.0)
        total += power
        i += 1
    return total
