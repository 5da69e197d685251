"""CPU limits as CFS quotas (spec/load-latency-cost.md section 3, "Throttling").

Threads run at full speed until the quota of a period is used up and stand still until the next one. What a request
meets of it depends on the work that came before it in its period: random, here with the mean and variance of Poisson
arrivals plus what earlier periods left over, and with the shape of a gamma distribution (Wilson-Hilferty).
"""

import math
from typing import NamedTuple

from planner.workloads.latency.gamma import gamma_quantile

PERIOD_S = 0.1
_GRID = ((0.5, -0.6744898), (0.25, 0.3186394), (0.15, 0.9345893), (0.05, 1.4395315), (0.03, 1.8119107),
         (0.015, 2.2414027), (0.005, 2.8070338))  # fmt: skip
"""Shares of requests and the normal deviate in the middle of each share."""
_FULLEST = 0.99


def full_periods(work_s: float, limit_cores: float, threads: int, period_s: float = PERIOD_S) -> int:
    """Periods whose quota a burst of `work_s` CPU seconds uses up before its last one; it starts a fresh period."""
    if work_s <= 0.0 or limit_cores <= 0.0:
        return 0
    per_period_s = min(limit_cores, threads) * period_s
    return max(0, math.ceil(round(work_s / per_period_s, 9)) - 1)


def burst_time_s(work_s: float, limit_cores: float, threads: int, period_s: float = PERIOD_S) -> float:
    """Wall seconds that a burst of `work_s` CPU seconds needs under a CPU limit, from the start of a fresh period.

    `threads` threads are runnable; a limit of 0 means none is set. k full periods pass, the rest of the work runs
    unthrottled in the last one.
    """
    if work_s <= 0.0:
        return 0.0
    periods = full_periods(work_s, limit_cores, threads, period_s)
    per_period_s = min(limit_cores, threads) * period_s
    return periods * period_s + (work_s - periods * per_period_s) / threads


class Quota(NamedTuple):
    """A pod under a CPU quota that its threads can use up: `threads` above `limit_cores`."""

    limit_cores: float
    threads: int
    period_s: float = PERIOD_S

    @property
    def stop_s(self) -> float:
        """How long the pod stands still in a period whose quota is used up."""
        return self.period_s * (1.0 - self.limit_cores / self.threads)

    def delays(self, rate: float, request_s: float, cv: float) -> list[tuple[float, float]]:
        """Shares of requests and the seconds they stand still; `request_s` CPU seconds each, `rate` of them a second.

        Half of the work of a period comes before the average request in it.
        """
        mean, variance = self._backlog(rate, request_s, cv)
        mean += 0.5 * rate * self.period_s * request_s + request_s
        variance += (0.5 * rate * self.period_s + 1.0) * request_s**2 * (1.0 + cv * cv) - request_s**2
        merged: dict[int, float] = {}
        for share, deviate in _GRID:
            work_s = gamma_quantile(mean, variance, deviate)
            periods = full_periods(work_s, self.limit_cores, self.threads, self.period_s)
            merged[periods] = merged.get(periods, 0.0) + share
        return [(share, periods * self.stop_s) for periods, share in merged.items()]

    def throttled_share(self, rate: float, request_s: float, cv: float) -> float:
        """Share of time in which the pod stands still."""
        mean, variance = self._backlog(rate, request_s, cv)
        mean += rate * self.period_s * request_s
        variance += rate * self.period_s * request_s**2 * (1.0 + cv * cv)
        if mean <= 0.0 or variance <= 0.0:
            return 0.0
        spread = variance / (9.0 * mean * mean)
        deviate = ((self.limit_cores * self.period_s / mean) ** (1.0 / 3.0) - 1.0 + spread) / math.sqrt(spread)
        return 0.5 * math.erfc(deviate / math.sqrt(2.0)) * self.stop_s / self.period_s

    def _backlog(self, rate: float, request_s: float, cv: float) -> tuple[float, float]:
        """Mean and variance of the work that earlier periods left, as of a queue served at the speed of the limit."""
        rho = min(rate * request_s / self.limit_cores, _FULLEST)
        if rho <= 0.0:
            return 0.0, 0.0
        mean = 0.5 * rho * request_s * (1.0 + cv * cv) / (1.0 - rho)
        return mean, mean * mean * (2.0 / rho - 1.0)
