"""When requests are done that arrive at some moment of a CFS period, at a pod under a quota.

A pod that has quota left goes on with what earlier periods left over, a core for each request as far as it has cores.
Requests that stop, or have no worker yet, use later quotas behind and beside the others.
"""

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from planner.kernels import switch
from planner.workloads.latency.cfs.quota_pod import PERIOD_S, QuotaPod
from planner.workloads.latency.mmc import Bools, Floats

if TYPE_CHECKING:
    from planner.kernels.quota_responses import QuotaResponses

_LEAST = 1e-300
_LEAST_S = 1e-9
_ROUNDING = 1e-12
_CELL_BITS = 43
_LEAST_BITS = int(np.float64(_LEAST_S).view(np.int64)) >> _CELL_BITS
_CELLS = (int(np.float64(1e7).view(np.int64)) >> _CELL_BITS) - _LEAST_BITS


class RequestKinds(NamedTuple):
    """Requests that stand for all; columns, seconds."""

    work: Floats
    free: Floats
    """Time in service if no quota ends."""
    met: Floats
    """Of the work that shares the workers when one arrives, what is done before it is."""
    joined: Floats
    """Of a later request that shares all of them, what is done before it is."""
    working: Floats
    """Of what the pod does before it is done, the part for others that come while it works and share the workers."""
    coming: Floats
    """Of later quotas, the part for others that come meanwhile, over the rest."""
    weights: Floats
    load: float
    """Relative to the quota."""


class Work(NamedTuple):
    """Core-seconds that came before a request in its period; columns."""

    left_over: Floats
    """Of earlier periods,"""
    before: Floats
    """and with what has been executed in this one if there were no quota."""
    chance: Floats
    gone_on: tuple[float, float]
    """Of what was left over, the share that is done if each request has a core, and by how much it grows a second."""


class ArrivalMoment(NamedTuple):
    """When a request arrives, and who else is there."""

    elapsed_s: float
    """Since the period began."""
    late_s: float
    """Between the end of the quota and the stop."""
    beside: float
    """Cores that others use while it runs."""
    joining: float
    """Requests that come before the period ends, or while the next quota is used."""
    weight: float


class ResponseSums:
    """Weights of response times, and weighted times, in cells of times that differ by at most 0.2 %."""

    def __init__(self, pod: QuotaPod, kinds: RequestKinds, between_s: float) -> None:
        """`between_s`: the time from a moment to halfway to the next one."""
        self._pod, self._kinds, self._between_s = pod, kinds, between_s
        self.weight, self.times = np.zeros((2, _CELLS))
        own = (pod.quota_s, PERIOD_S, float(pod.cores), pod.left_of_one_s, kinds.load, between_s, pod.queueing)
        self._compiled = _compiled(own, kinds, (self.weight, self.times, _LEAST_BITS)) if switch.in_use() else None

    def add(self, work: Work, moment: ArrivalMoment) -> None:
        """Requests that arrive at a moment."""
        if self._compiled is not None:
            self._compiled.add(work, moment)
            return
        times, waits = until_done(self._pod, self._kinds, work, moment)
        weight = moment.weight * work.chance[:, np.newaxis] * self._kinds.weights
        # Those that stop wait for the end of the period: any time between one moment and the next.
        shift = np.where(waits, self._between_s, 0.0)
        both = np.maximum(np.stack((times - shift, times + shift), axis=-1), _LEAST_S)
        cell = (both.view(np.int64) >> _CELL_BITS) - _LEAST_BITS
        cell, weight = np.minimum(cell, _CELLS - 1).ravel(), np.repeat(0.5 * weight.ravel(), 2)
        np.add.at(self.weight, cell, weight)
        np.add.at(self.times, cell, weight * both.ravel())

    def values(self) -> tuple[Floats, Floats]:
        """Times that stand for all, ascending, and their weights."""
        some = np.flatnonzero(self.weight)
        return self.times[some] / self.weight[some], self.weight[some]


def _compiled(
    pod: tuple[float, float, float, float, float, float, bool], kinds: RequestKinds, sums: tuple[Floats, Floats, int]
) -> "QuotaResponses":
    from planner.kernels.quota_responses import QuotaResponses

    return QuotaResponses(pod, kinds[:-1], sums)


def until_done(pod: QuotaPod, kinds: RequestKinds, work: Work, moment: ArrivalMoment) -> tuple[Floats, Bools]:
    """Time until requests of each kind (columns) are done, for the work before them (rows).

    Also which of them wait for the end of the period.
    """
    quota, rest_s, cores = pod.quota_s, PERIOD_S - moment.elapsed_s, float(pod.cores)
    is_done, goes_on = work.gone_on
    left_over, before = work.left_over[:, np.newaxis], work.before[:, np.newaxis]
    again = left_over * (1.0 - is_done)
    done = np.minimum(before - again, min(cores * moment.elapsed_s, quota))
    unfinished = before - done
    going = left_over * goes_on + (unfinished - again) / pod.left_of_one_s
    busy = np.minimum(1.0 + moment.beside + going, cores)
    until_stop = np.where(done < quota, np.minimum((quota - done) / busy + moment.late_s, rest_s), 0.0)
    turn = _in_order(pod, unfinished) / cores
    run = kinds.free
    if not pod.queueing:
        run = np.maximum(kinds.free, (unfinished * kinds.met / (1.0 - kinds.working) + kinds.work) / cores)
    part = np.minimum(np.maximum(until_stop - turn, 0.0) / run, 1.0)
    left = kinds.work * (1.0 - part)
    others = np.maximum((busy - moment.beside) * until_stop - kinds.work * part, 0.0)
    used = np.maximum(_used_until_done(pod, kinds, moment, np.maximum(unfinished - others, 0.0), left), _LEAST)
    each = np.minimum(quota, PERIOD_S * np.maximum(used / np.maximum(left, _LEAST), 1.0))
    full = np.maximum(np.ceil((used - moment.late_s) / each - _ROUNDING) - 1.0, 0.0)
    last = used - full * each
    later = rest_s + full * PERIOD_S + np.maximum(last / cores, left * last / used)
    return np.where(part >= 1.0, turn + run, later), (part < 1.0) & (until_stop < rest_s)


def _in_order(pod: QuotaPod, unfinished: Floats) -> Floats:
    """Work of requests that have no worker yet."""
    served = (pod.cores - 1) * pod.left_of_one_s if pod.queueing else math.inf
    return np.asarray(np.maximum(unfinished - served, 0.0))


def _used_until_done(
    pod: QuotaPod, kinds: RequestKinds, moment: ArrivalMoment, unfinished: Floats, left: Floats
) -> Floats:
    """Work that the pod executes until requests of each kind are done of which so much is left."""
    in_order = _in_order(pod, unfinished)
    first = (unfinished - in_order) * kinds.met + left + moment.joining * np.minimum(left, kinds.joined)
    beside = first + np.maximum(first - pod.quota_s, 0.0) * kinds.coming
    if not pod.queueing:
        return beside
    return in_order + np.minimum(pod.cores * left, beside + kinds.load * in_order)
