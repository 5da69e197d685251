"""Responses of pods under a quota by their load, computed once for every kind of pod and looked up in each step."""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np

from planner.workloads.latency.cfs.quota_pod import QuotaPod
from planner.workloads.latency.cfs.quota_response import responses
from planner.workloads.latency.free_response import LEVELS
from planner.workloads.latency.mmc import Floats, Ints
from planner.workloads.latency.sizes.request_sizes import quantiles

LOADS = np.array([
    0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95,
])  # fmt: skip
"""Loads relative to the quota at which responses are computed; beyond, they grow as 1 / (1 - load)."""
_HIGHER = LOADS[1:]
_LEAST_LOAD = 1e-3
_FIGURES = 4
"""Of a row, before those of LEVELS."""


class QuotaTables:
    """The tables of some pods; what is looked up says by number which of them.

    Their rows are made when a load is looked up for the first time, from the lowest one on: those of high loads take
    long, and few pods see them.
    """

    def __init__(self, pods: Sequence[QuotaPod]) -> None:
        self._pods = tuple(pods)
        size = len(self._pods), len(LOADS)
        self._known = np.zeros(len(self._pods), np.int64)
        """Rows of each table that are made."""
        self._known_of_all = 0
        self._rows = np.zeros((*size, _FIGURES + len(LEVELS)))
        self._held = np.full((len(self._pods), len(_HIGHER)), np.inf)
        """Requests at a pod at each of _HIGHER; those that are not known count as very many."""
        self._slope = np.zeros(size)
        """By which the first figure grows from each of LOADS to the next, per load."""

    def add(self, pods: Sequence[QuotaPod]) -> None:
        """Tables of more pods, numbered on from those that are there."""
        self._pods, self._known_of_all = (*self._pods, *pods), 0
        missing = len(self._pods) - len(self._known)
        if missing > 0:
            more = QuotaTables((pods[0],) * max(missing, len(self._known)))  # room for those to come, too
            self._known = np.concatenate((self._known, more._known))
            self._rows = np.concatenate((self._rows, more._rows))
            self._held = np.concatenate((self._held, more._held))
            self._slope = np.concatenate((self._slope, more._slope))

    @property
    def columns(self) -> tuple[Floats, Floats, Floats, Floats, Ints]:
        """LOADS; by table requests at all but the first, slopes from each to the next, the rows of `_PodTable`, and how
        many of these there are. What is missing is filled in by `know`."""
        return LOADS, self._held, self._slope, self._rows, self._known

    def know(self, table: int, rows: int) -> None:
        """Make the first rows of a table, so many of them or all."""
        whole, mine = _table(self._pods[table]), self._rows[table]
        for at in range(int(self._known[table]), min(rows, len(LOADS))):
            mine[at] = whole.row(at)
            if at:
                self._held[table, at - 1] = mine[at, 0] * (_HIGHER[at - 1] / (1.0 - _HIGHER[at - 1]))
                self._slope[table, at - 1] = (mine[at, 0] - mine[at - 1, 0]) / (LOADS[at] - LOADS[at - 1])
            self._known[table] = max(int(self._known[table]), at + 1)
        self._known_of_all = int(self._known[: len(self._pods)].min())

    def _lack(self, of: Ints, cell: Ints) -> bool:
        """Whether rows at the ends of these cells were missing, which now are known."""
        if int(cell.max(initial=0)) + 2 <= self._known_of_all:
            return False
        wanted, of = np.minimum(cell + 2, len(LOADS)), np.broadcast_to(of, cell.shape)
        lacking = np.flatnonzero(self._known[of] < wanted)
        for table, rows in zip(of.flat[lacking].tolist(), wanted.flat[lacking].tolist(), strict=True):
            self.know(table, rows)
        return bool(len(lacking))

    def steepness(self, of: Ints, load: Floats) -> Floats:
        """Mean requests at a pod over load / (1 - load), which one server would hold; one row of columns or several."""
        cell, part = self._cell(of, load)
        low, high = self._rows[of, cell, 0], self._rows[of, cell + 1, 0]
        return np.asarray(low + part * (high - low))

    def share(self, of: Ints, available: Floats, capacity: Floats) -> Floats:
        """The load at which a pod holds `available` requests less capacity * load; one row of columns or several.

        Between two of LOADS that is the root of a quadratic equation, here in terms of what exceeds the lower one.
        """
        cell = self._cell_of_held(of, available, capacity)
        low, steep, slope = LOADS[cell], self._rows[of, cell, 0], self._slope[of, cell]
        free = 1.0 - low
        missing = (available - capacity * low) * free - low * steep
        fall = available + steep + low * slope + capacity * (free - low)
        root = np.sqrt(np.maximum(fall * fall - 4.0 * (capacity - slope) * missing, 0.0))
        return np.asarray(low + 2.0 * missing / (fall + root))

    def responses(self, of: Ints, load: Floats) -> tuple[Floats, Floats, Floats]:
        """Mean seconds, variance, and rows of LEVELS (seconds)."""
        cell, part = self._cell(of, load)
        low, high = self._rows[of, cell, 1:], self._rows[of, cell + 1, 1:]
        found = (low + part[:, np.newaxis] * (high - low)).T / (1.0 - load)
        return found[0], found[1] / (1.0 - load), found[3:]

    def throttled(self, of: Ints, load: Floats) -> Floats:
        """Share of the time in which the quota is used up and the pod stands still."""
        cell, part = self._cell(of, load)
        low, high = self._rows[of, cell, 3], self._rows[of, cell + 1, 3]
        return np.asarray(low + np.minimum(part, 1.0) * (high - low))

    def _cell_of_held(self, of: Ints, available: Floats, capacity: Floats) -> Ints:
        while True:
            above = self._held[of] + capacity[..., np.newaxis] * _HIGHER <= available[..., np.newaxis]
            cell = np.asarray(above.sum(axis=-1), np.int64)
            if not self._lack(of, cell):
                return cell

    def _cell(self, of: Ints, load: Floats) -> tuple[Ints, Floats]:
        known = np.minimum(load, LOADS[-1])
        cell = np.minimum(np.searchsorted(LOADS, known, side="right") - 1, len(LOADS) - 2)
        self._lack(of, cell)
        return cell, (known - LOADS[cell]) / (LOADS[cell + 1] - LOADS[cell])


