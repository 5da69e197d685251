"""Response times of requests at a pod under a CPU quota: the CFS bandwidth limit of a container.

Requests run at full speed until the pod has used its quota of the period, then all stand still until the period ends.
A request arrives at any moment of a period, after what earlier periods left over and what has been executed in this
one. As long as quota is left it is served as if there were none. If that ends before the request does, or if earlier
work is unfinished, it goes on behind and beside the others: those that have no worker yet come first or later as they
arrived, those at work share each quota equally. docs/model.md, "Quotas", has the errors.
"""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from planner.workloads.latency.cfs.executed_work import POINTS, Requests, executed
from planner.workloads.latency.cfs.quota_backlog import Backlog, FreePod, backlog_of, free_pod
from planner.workloads.latency.free_response import shared_service
from planner.workloads.latency.free_wait import free_wait
from planner.workloads.latency.mmc import Bools, Floats
from planner.workloads.latency.request_sizes import RequestSizes

PERIOD_S = 0.1
"""CFS period; what Kubernetes sets (kubelet 1.36, --cpu-cfs-quota-period)."""
TICK_S = 0.004
"""Linux looks at a quota when its clock ticks, and takes from the next one what was used beyond it (CONFIG_HZ=250)."""

_RARE = 1e-3
_LEAST_RHO = 1e-3
_LEAST = 1e-300
_PHASES = (np.arange(10) + 0.5) / 10
_TICK_PARTS = ((np.arange(10) * 7) % 10 + 0.5) / 10
"""How late a stop comes in each of them; in another order, as it has nothing to do with the phase."""
_LEVELS = np.concatenate((np.linspace(0.1, 0.9, 9), [0.95, 0.98, 0.99, 0.995, 0.999]))
_BETWEEN_PHASES_S = 0.25 * PERIOD_S / len(_PHASES)
_ALIKE = 0.002
_MOST_WEIGHT = 0.002
_DELAYS = np.array([0.0, 0.4, 0.7, 0.9, 0.98, 1.0])


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
    tick_s: float = TICK_S
    """How late the pod stops at most when it has used its quota."""

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


class _Kinds(NamedTuple):
    """Requests that stand for all; columns, seconds."""

    work: Floats
    free: Floats
    """Time in service if no quota ends."""
    met: Floats
    """Of the work that shares the workers when one arrives, what is done before it is."""
    later: Floats
    """Of later requests that share the workers, what is done before it is, in its own size."""
    weights: Floats


class _Moment(NamedTuple):
    """When a request arrives, and who else is there."""

    elapsed_s: float
    """Since the period began."""
    late_s: float
    """Between the end of the quota and the stop."""
    beside: float
    """Cores that others use while it runs."""
    equally: float
    """Part of the later requests that share quotas with it."""


def response_values(pod: QuotaPod, load: float) -> tuple[Floats, Floats]:
    """Response times that stand for all, ascending, and their weights."""
    requests, backlog, kinds = pod.requests(load), pod.backlog(load), _kinds(pod, load)
    found, chances = [], []
    for phase, late in zip(_PHASES, _TICK_PARTS * pod.tick_s, strict=True):
        used, chance = _work_before(pod, requests, backlog, phase * PERIOD_S)
        for beside, share in _beside(pod, load):
            for shared, part in _company(pod, load):
                times, stops = _until_done(pod, load, kinds, used, _Moment(phase * PERIOD_S, late, beside, shared))
                weight = (0.5 * share * part / len(_PHASES)) * chance[:, np.newaxis] * kinds.weights
                # Those that stop wait for the end of the period: any time between one phase and the next.
                found += [times - stops * _BETWEEN_PHASES_S, times + stops * _BETWEEN_PHASES_S]
                chances += [weight, weight]
    return _merged(np.concatenate(found).ravel(), np.concatenate(chances).ravel())


def _merged(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Values that differ by very little as one; none with much of the weight, as quantiles lie between values."""
    place = np.log(values / values.min()) / _ALIKE
    cell = place.astype(np.int64)
    weight = np.bincount(cell, weights)
    some = weight > 0.0
    value, weight = np.bincount(cell, weights * values)[some] / weight[some], weight[some]
    times = np.ceil(weight / _MOST_WEIGHT).astype(np.int64)
    return np.repeat(value, times), np.repeat(weight / times, times)


def _kinds(pod: QuotaPod, load: float) -> _Kinds:
    """Sizes, and where requests share how long they take."""
    sizes, left_of_one = pod.sizes, 0.5 * pod.sizes.second_moment
    work, free, weights, times = sizes.values, sizes.values, sizes.weights, 1
    if not pod.queueing:
        rho = max(load * pod.quota_cores / pod.cores, _LEAST_RHO)
        free, weights = shared_service(sizes, free_wait(sizes, pod.cores, rho), pod.cores, rho, _DELAYS)
        times = len(free) // len(work)
    met, later = (np.tile(column, times) for column in (sizes.met_share * work / left_of_one, 1.0 - sizes.met_share))
    return _Kinds(np.tile(work, times) * pod.request_s, free * pod.request_s, met, later, weights)


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


def _until_done(pod: QuotaPod, load: float, kinds: _Kinds, before: Floats, moment: _Moment) -> tuple[Floats, Bools]:
    """Time until requests of each kind (columns) are done, for the work before them (rows) and others beside them.

    Also which of them stop, or wait for the end of the period.
    """
    quota, rest_s, before = pod.quota_cores * PERIOD_S, PERIOD_S - moment.elapsed_s, before[:, np.newaxis]
    done = np.minimum(before, min(pod.cores * moment.elapsed_s, quota))
    unfinished = before - done
    until_stop = np.minimum((quota - done) / (1.0 + moment.beside) + moment.late_s, rest_s)
    calm = unfinished <= 0.0
    now = np.where(calm, np.minimum(until_stop / kinds.free, 1.0), 0.0)
    left = kinds.work * (1.0 - now)
    used = _used_until_done(pod, load, kinds, moment.equally, unfinished, left)
    at_once = np.where(calm | (done >= quota), 0.0, np.minimum(quota - done + moment.late_s, used))
    later = np.maximum(used - at_once, _LEAST)
    own = left * later / np.maximum(used, _LEAST)
    pace = np.minimum(quota, PERIOD_S * np.maximum(later / np.maximum(own, _LEAST), 1.0))
    full = np.maximum(np.ceil((later - moment.late_s) / pace - 1e-12) - 1.0, 0.0)
    last = later - full * pace
    after = rest_s + full * PERIOD_S + np.maximum(last / pod.cores, own * last / later)
    soon = np.where(calm, kinds.free, np.maximum(at_once / pod.cores, np.minimum(left, at_once)))
    is_soon = np.where(calm, now >= 1.0, used <= at_once)
    stops = ~is_soon & (~calm | (until_stop < rest_s))
    return np.where(is_soon, soon, after), stops


def _used_until_done(
    pod: QuotaPod, load: float, kinds: _Kinds, equally: float, unfinished: Floats, left: Floats
) -> Floats:
    """Work that the pod executes until requests of each kind are done of which so much is left."""
    left_of_one = 0.5 * pod.sizes.second_moment * pod.request_s
    served = (pod.cores - 1) * left_of_one if pod.queueing else math.inf
    in_order = np.maximum(unfinished - served, 0.0)
    part = 1.0 / (1.0 + equally * kinds.later / (1.0 - load * equally * kinds.later))
    beside = ((unfinished - in_order) * kinds.met + left) / part
    if not pod.queueing:
        return beside
    return in_order + np.minimum(pod.cores * left, beside + load * in_order)
