"""Response times of requests at a pod under a CPU quota: the CFS bandwidth limit of a container.

Requests run at full speed until the pod has used its quota of the period, then all stand still until the period ends.
A request arrives at any moment of a period, after what earlier periods left over and what has been executed in this
one. As long as quota is left it is served as if there were none. If that ends before the request does, or if earlier
work is unfinished, it goes on behind and beside the others: those that have no worker yet come first or later as they
arrived, those at work share each quota equally. docs/model.md, "Quotas", has the errors.
"""

import math
from collections.abc import Iterator

import numpy as np
from scipy.special import gammaln

from planner.workloads.latency.cfs.executed_work import POINTS, executed
from planner.workloads.latency.cfs.quota_pod import PERIOD_S, QuotaPod
from planner.workloads.latency.cfs.until_done import ArrivalMoment, RequestKinds, ResponseSums, Work
from planner.workloads.latency.free_response import shared_service
from planner.workloads.latency.free_wait import free_wait
from planner.workloads.latency.mmc import Floats

_RARE = 1e-3
_LEAST_RHO = 1e-3
_PHASES = (np.arange(10) + 0.5) / 10
_TICK_PARTS = ((np.arange(10) * 7) % 10 + 0.5) / 10
"""How late a stop comes in each of them; in another order, as it has nothing to do with the phase."""
_LEVELS = np.concatenate((np.linspace(0.1, 0.9, 9), [0.95, 0.98, 0.99, 0.995, 0.999]))
_BETWEEN_S = 0.25 * PERIOD_S / len(_PHASES)
_MOST_WEIGHT = 0.002
_SHARES = np.array([1.0 / 3.0, 2.0 / 3.0])
_DEVIATIONS = 4.0
_WAIT_POINTS = 1024
_DELAYS = np.array([0.0, 0.4, 0.7, 0.9, 0.98, 1.0])


def response_values(pod: QuotaPod, load: float) -> tuple[Floats, Floats]:
    """Response times that stand for all, ascending, and their weights."""
    sums = ResponseSums(pod, _kinds(pod, load), _BETWEEN_S)
    for phase, late_s, work in zip(_PHASES, _TICK_PARTS * pod.tick_s, _work_before(pod, load), strict=True):
        for joining, part in _company(pod, load, PERIOD_S * (1.0 - phase)):
            for beside, share in _beside(pod, load):
                sums.add(work, ArrivalMoment(phase * PERIOD_S, late_s, beside, joining, share * part))
    value, weight = sums.values()
    weight /= weight.sum()
    # None with much of the weight, as quantiles lie between values.
    times = np.ceil(weight / _MOST_WEIGHT).astype(np.int64)
    return np.repeat(value, times), np.repeat(weight / times, times)


def _kinds(pod: QuotaPod, load: float) -> RequestKinds:
    """Sizes, and where requests share how long they take."""
    sizes, left_of_one, rho = pod.sizes, 0.5 * pod.sizes.second_moment, load * pod.quota_cores / pod.cores
    work, free, weights, times = sizes.values, sizes.values, sizes.weights, 1
    if not pod.queueing:
        rho = max(rho, _LEAST_RHO)
        free, weights = shared_service(sizes, free_wait(sizes, pod.cores, rho, _WAIT_POINTS), pod.cores, rho, _DELAYS)
        times = len(free) // len(work)
    later = 1.0 - sizes.met_share
    working = rho * later
    columns = (
        work * pod.request_s, sizes.met_share * work / left_of_one, sizes.under_way(work) * pod.request_s, working,
        load * later / (1.0 - load * later),
    )  # fmt: skip
    size_s, met, joined, working, coming = (np.tile(column, times) for column in columns)
    return RequestKinds(size_s, free * pod.request_s, met, joined, working, coming, weights, load)


def _company(pod: QuotaPod, load: float, rest_s: float) -> list[tuple[float, float]]:
    """How many requests come before the period ends or while the next quota is used, few or many, with chances.

    Those that come later count half.
    """
    size = pod.sizes.unequal
    mean = load * pod.quota_cores / pod.request_s * (rest_s + 0.5 * pod.quota_s / pod.cores) / size
    number = np.arange(int(mean + _DEVIATIONS * math.sqrt(mean) + _DEVIATIONS))
    chance = np.exp(number * math.log(mean) - gammaln(number + 1.0) - mean)
    part = np.searchsorted(_SHARES, np.cumsum(chance) - 0.5 * chance)
    weight = np.bincount(part, chance)
    some = weight > 0.0
    found = np.bincount(part, number * chance)[some] / weight[some] * size
    return list(zip(found.tolist(), (weight[some] / weight.sum()).tolist(), strict=True))


def _beside(pod: QuotaPod, load: float) -> tuple[tuple[float, float], ...]:
    """Cores that others use while a request runs: none, or some; with chances."""
    mean = load * pod.quota_cores * (pod.cores - 1) / pod.cores
    alone = float(np.exp(-mean))
    return ((0.0, alone), (mean / (1.0 - alone), 1.0 - alone)) if mean > 1e-6 else ((0.0, 1.0),)


def _work_before(pod: QuotaPod, load: float) -> Iterator[Work]:
    """Work that came before a request, one after the other for the moments of the period."""
    requests, backlog = pod.requests(load), pod.backlog(load)
    # Right before an arrival there are fewer others if arrivals keep a distance: the renewal function.
    elapsed = _PHASES * PERIOD_S
    seen = np.maximum(1.0 + 0.5 * (requests.arrival_cv2 - 1.0) / np.maximum(requests.rate * elapsed, _RARE), _RARE)
    since = executed(requests, elapsed, seen, backlog.step_s)
    work = np.arange(POINTS) * backlog.step_s
    waves = np.fft.rfft(np.stack((backlog.mass, backlog.mass * work)), 2 * POINTS)[:, np.newaxis]
    both = np.fft.irfft(waves * np.fft.rfft(since, 2 * POINTS), 2 * POINTS)[..., :POINTS]
    chances, lefts = np.maximum(both, 0.0)
    # As few values as will do; those that leave quota are kept apart from those that do not.
    leaves_none = (work >= pod.quota_cores * PERIOD_S * (1.0 - 1e-9)) + 2 * len(_LEVELS) * (work > 0.0)
    for moment_s, chance, left in zip(elapsed.tolist(), chances, lefts, strict=True):
        level = np.searchsorted(_LEVELS, np.cumsum(chance) - 0.5 * chance)
        part = 2 * level + leaves_none
        weight = np.bincount(part, chance)
        some = weight > 0.0
        before, left_over = (np.bincount(part, column)[some] / weight[some] for column in (work * chance, left))
        done, growth = pod.sizes.done_in(moment_s / pod.request_s)
        gone_on = float(done), float(growth) / pod.request_s
        yield Work(np.minimum(left_over, before), before, weight[some] / weight.sum(), gone_on)
