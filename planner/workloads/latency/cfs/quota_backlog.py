"""What a CPU quota leaves undone at the end of each period: the CFS bandwidth limit of a container.

A pod that could run freely executes so much work in a period; what exceeds the quota is postponed to the next. So the
backlog at the ends of periods is a random walk that cannot fall below zero, and Spitzer's identities give its chance
of being positive and its moments: the r-th cumulant is the sum over k of E[((X_k - k Q)+)^r] / k, X_k being the work
executed in k periods. That is taken as gamma distributed; it varies as the number of busy cores does, so requests
longer than a period are seen to spread over several.
"""

from typing import NamedTuple

import numpy as np
from scipy.special import gammaincc

from planner.workloads.latency.mmc import Floats

_EACH = 32
"""So many terms of the sums are added one by one; further ones stand for ever more."""
_GROWTH = 1.15
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
    """Work that a period leaves over: the chance of any, and its mean and variance if there is some."""

    chance: float
    mean_s: float
    variance_s2: float


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


def backlog_of(pod: FreePod, cores: int, quota_s: float, period_s: float) -> Backlog:
    """The stationary backlog at the end of a period, for a quota above the work that arrives in one."""
    mean = pod.busy * period_s
    drift = (quota_s - mean) / np.sqrt(float(pod.executed_variance(period_s)))
    number, weight = _terms(20.0 + 40.0 / drift**2)
    chance, first, second = _excess(mean * number, pod.executed_variance(period_s * number), quota_s * number)
    if quota_s >= cores * period_s:
        return Backlog(0.0, 0.0, 0.0)
    some = float(-np.expm1(-(weight * chance).sum()))
    whole, square = float((weight * first).sum()), float((weight * second).sum())
    if some <= _LEAST_LOAD or whole <= 0.0:
        return Backlog(0.0, 0.0, 0.0)
    average = whole / some
    return Backlog(some, average, max((square + whole * whole) / some - average * average, 1e-4 * average * average))


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


def _excess(mean: Floats, variance: Floats, beyond: Floats) -> tuple[Floats, Floats, Floats]:
    """P(X > q), E[(X - q)+] and E[((X - q)+)^2] of gamma distributions."""
    shape, scale = mean * mean / variance, variance / mean
    at = beyond / scale
    none = gammaincc(shape, at)
    one, two = gammaincc(shape + 1.0, at) * mean, gammaincc(shape + 2.0, at) * mean * (mean + scale)
    first = np.maximum(one - beyond * none, 0.0)
    return none, first, np.maximum(two - 2.0 * beyond * one + beyond * beyond * none, 0.0)