@lru_cache(maxsize=64)
def tables_of(pods: tuple[QuotaPod, ...]) -> QuotaTables:
    """The tables of these pods; groups of pods change more often than they differ."""
    return QuotaTables(pods)


class _PodTable:
    """A row for each of LOADS: requests held, mean, variance, share of throttled time, LEVELS.

    The first two and LEVELS are times 1 - load, the variance times its square.
    """

    def __init__(self, pod: QuotaPod) -> None:
        self._pod = pod
        self._known: dict[int, Floats] = {}

    def row(self, at: int) -> Floats:
        """The row of one of LOADS, by its place; none depends on those of higher loads."""
        found, free = self._figures(at).copy(), float(1.0 - LOADS[at])
        found[0], found[1], found[3:] = found[0] * free, found[1] * (free * free), found[3:] * free
        return np.concatenate((found[:1] * (self._pod.quota_cores / self._pod.request_s), found))

    def _figures(self, at: int) -> Floats:
        """Mean, variance, throttled share and LEVELS; mean and LEVELS are at least those of the load before."""
        found = self._known.get(at)
        if found is None:
            found = _figures(self._pod, max(float(LOADS[at]), _LEAST_LOAD))
            if at:
                grown = np.maximum(found, self._figures(at - 1))
                found[0], found[3:] = grown[0], grown[3:]
            self._known[at] = found
        return found


@cache
def _table(pod: QuotaPod) -> _PodTable:
    return _PodTable(pod)


def _figures(pod: QuotaPod, load: float) -> Floats:
    """Mean, variance, throttled share and LEVELS at a load."""
    found = responses(pod, load)
    mean = float(found.values @ found.weights)
    variance = float(np.square(found.values) @ found.weights) - mean * mean
    return np.concatenate(([mean, variance, found.throttled], quantiles(found.values, found.weights, LEVELS)))
