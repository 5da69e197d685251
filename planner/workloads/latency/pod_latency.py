"""Latency of pods whose service is exponential and not throttled, by formulas.

A response time is a fixed part (latency floor, backlog before the request) plus an M/M/m response. Where requests
share the cores, the response has the same mean and the distribution of `sharing`.
"""

import math
from typing import NamedTuple

import numpy as np

from planner.workloads.latency import mmc, sharing
from planner.workloads.latency.mmc import Amounts, Bools, Floats, Ints


class PodLatency(NamedTuple):
    """Response times of groups of like pods: `fixed_s`, then a wait, then service with mean `service_s`.

    A request waits with probability `waiting`, then exponentially long with mean service_s / decay; for M/M/m they
    are erlang_c and m (1 - rho). `weight` is a group's share of the traffic. Where a queue limit or timeout bounds
    the wait, service starts `latest_start_s` after arrival at the latest, which cuts the tail. Columns, one entry a
    group.
    """

    weight: Amounts
    fixed_s: Amounts
    service_s: Amounts
    waiting: Amounts
    decay: Amounts
    latest_start_s: Amounts = math.inf
    shared: bool | Bools = False
    """Requests share the cores; else a wait is followed by service."""

    def take(self, rows: Ints) -> "PodLatency":
        """Some of the groups."""
        return PodLatency(*(column if isinstance(column, bool) else np.asarray(column)[rows] for column in self))

    @property
    def _some_share(self) -> bool:
        return self.shared if isinstance(self.shared, bool) else bool(np.any(self.shared))

    @property
    def _all_share(self) -> bool:
        return self.shared if isinstance(self.shared, bool) else bool(np.all(self.shared))

    def percentiles_s(self, log_late: Amounts) -> Floats:
        """Response times of each group by the logarithm of the share that exceeds them (`mmc.log_late`)."""
        free = self.fixed_s + self.service_s * self._sojourn_at(log_late)
        return np.minimum(self.latest_start_s - self.service_s * np.asarray(log_late), free)

    def _sojourn_at(self, log_late: Amounts) -> Floats:
        if not self._some_share:
            return mmc.sojourn_at(self.waiting, self.decay, log_late)
        together = sharing.sojourn_at(self.waiting / np.asarray(self.decay), log_late)
        if self._all_share:
            return together
        return np.where(self.shared, together, mmc.sojourn_at(self.waiting, self.decay, log_late))

    def mean_s(self) -> Floats:
        """Mean response times."""
        return np.asarray(self.fixed_s + self.service_s * (1.0 + self.waiting / np.asarray(self.decay)))

    def variance_s2(self) -> Floats:
        """Variances of the response times."""
        waiting, decay = self.waiting, np.asarray(self.decay)
        if self._all_share:
            return np.square(self.service_s) * sharing.variance(waiting / decay)
        queued = 1.0 + waiting * (2.0 - waiting) / (decay * decay)
        if not self._some_share:
            return np.asarray(np.square(self.service_s) * queued)
        return np.asarray(np.square(self.service_s) * np.where(self.shared, sharing.variance(waiting / decay), queued))
