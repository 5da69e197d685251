"""Response times of groups of pods, and of requests that are spread over several groups.

Exponential service without a quota has formulas (`PodLatency`); all else has quantiles at LEVELS, from tables.
"""

from typing import NamedTuple

import numpy as np

from planner.kernels import switch
from planner.workloads.latency import mmc
from planner.workloads.latency.floor_scatter import with_scatter
from planner.workloads.latency.free_response import LEVELS, PERCENTILES, REPORTED, service_quantiles
from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.pod_latency import PodLatency
from planner.workloads.latency.sizes.request_sizes import RequestSizes
from planner.workloads.latency.uneven_queue import queue_quantiles
from planner.workloads.load.step.pod_groups import PodGroups

_WANTED = np.array(PERCENTILES) / 100.0
_LOG_LATE = mmc.log_late(np.array([PERCENTILES]).T)
_LEVELS_LATE = np.log1p(-LEVELS)[:, np.newaxis]


class Responses(NamedTuple):
    """Columns, one entry a group."""

    weight: Floats
    """Share of the traffic, in pods."""
    mean_s: Floats
    variance_s2: Floats
    formula: PodLatency
    """Right where there is no table."""
    tabled: Ints
    """Groups with quantiles from tables, ascending."""
    levels_s: Floats
    """A row for each of LEVELS, a column for each of these."""

    def take(self, rows: Ints) -> "Responses":
        """Some of the groups."""
        place = np.full(len(self.mean_s), -1, np.int64)
        place[self.tabled] = np.arange(len(self.tabled))
        of = place[rows]
        formula, has = self.formula.take(rows), of >= 0
        return Responses(
            self.weight[rows], self.mean_s[rows], self.variance_s2[rows], formula, np.flatnonzero(has),
            self.levels_s[:, of[has]],
        )  # fmt: skip

    def percentiles_s(self) -> Floats:
        """A row for each of PERCENTILES."""
        return self._filled(_LOG_LATE, REPORTED)

    def all_levels_s(self) -> Floats:
        """A row for each of LEVELS."""
        return self._filled(_LEVELS_LATE, np.arange(len(LEVELS)))

    def _filled(self, log_late: Floats, rows: Ints) -> Floats:
        if len(self.tabled) == len(self.mean_s):
            return self.levels_s[rows]
        if not len(self.tabled):
            return self.formula.percentiles_s(log_late)
        found, other = np.empty((len(rows), len(self.mean_s))), np.ones(len(self.mean_s), np.bool_)
        found[:, self.tabled], other[self.tabled] = self.levels_s[rows], False
        alone = np.flatnonzero(other)
        found[:, alone] = self.formula.take(alone).percentiles_s(log_late)
        return found


def responses_of(groups: PodGroups, formula: PodLatency, load: Floats) -> Responses:
    """Responses of groups with CPU for requests, from those of exponential service and the load that explains them."""
    quotas = groups.throttled
    if len(quotas):  # there the wait only says how many requests a pod holds, and may be below 0
        formula = formula._replace(waiting=np.maximum(formula.waiting, 0.0))
    mean, variance = formula.mean_s(), formula.variance_s2()
    if not len(groups.tabled):
        return Responses(groups.weight, mean, variance, formula, quotas, np.zeros((len(LEVELS), 0)))
    levels = np.zeros((len(LEVELS), len(mean)))
    if len(groups.free):
        levels[:, groups.free], variance[groups.free] = _free(groups, formula.take(groups.free))
    for sizes, rows in groups.uneven:
        levels[:, rows], variance[rows] = _uneven(sizes, formula.take(rows))
    laws = groups.laws
    if len(quotas) and laws.tables is not None and laws.quota is not None:
        own, variance[quotas], levels[:, quotas] = laws.tables.responses(laws.quota[quotas], load[quotas])
        fixed = np.asarray(formula.fixed_s)[quotas]
        mean[quotas] = fixed + own
        levels[:, quotas] = np.minimum(levels[:, quotas] + fixed, groups.latest_s[:, quotas])
    return tabled_responses(groups, formula, mean, variance, levels[:, groups.tabled])


