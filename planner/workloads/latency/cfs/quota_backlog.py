"""What a CPU quota leaves undone at the end of each period: the CFS bandwidth limit of a container.

A pod that could run freely executes so much work in a period; what exceeds the quota is postponed to the next. So the
backlog at the ends of periods is a random walk that cannot fall below zero, and Spitzer's identities give its chance
of being positive and its distribution: its logarithm, transformed, is the sum over k of those of (X_k - k Q)+ over k,
X_k being the work executed in k periods. For many periods that is taken as gamma distributed; it varies as the number
of busy cores does, so requests longer than a period are seen to spread over several.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc

from planner.workloads.latency.cfs.executed_work import POINTS, Requests, executed
from planner.workloads.latency.mmc import Floats

_EACH = 8
"""So many terms of the sums are exact; further ones are gamma distributed and stand for ever more."""
_GROWTH = 1.6
_TAIL = 6.0
_PERIODS = 4.0
_SIZES = 10.0
_LEAST_LOAD = 1e-9


class FreePod(NamedTuple):
    """A pod without its quota: cores in use on average, and how the work executed in a time varies."""

    busy: float
    """Mean cores in use."""
    busy_variance: float
    waiting: float
    """Chance that all cores are busy."""
    spread: float
    """Variance of the work executed per second in the long run."""

    def executed_variance(self, seconds: Floats | float) -> Floats:
        """Of the core-seconds executed in so many seconds: the number of busy cores is correlated for a while."""
        lasting = 0.5 * self.spread / max(self.busy_variance, _LEAST_LOAD)
        ratio = np.asarray(seconds) / lasting
        short = np.maximum(ratio, 1e-4)
        share = np.where(ratio < 1e-4, 0.5 * ratio, 1.0 + np.expm1(-short) / short)
        return np.asarray(self.spread * np.asarray(seconds) * share)


class Backlog(NamedTuple):
    """Work that a period leaves over, as masses at 0, `step_s`, 2 `step_s`, ..."""

    step_s: float
    mass: Floats

    def stops(self, tick_s: float) -> float:
        """Chance that a pod had to stop for it, if quotas are looked at so often."""
        left = np.arange(1, POINTS) * self.step_s
        return float((self.mass[1:] * np.minimum(left / max(tick_s, self.step_s), 1.0)).sum())


def free_pod(cores: int, busy: float, request_s: float, second_moment: float, arrival_cv2: float) -> FreePod:
    """A pod of so many cores of which `busy` are in use on average; requests take `request_s` core-seconds."""
    number = np.arange(cores + 1)
    logs = number * np.log(busy) - np.cumsum(np.log(np.maximum(number, 1)))
    chance = np.exp(logs - logs.max())
    chance[-1] /= 1.0 - busy / cores
    chance /= chance.sum()
    mean = float((number * chance).sum())
    variance = float((number * number * chance).sum()) - mean * mean
    spread = busy * request_s * (arrival_cv2 + second_moment - 1.0)
    return FreePod(busy, variance, float(chance[-1]), max(spread, _LEAST_LOAD * busy * request_s))


def backlog_of(pod: FreePod, requests: Requests, cores: int, quota_s: float, period_s: float) -> Backlog:
    """The stationary backlog at the end of a period, for a quota above the work that arrives in one."""
    mean = pod.busy * period_s
    gap = quota_s - mean
    drift = gap / np.sqrt(float(pod.executed_variance(period_s)))
    longest = _TAIL * pod.spread * period_s / gap + _PERIODS * quota_s + _SIZES * requests.mean_s
    each = max(1, round(quota_s * POINTS / longest))
    step = quota_s / each
    if quota_s >= cores * period_s:
        return Backlog(step, np.eye(1, POINTS)[0])
    number, weight = _terms(20.0 + 40.0 / drift**2)
    exact = int(np.count_nonzero((number <= _EACH) & (number * each < POINTS // 2)))
    left = np.zeros((len(number), POINTS))
    if exact:
        work = executed(requests, number[:exact] * period_s, 1.0, step)
        for k, row in enumerate(work, start=1):
            left[k - 1, 1 : POINTS - k * each] = row[k * each + 1 :]
    later = number[exact:, np.newaxis]
    variance = pod.executed_variance(period_s * later)
    left[exact:, 1:] = _beyond(mean * later, variance, later * quota_s, step)
    every = weight @ left
    logs = np.fft.rfft(every, 2 * POINTS) - every.sum()
    mass = np.maximum(np.fft.irfft(np.exp(logs), 2 * POINTS)[:POINTS], 0.0)
    return Backlog(step, mass / mass.sum())


def _beyond(mean: Floats, variance: Floats, bound: Floats, step: float) -> Floats:
    """Masses of what gamma distributions (rows) exceed a bound by, at `step`, 2 `step`, ..."""
    shape, scale = mean * mean / variance, variance / mean
    return np.asarray(-np.diff(gammaincc(shape, (bound + (np.arange(POINTS) + 0.5) * step) / scale)))


def _terms(last: float) -> tuple[Floats, Floats]:
    """Numbers of periods and the weights of these terms, which stand for 1/k up to `last`."""
    number, weight = [float(k) for k in range(1, _EACH + 1)], [1.0 / k for k in range(1, _EACH + 1)]
    low = _EACH + 1
    while low < last:
        high = int(low * _GROWTH) + 1
        number.append(float(np.sqrt(low * (high - 1.0))))
        weight.append(float(np.log((high - 0.5) / (low - 0.5))))
        low = high
    return np.array(number), np.array(weight)
