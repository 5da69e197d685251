"""Responses of pods under a quota by their load, computed once for every kind of pod and looked up in each step."""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.cfs.quota_response import responses
from planner.workloads.latency.free_response import LEVELS
from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.request_sizes import quantiles

LOADS = np.array([
    0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95,
])  # fmt: skip
"""Loads relative to the quota at which responses are computed; beyond, they grow as 1 / (1 - load)."""
_HIGHER = LOADS[1:]
_LEAST_LOAD = 1e-3


class QuotaTables:
    """The tables of some pods; what is looked up says by number which of them."""

    def __init__(self, pods: Sequence[QuotaPod]) -> None:
        self._rows = np.stack([_table(pod) for pod in pods])
        steep = self._rows[:, :, 0]
        self._held = steep[:, 1:] * (_HIGHER / (1.0 - _HIGHER))
        """Requests at a pod at each of _HIGHER."""
        self._steep = steep.ravel()
        self._slope = (np.diff(steep, axis=1, append=steep[:, -1:]) / np.diff(LOADS, append=1.0)).ravel()
        """By which it grows from each of LOADS to the next, per load."""

    @property
    def columns(self) -> tuple[Floats, Floats, Floats, Floats]:
        """LOADS; by table requests at all but the first, slopes from each to the next, and the rows of `_table`."""
        return LOADS, self._held, self._slope.reshape(self._rows.shape[:2]), self._rows

    def steepness(self, of: Ints, load: Floats) -> Floats:
        """Mean requests at a pod over load / (1 - load), which one server would hold; one row of columns or several."""
        cell, part = self._cell(load)
        low, high = self._rows[of, cell, 0], self._rows[of, cell + 1, 0]
        return np.asarray(low + part * (high - low))

    def share(self, of: Ints, available: Floats, capacity: Floats) -> Floats:
        """The load at which a pod holds `available` requests less capacity * load; one row of columns or several.

        Between two of LOADS that is the root of a quadratic equation, here in terms of what exceeds the lower one.
        """
        above = self._held[of] + capacity[..., np.newaxis] * _HIGHER <= available[..., np.newaxis]
        cell = above.sum(axis=-1)
        at = of * len(LOADS) + cell
        low, steep, slope = LOADS[cell], self._steep[at], self._slope[at]
        free = 1.0 - low
        missing = (available - capacity * low) * free - low * steep
        fall = available + steep + low * slope + capacity * (free - low)
        root = np.sqrt(np.maximum(fall * fall - 4.0 * (capacity - slope) * missing, 0.0))
        return np.asarray(low + 2.0 * missing / (fall + root))

    def responses(self, of: Ints, load: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean seconds, variance, and rows of LEVELS (seconds)."""
        cell, part = self._cell(load)
        low, high = self._rows[of, cell, 1:], self._rows[of, cell + 1, 1:]
        found = (low + part[:, np.newaxis] * (high - low)).T / (1.0 - load)
        return found[0], found[1] / (1.0 - load), found[3:]

    def throttled(self, of: Ints, load: Floats) -> Floats:
        """Share of the periods with work in which the quota is used up."""
        cell, part = self._cell(load)
        low, high = self._rows[of, cell, 3], self._rows[of, cell + 1, 3]
        return np.asarray(low + np.minimum(part, 1.0) * (high - low))

    def _cell(self, load: Floats) -> tuple[Ints, Floats]:
        known = np.minimum(load, LOADS[-1])
        cell = np.minimum(np.searchsorted(LOADS, known, side="right") - 1, len(LOADS) - 2)
        return cell, (known - LOADS[cell]) / (LOADS[cell + 1] - LOADS[cell])


@lru_cache(maxsize=64)
def tables_of(pods: tuple[QuotaPod, ...]) -> QuotaTables:
    """The tables of these pods; groups of pods change more often than they differ."""
    return QuotaTables(pods)


@cache
def _table(pod: QuotaPod) -> Floats:
    """A row for each of LOADS: requests held, mean, variance, share of throttled periods, LEVELS.

    The first two and LEVELS are times 1 - load, the variance times its square.
    """
    rate = pod.quota_cores / pod.request_s
    found = np.array([_figures(pod, max(load, _LEAST_LOAD)) for load in LOADS.tolist()])
    found[:, 0], found[:, 3:] = np.maximum.accumulate(found[:, 0]), np.maximum.accumulate(found[:, 3:])
    free = (1.0 - LOADS)[:, np.newaxis]
    found *= np.hstack([free, free * free, free * 0.0 + 1.0, np.repeat(free, len(LEVELS), axis=1)])
    return np.hstack([found[:, :1] * rate, found])


def _figures(pod: QuotaPod, load: float) -> Floats:
    """Mean, variance, throttled share and LEVELS at a load."""
    found = responses(pod, load)
    mean = float(found.values @ found.weights)
    variance = float(np.square(found.values) @ found.weights) - mean * mean
    return np.concatenate(([mean, variance, found.throttled], quantiles(found.values, found.weights, LEVELS)))
