"""Autoscalers at rest that follow the CPU utilization of their pods, read all at once.

Twin of `MetricReader.propose` (`hpa/metrics/metric_reader.py`) for what repeats itself at nearly every sync: all pods
of the workload count, as they did at the last evaluation, and their utilization is within the tolerance, so that the
proposal is the present size. An autoscaler for which that does not hold is left to be read alone.
"""

import numpy as np
from numpy.typing import NDArray

from planner.hpa.metrics.metric_reader import CountedPods
from planner.hpa.rules.replica_calculator import Proposal, Tolerance

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class ReadTogether:
    """Columns by position of the autoscaler; those of autoscalers that were never seen at rest mean nothing."""

    def __init__(self, count: int) -> None:
        self._version: Ints = np.full(count, -1, np.int64)
        self._current, self._request, self._target, self._pods = np.ones((4, count), np.int64)
        self._lowest, self._highest = np.zeros((2, count))
        self._rows: dict[int, Ints] = {}
        self._lowest_read, self._highest_read = np.full(count, np.inf), np.full(count, -np.inf)
        self._latest: dict[int, tuple[int, int]] = {}
        """Value and utilization of those that were read since they were last taken."""
        self._joined: tuple[Ints, Ints, Ints] | None = None
        """Positions, the rows of the pods of all of them, and where those of each begin."""

    def join(
        self, at: int, pods: CountedPods, current: int, target_pct: int, tolerance: Tolerance, version: int
    ) -> None:
        """An autoscaler is at rest at this size. `version`: of its workload, for which these are its pods."""
        if self._version[at] == version and self._current[at] == current:
            return
        self._version[at], self._current[at], self._target[at] = version, current, target_pct
        self._request[at], self._pods[at] = pods.request_milli, len(pods.rows)
        self._lowest[at], self._highest[at] = 1.0 - tolerance.scale_down, 1.0 + tolerance.scale_up
        self._rows[at], self._joined = pods.rows, None

    def leave(self, at: int) -> None:
        """What is known of an autoscaler holds no longer."""
        if self._rows.pop(at, None) is not None:
            self._version[at], self._joined = -1, None

    def read(self, usage_milli: Ints, asked: Bools, size: Ints, version: Ints) -> list[tuple[int, int, int]]:
        """Those of the autoscalers `asked` for whose proposal is the present size: position, size, utilization.

        `usage_milli`: by pod; `size` and `version`: of their workloads now.
        """
        at, rows, starts = self._columns()
        if not len(at):
            return []
        used = np.add.reduceat(usage_milli[rows], starts)
        utilization = used * 100 // self._request[at]
        ratio = utilization / self._target[at]
        found = (self._lowest[at] <= ratio) & (ratio <= self._highest[at]) & asked[at]
        found &= (size[at] == self._current[at]) & (version[at] == self._version[at])
        some = np.flatnonzero(found)
        at, ratio, shown = at[some], ratio[some], utilization[some].tolist()
        self._lowest_read[at] = np.minimum(self._lowest_read[at], ratio)
        self._highest_read[at] = np.maximum(self._highest_read[at], ratio)
        places, values = at.tolist(), (used[some] // self._pods[at]).tolist()
        self._latest.update(zip(places, zip(values, shown, strict=True), strict=True))
        return list(zip(places, self._current[at].tolist(), shown, strict=True))

    def take(self, at: int) -> tuple[Proposal, Proposal] | None:
        """Proposals of the lowest and highest ratio read since the last call, both with the latest value.

        None if there were none.
        """
        latest = self._latest.pop(at, None)
        if latest is None:
            return None
        current, ratios = self._current.item(at), (self._lowest_read.item(at), self._highest_read.item(at))
        self._lowest_read[at], self._highest_read[at] = np.inf, -np.inf
        lowest, highest = (Proposal(current, ratio, *latest) for ratio in ratios)
        return lowest, highest

    def _columns(self) -> tuple[Ints, Ints, Ints]:
        if self._joined is None:
            at = np.array(sorted(self._rows), np.int64)
            rows = [self._rows[one] for one in at.tolist()]
            starts = np.cumsum([0, *map(len, rows[:-1])]) if rows else at
            self._joined = at, np.concatenate(rows) if rows else at, starts
        return self._joined
