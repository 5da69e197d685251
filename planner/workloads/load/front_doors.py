"""Front doors: pods that hold a connection open for each request until what they call has answered.

A gateway that holds at most K connections admits K / T requests per second, where T is its own latency and that of the
calls it waits for (Little's law); beyond that more pods behind it do not help unless they make it faster.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from planner.workloads.load.demand import Floats, Ints
from planner.workloads.load.step.load_step import WorkloadSteps
from planner.workloads.served_workload import ServedWorkload

_DEEPEST = 64
_LEAST_S = 1e-6


class FrontDoors:
    """By position of the workload: connections of a pod, and how long each was open in the latest step."""

    def __init__(self, items: Sequence[ServedWorkload], position_of: Mapping[int, int]) -> None:
        limits = [item.demand.connection_limit for item in items]
        self._most = np.array([np.inf if one is None else float(one) for one in limits])
        self._waits = [
            (position, position_of[row], each)
            for position, item in enumerate(items)
            for row, each in item.waits_for
            if row in position_of
        ]
        self._mean_s: Floats = np.zeros(len(items))
        self._some = bool(np.isfinite(self._most).any())

    def __bool__(self) -> bool:
        return self._some

    def note(self, part: Ints, steps: WorkloadSteps) -> None:
        """Latencies of the workloads at `part` in the step that ends."""
        self._mean_s[part] = np.where(np.isfinite(steps.mean_s), steps.mean_s, self._mean_s[part])

    def refused(self, part: Ints, rate: Floats, pods: Floats) -> Floats:
        """Requests per second that find all connections of so many pods open."""
        admitted = self._most[part] * pods / np.maximum(self._open_s()[part], _LEAST_S)
        return np.asarray(np.maximum(0.0, rate - admitted))

    def _open_s(self) -> Floats:
        """How long a request of each workload holds its connection."""
        whole = self._mean_s
        for _ in range(_DEEPEST):
            found = self._mean_s.copy()
            for caller, callee, each in self._waits:
                found[caller] += each * whole[callee]
            if np.array_equal(found, whole):
                break
            whole = found
        return whole


def with_refused(steps: WorkloadSteps, refused: Floats) -> WorkloadSteps:
    """A step of which so many requests more were offered and refused at the door; they are not tried again."""
    gave_up = steps.gave_up + refused
    ended = steps.served + gave_up
    errors = gave_up / np.where(ended > 0.0, ended, 1.0)
    return steps._replace(
        offered=steps.offered + refused, rejected=steps.rejected + refused, gave_up=gave_up, error_ratio=errors
    )