def tabled_responses(
    groups: PodGroups, formula: PodLatency, mean: Floats, variance: Floats, levels: Floats
) -> Responses:
    """Responses with quantiles from tables, to which the scatter of latency floors comes."""
    tabled = groups.tabled
    floor_s, cv = groups.demands.floor_s[tabled], groups.demands.floor_cv[tabled]
    if np.count_nonzero(cv):
        levels = with_scatter(levels, mean[tabled], floor_s, cv)
        variance[tabled] += np.square(floor_s * cv)
    return Responses(groups.weight, mean, variance, formula, tabled, levels)


def _free(groups: PodGroups, alone: PodLatency) -> tuple[Floats, Floats]:
    tables, of = groups.free_tables
    variance, levels = tables.responses(of, np.asarray(alone.waiting / np.asarray(alone.decay)))
    found = alone.fixed_s + levels * alone.service_s
    return np.minimum(found, groups.latest_s[:, groups.free]), variance * np.square(alone.service_s)


def _uneven(sizes: RequestSizes, alone: PodLatency) -> tuple[Floats, Floats]:
    waiting, decay = np.asarray(alone.waiting), np.asarray(alone.decay)
    spread = waiting * (2.0 - waiting) / (decay * decay) + sizes.second_moment - 1.0
    cut = alone.latest_start_s + service_quantiles(sizes)[:, np.newaxis] * alone.service_s
    found = alone.fixed_s + queue_quantiles(sizes, waiting, decay) * alone.service_s
    return np.minimum(found, cut), np.square(alone.service_s) * spread


def mixed_moments(parts: Responses, starts: Ints) -> tuple[Floats, Floats]:
    """Means and variances over all traffic of mixtures; `starts` says at which group each of them begins."""
    weight = np.add.reduceat(parts.weight, starts)
    mean = np.add.reduceat(parts.weight * parts.mean_s, starts) / weight
    second = np.add.reduceat(parts.weight * (parts.variance_s2 + np.square(parts.mean_s)), starts) / weight
    return mean, np.maximum(0.0, second - mean * mean)


def mixed_percentiles_s(parts: Responses, starts: Ints, stuck: Floats) -> Floats:
    """PERCENTILES (rows) of requests that meet one of several groups; `starts` says where each mixture begins.

    Those that meet a pod without CPU (`stuck`, a share) wait for ever. Between LEVELS distributions are taken as even.
    """
    length = np.diff(starts, append=len(parts.mean_s))
    found = np.empty((len(PERCENTILES), len(starts)))
    alone = (length == 1) & (stuck == 0.0)
    if alone.any():
        found[:, alone] = parts.take(starts[alone]).percentiles_s()
    some = np.flatnonzero(~alone)
    if not len(some):
        return found
    levels, share = parts.all_levels_s(), parts.weight / np.repeat(np.add.reduceat(parts.weight, starts), length)
    if switch.in_use():
        levels = np.ascontiguousarray(levels.T)
        found[:, some] = mixed_compiled(levels, share, (starts[some], length[some]), stuck[some])
        return found
    for one in some.tolist():
        rows = slice(int(starts[one]), int(starts[one] + length[one]))
        found[:, one] = _mixed(levels[:, rows], share[rows], float(stuck[one]))
    return found


def mixed_compiled(levels_s: Floats, share: Floats, mixtures: tuple[Ints, Ints], stuck: Floats) -> Floats:
    """PERCENTILES (rows) of mixtures by the kernel.

    `levels_s`: a row for each group, an entry for each of LEVELS; `mixtures`: first rows, and how many rows.
    """
    from planner.kernels.load.mixtures import mixed

    starts, length = mixtures
    found = np.empty((len(starts), len(PERCENTILES)))
    mixed(levels_s, share, LEVELS, (starts, length, stuck, found), _WANTED)
    return found.T


def _mixed(levels_s: Floats, share: Floats, stuck: float) -> Floats:
    knots = np.sort(levels_s, axis=None)
    below = np.zeros(len(knots))
    for column, part in zip(levels_s.T, share.tolist(), strict=True):
        below += part * np.interp(knots, column, LEVELS, left=0.0, right=1.0)
    wanted = _WANTED / (1.0 - stuck)
    return np.where(wanted < 1.0, np.interp(wanted, below, knots), np.inf)
