"""CPU that running pods use besides the work of requests: constants, start-up, profiles and the work of Jobs.

Source: spec/load-latency-cost.md section 2. CPU is milli-CPU.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.plan.traffic import LoadProfile
from planner.workloads.load_profiles import rate_at
from planner.workloads.running_pods import RunningPods

Ints = NDArray[np.int64]
MILLI = 1000.0


@dataclass(frozen=True, slots=True)
class OtherUse:
    """What a workload's pods use over time; its row, cores by a profile, and how much the work of a Job can use."""

    row: int
    cpu: LoadProfile | None = None
    work_milli: int = 0
    """Most CPU that the work can use at once; 0: no work."""


class Received(NamedTuple):
    """Pods with work, and what each of them gets for it from now on."""

    pods: Ints
    milli: Ints


NOTHING = Received(np.zeros(0, np.int64), np.zeros(0, np.int64))


class UseOverTime:
    """Adds profiles and work to what pods use all the time."""

    def __init__(self, uses: Sequence[OtherUse], workload_count: int) -> None:
        self._profiles = {use.row: use.cpu for use in uses if use.cpu is not None}
        self._work: Ints = np.zeros(workload_count, np.int64)
        for use in uses:
            self._work[use.row] = use.work_milli
        self._has_work = bool(self._work.any())
        self._is_idle = not self._profiles and not self._has_work
        self._before_work: Ints = np.zeros(0, np.int64)

    def added_to(self, constant: Ints, pods: RunningPods, node_cores: Ints, now_us: int) -> Ints:
        """What each pod asks for: its constant use, its profile, and as much work as it and its node allow."""
        if self._is_idle:
            return constant
        if self._profiles:
            constant = constant + profile_milli(self._profiles, len(self._work), now_us)[pods.workload]
        if not self._has_work:
            return constant
        self._before_work = constant
        return constant + np.minimum(self._work[pods.workload], node_cores[pods.node])

    def received(self, pods: RunningPods, usage_milli: Ints) -> Received:
        """What the work gets of the use that followed from `added_to`; the constant part comes first."""
        if not self._has_work:
            return NOTHING
        working = np.flatnonzero(self._work[pods.workload])
        got = np.maximum(0, usage_milli[working] - self._before_work[working])
        return Received(pods.rows[working], got)


def profile_milli(profiles: Mapping[int, LoadProfile], workload_count: int, now_us: int) -> Ints:
    """Milli-CPU by workload row at a moment, from profiles in cores."""
    values = np.zeros(workload_count, np.int64)
    for row, profile in profiles.items():
        values[row] = round(min(rate_at(profile, now_us), 1e9) * MILLI)
    return values
