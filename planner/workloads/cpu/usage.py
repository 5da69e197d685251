"""CPU that running pods use besides the work of requests: constants, start-up, profiles and the work of Jobs.

docs/model.md, "CPU". CPU is milli-CPU.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.workloads.load_profiles import ProfileTable
from planner.workloads.served_workload import OtherUse

Ints = NDArray[np.int64]
MILLI = 1000.0
_MOST_CORES = 1e9


class Received(NamedTuple):
    """Pods with work, and what each of them gets for it from now on."""

    pods: Ints
    milli: Ints


NOTHING = Received(np.zeros(0, np.int64), np.zeros(0, np.int64))


class UseLevels:
    """Profiles and work by workload row: what pods use besides what they use all the time."""

    def __init__(self, uses: Sequence[OtherUse], workload_count: int) -> None:
        profiled = [use for use in uses if use.cpu is not None]
        self._rows = np.array([use.row for use in profiled], np.int64)
        self._profiles = ProfileTable([use.cpu for use in profiled])
        self._none: Ints = np.zeros(workload_count, np.int64)
        self.work_milli: Ints = np.zeros(workload_count, np.int64)
        """Most CPU that the work of a pod can use at once, whatever its node has."""
        for use in uses:
            self.work_milli[use.row] = use.work_milli
        self.has_work = bool(self.work_milli.any())
        self.changes = bool(profiled)
        """Whether use by profiles changes over time."""

    def profile_milli(self, now_us: int) -> Ints:
        """Milli-CPU at a moment, from profiles in cores."""
        if not len(self._rows):
            return self._none
        values = self._none.copy()
        values[self._rows] = np.rint(np.minimum(self._profiles.rates(now_us), _MOST_CORES) * MILLI)
        return values
