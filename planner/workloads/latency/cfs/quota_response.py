"""Response times of requests at a pod under a CPU quota: the CFS bandwidth limit of a container.

Requests run at full speed until the pod has used its quota of the period, then all stand still until the period ends.
A request arrives at any moment of a period, after what earlier periods left over and what has been executed in this
one. If quota is left it runs at once; if that ends before the request does, or none is left, it goes on in the next
periods, behind and beside the others that wait: those that have no worker yet come first or later as they arrived,
those at work share each quota equally. docs/model.md, "Quotas", has the errors.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from planner.workloads.latency.cfs.executed_work import POINTS, Requests, executed
from planner.workloads.latency.cfs.quota_backlog import Backlog, FreePod, backlog_of, free_pod
from planner.workloads.latency.mmc import Floats
from planner.workloads.latency.request_sizes import RequestSizes

PERIOD_S = 0.1
"""CFS period; what Kubernetes sets (kubelet 1.36, --cpu-cfs-quota-period)."""

_RARE = 1e-3
_PHASES = (np.arange(10) + 0.5) / 10
_LEVELS = np.concatenate((np.linspace(0.1, 0.9, 9), [0.95, 0.98, 0.99, 0.995, 0.999]))


@dataclass(frozen=True)
class QuotaPod:
    """A pod under a quota and its requests."""

    cores: int
    """That it can use at once: of its workers, on its node."""
    quota_cores: float
    """What its limit leaves for requests; less than `cores`."""
    request_s: float
    """Mean CPU seconds of a request, on one core."""
    sizes: RequestSizes
    arrival_cv2: float
    queueing: bool
    """Requests take workers in order of arrival; else all of them share the workers."""

    def free(self, load: float) -> FreePod:
        """The pod without its quota at a load, relative to the quota."""
        busy = load * self.quota_cores
        return free_pod(self.cores, busy, self.request_s, self.sizes.second_moment, self.arrival_cv2)

    def requests(self, load: float) -> Requests:
        """What it executes at that load."""
        return Requests(load * self.quota_cores / self.request_s, self.request_s, self.sizes, self.arrival_cv2)

    @lru_cache(maxsize=1)  # noqa: B019 - one backlog is looked at from two sides
    def backlog(self, load: float) -> Backlog:
        """What periods leave over at that load."""
        return backlog_of(self.free(load), self.requests(load), self.cores, self.quota_cores * PERIOD_S, PERIOD_S)


def response_values(pod: QuotaPod, load: float) -> tuple[Floats, Floats]:
    """Response times that stand for all (a column for each size of request), and their weights."""
    requests, backlog = pod.requests(load), pod.backlog(load)
    found, chances = [], []
    for phase in _PHASES:
        used, chance = _work_before(pod, requests, backlog, phase * PERIOD_S)
        for beside, share in _beside(pod, load):
            for shared, part in _company(pod, load):
                found.append(_until_done(pod, load, used, phase * PERIOD_S, (beside, shared)))
                chances.append(chance * (share * part / len(_PHASES)))
    return np.concatenate(found), np.concatenate(chances)[:, np.newaxis] * pod.sizes.weights


def _company(pod: QuotaPod, load: float) -> tuple[tuple[float, float], ...]:
    """How many requests of any size that came later share the quotas of a stopped one: none, or some; with chances.

    Requests share quotas equally as long as all of them have a worker; one worker with a queue never does.
    """
    equally = float(1.0 - load ** (pod.cores - 1)) if pod.queueing else 1.0
    return ((0.0, 1.0 - load), (equally, load)) if load * equally > _RARE else ((0.0, 1.0),)


def _beside(pod: QuotaPod, load: float) -> tuple[tuple[float, float], ...]:
    """Cores that others use while a request runs: none, or some; with chances."""
    mean = load * pod.quota_cores * (pod.cores - 1) / pod.cores
    alone = float(np.exp(-mean))
    return ((0.0, alone), (mean / (1.0 - alone), 1.0 - alone)) if mean > 1e-6 else ((0.0, 1.0),)


def _work_before(pod: QuotaPod, requests: Requests, backlog: Backlog, elapsed_s: float) -> tuple[Floats, Floats]:
    """Work that came before a request in its period, with chances: left over, and executed since the period began."""
    # Right before an arrival there are fewer others if arrivals keep a distance: the renewal function.
    others = requests.rate * elapsed_s
    seen = max(1.0 + 0.5 * (requests.arrival_cv2 - 1.0) / max(others, _RARE), _RARE)
    since = executed(requests._replace(rate=requests.rate * seen), elapsed_s, backlog.step_s)
    both = np.fft.irfft(np.fft.rfft(since, 2 * POINTS) * np.fft.rfft(backlog.mass, 2 * POINTS), 2 * POINTS)[:POINTS]
    chance = np.maximum(both, 0.0)
    work = np.arange(POINTS) * backlog.step_s
    # As few values as will do; those that leave quota are kept apart from those that do not.
    level = np.searchsorted(_LEVELS, np.cumsum(chance) - 0.5 * chance)
    part = 2 * level + (work >= pod.quota_cores * PERIOD_S * (1.0 - 1e-9)) + 2 * len(_LEVELS) * (work > 0.0)
    weight = np.bincount(part, chance)
    some = weight > 0.0
    return np.bincount(part, work * chance)[some] / weight[some], weight[some] / weight.sum()


def _until_done(pod: QuotaPod, load: float, before: Floats, elapsed_s: float, others: tuple[float, float]) -> Floats:
    """Time until requests of each size (columns) are done, for the work before them (rows) and others beside them."""
    beside, equally = others
    quota, size = pod.quota_cores * PERIOD_S, pod.sizes.values * pod.request_s
    postponed, used = np.maximum(before - quota, 0.0), np.minimum(before, quota)
    late = np.maximum(used - pod.cores * elapsed_s, 0.0) / pod.cores
    rest_s = PERIOD_S - elapsed_s
    run = np.maximum(0.0, np.minimum((quota - used) / (1.0 + beside), rest_s - late))[:, np.newaxis]
    left = np.maximum(size - run, 0.0)
    ahead, mine = _shares_of_quotas(pod, load, equally, postponed)
    periods = ahead / mine
    waits = np.floor(periods)
    begun = periods - waits
    pace = np.minimum(PERIOD_S, mine)
    first = np.minimum(pace * (1.0 - begun), PERIOD_S - begun * PERIOD_S * min(1.0, pod.quota_cores / pod.cores))
    more = np.maximum(left - first, 0.0)
    full = np.maximum(np.ceil(more / pace - 1e-12) - 1.0, 0.0)
    soon = rest_s + waits * PERIOD_S + begun * quota / pod.cores + left
    later = rest_s + (waits + 1.0 + full) * PERIOD_S + more - full * pace
    at_once = (left <= 0.0) & (postponed[:, np.newaxis] <= 0.0)
    return np.where(at_once, late[:, np.newaxis] + size, np.where(left <= first, soon, later))


def _shares_of_quotas(pod: QuotaPod, load: float, equally: float, postponed: Floats) -> tuple[Floats, Floats]:
    """Work of others that is done before a request of each size may go on, and its part of every quota."""
    sizes, quota = pod.sizes, pod.quota_cores * PERIOD_S
    left_of_one = 0.5 * sizes.second_moment * pod.request_s
    served = (pod.cores - 1) * left_of_one if pod.queueing else math.inf
    in_order = np.maximum(postponed - served, 0.0)[:, np.newaxis]
    met = sizes.met_share * sizes.values * pod.request_s / left_of_one
    later = 1.0 - sizes.met_share
    part = 1.0 / (1.0 + equally * later / (1.0 - load * equally * later))
    return in_order + (postponed[:, np.newaxis] - in_order) * met, quota * part
