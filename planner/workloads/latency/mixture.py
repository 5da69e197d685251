"""Latency of requests that are spread over unlike pods.

Each pod's response time is a fixed part (latency floor, backlog before the request) plus an M/M/m response;
a request meets a pod with the pod's share of the traffic. Source: spec/load-latency-cost.md section 3.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from planner.workloads.latency import mmc

_MAX_BISECTIONS = 200
_PRECISION = 1e-12


class PodLatency(NamedTuple):
    """Response time of one group of like pods: `fixed_s`, then a wait, then service with mean `service_s`.

    A request waits with probability `waiting`, then exponentially long with mean service_s / decay; for M/M/m they
    are erlang_c and m (1 - rho). `weight` is the group's share of the traffic. Where a queue limit or timeout bounds
    the wait, service starts `latest_start_s` after arrival at the latest, which cuts the tail.
    """

    weight: float
    fixed_s: float
    service_s: float
    waiting: float
    decay: float
    latest_start_s: float = math.inf

    def percentile_s(self, percent: float) -> float:
        """Response time that `percent` % of this group's requests do not exceed."""
        return self.percentiles_s((mmc.log_late(percent),))[0]

    def percentiles_s(self, log_late: Sequence[float]) -> list[float]:
        """Percentiles by the logarithms of the shares of requests that may exceed them (`mmc.log_late`)."""
        _, fixed_s, service_s, waiting, decay, latest_start_s = self
        found = []
        for goal in log_late:
            free = fixed_s + service_s * mmc.sojourn_at(waiting, decay, goal)
            cut = latest_start_s - service_s * goal
            found.append(cut if cut < free else free)
        return found

    def mean_s(self) -> float:
        """Mean response time."""
        return self.fixed_s + self.service_s * (1.0 + self.waiting / self.decay)

    def variance_s2(self) -> float:
        """Variance of the response time."""
        waiting, decay = self.waiting, self.decay
        return self.service_s**2 * (1.0 + waiting * (2.0 - waiting) / (decay * decay))

    def tail(self, t_s: float) -> float:
        """P(response > t)."""
        if t_s <= self.fixed_s:
            return 1.0
        free = mmc.sojourn_tail(self.waiting, self.decay, (t_s - self.fixed_s) / self.service_s)
        late_s = t_s - self.latest_start_s
        return min(free, math.exp(-late_s / self.service_s)) if late_s > 0.0 else free


def mean_s(pods: Sequence[PodLatency]) -> float:
    """Mean response time over all traffic."""
    return sum(pod.weight * pod.mean_s() for pod in pods) / sum(pod.weight for pod in pods)


def variance_s2(pods: Sequence[PodLatency]) -> float:
    """Variance of the response time over all traffic."""
    total, mean = sum(pod.weight for pod in pods), mean_s(pods)
    second = sum(pod.weight * (pod.variance_s2() + pod.mean_s() ** 2) for pod in pods) / total
    return max(0.0, second - mean * mean)


def percentile_s(pods: Sequence[PodLatency], percent: float) -> float:
    """Response time that `percent` % of all requests do not exceed (it lies between those of the groups)."""
    own = [pod.percentile_s(percent) for pod in pods]
    low, high = min(own), max(own)
    late = (1.0 - percent / 100.0) * sum(pod.weight for pod in pods)
    for _ in range(_MAX_BISECTIONS):
        if high - low <= _PRECISION * high:
            break
        middle = 0.5 * (low + high)
        if sum(pod.weight * pod.tail(middle) for pod in pods) > late:
            low = middle
        else:
            high = middle
    return high
