"""Latency of requests that are spread over unlike pods.

Each pod's response time is a fixed part (latency floor, backlog before the request) plus an M/M/m response;
a request meets a pod with the pod's share of the traffic. Where requests share the cores, the response has the same
mean and the distribution of `sharing`.
"""

import math
from typing import NamedTuple

import numpy as np

from planner.workloads.latency import mmc, sharing
from planner.workloads.latency.mmc import Amounts, Bools, Floats, Ints

_MAX_STEPS = 200
_PRECISION = 1e-12


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

    def _sojourn_tail(self, u: Floats) -> tuple[Floats, Floats]:
        if not self._some_share:
            return mmc.sojourn_tail(self.waiting, self.decay, u)
        tail, density = sharing.sojourn_tail(self.waiting / np.asarray(self.decay), u)
        if self._all_share:
            return tail, density
        queued = mmc.sojourn_tail(self.waiting, self.decay, u)
        return np.where(self.shared, tail, queued[0]), np.where(self.shared, density, queued[1])

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

    def tail(self, t_s: Amounts) -> tuple[Floats, Floats]:
        """P(response > t) and its density."""
        passed_s = np.asarray(t_s - np.asarray(self.fixed_s))
        free, density = self._sojourn_tail(np.maximum(passed_s, 0.0) / self.service_s)
        late_s = t_s - np.asarray(self.latest_start_s)
        cut = np.exp(-np.maximum(late_s, 0.0) / self.service_s)
        is_cut = (late_s > 0.0) & (cut < free)
        falls = np.where(is_cut, cut, np.where(passed_s > 0.0, density, 0.0)) / self.service_s
        return np.where(is_cut, cut, np.where(passed_s > 0.0, free, 1.0)), falls


def mean_s(pods: PodLatency, starts: Ints) -> Floats:
    """Mean response times over all traffic of mixtures; `starts` says at which group each of them begins."""
    return np.add.reduceat(pods.weight * pods.mean_s(), starts) / np.add.reduceat(pods.weight, starts)


def variance_s2(pods: PodLatency, starts: Ints) -> Floats:
    """Variances of the response times over all traffic of mixtures."""
    mean = mean_s(pods, starts)
    second = np.add.reduceat(pods.weight * (pods.variance_s2() + pods.mean_s() ** 2), starts)
    return np.maximum(0.0, second / np.add.reduceat(pods.weight, starts) - mean * mean)


def percentiles_s(pods: PodLatency, starts: Ints, log_late: Floats) -> Floats:
    """Percentiles of mixtures: a row for each row of `log_late`, a column for each mixture.

    They lie between those of the groups. Newton's method on the logarithm of the tail, halving where it would leave the
    bounds it has passed.
    """
    length = np.diff(starts, append=len(np.asarray(pods.weight)))
    of = np.repeat(np.arange(len(starts)), length)
    own = pods.percentiles_s(log_late[:, of])
    low, high = np.minimum.reduceat(own, starts, axis=1), np.maximum.reduceat(own, starts, axis=1)
    settled = high - low <= _PRECISION * high
    if settled.all():
        return np.asarray(high)
    goal = np.log(np.add.reduceat(pods.weight, starts)) + log_late
    t = low
    for _ in range(_MAX_STEPS):
        tail, density = pods.tail(t[:, of])
        total = np.add.reduceat(pods.weight * tail, starts, axis=1)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            step = (np.log(total) - goal) * total / np.add.reduceat(pods.weight * density, starts, axis=1)
        above = step > 0.0
        low, high = np.where(above, t, low), np.where(above, high, t)
        settled |= (np.abs(step) <= _PRECISION * t) | (high - low <= _PRECISION * high)
        found = t + step
        inside = (low < found) & (found < high)
        t = np.where(settled, t, np.where(inside, found, 0.5 * (low + high)))
        if settled.all():
            break
    return np.asarray(np.maximum.accumulate(t, axis=0))
