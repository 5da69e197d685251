"""Steps of workloads by the kernel, where all of their pods are under a CPU quota; `load_step.py` steps the others."""

from typing import Any

import numpy as np

from planner.kernels import switch
from planner.workloads.latency.free_response import LEVELS, REPORTED
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import NOT_SEEN, Groups
from planner.workloads.load.step.load_step import WorkloadSteps
from planner.workloads.load.step.quota_kinds import QuotaKinds
from planner.workloads.load.step.responses import mixed_compiled

_MANY_KINDS = 4096
_PERCENTILES = slice(WorkloadSteps._fields.index("p50_s"), WorkloadSteps._fields.index("p99_s") + 1)


class CompiledSteps:
    """The groups of pods of all workloads as the kernel has them."""

    def __init__(self, demands: Demands) -> None:
        """`demands`: of all workloads."""
        self._demands = demands
        self._groups: Groups | None = None
        self.some_lose = False
        """Whether pods of some group may lose requests by chance."""
        self.knows_all = False
        """Whether the kernel knows all pods of all workloads."""
        self._figures_of_all: Floats = np.zeros((len(WorkloadSteps._fields), len(demands.cv)))
        self._of_all = WorkloadSteps(*self._figures_of_all)
        self._begin()

    def _begin(self) -> None:
        from planner.kernels.load.quota_step import QuotaStep

        self._kinds = QuotaKinds(self._demands)
        self._kernel = QuotaStep(self._kinds.pods, len(self._demands.cv), REPORTED, len(LEVELS))
        self._kernel.write_all(self._figures_of_all)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies learn all of it anew: the kernel points into columns."""
        return CompiledSteps, (self._demands,)

    def regroup(self, groups: Groups) -> None:
        """There are these groups now; what they hold and have done is written to their columns."""
        if groups is self._groups:
            return
        is_new = self._groups is None
        if len(self._kinds) > _MANY_KINDS + 2 * len(groups.service):  # most are gone for good
            self._begin()
            is_new = True
        if is_new:  # kinds that were seen were those of another one
            groups.kind[:] = NOT_SEEN
        self._groups = groups
        self._kinds.look_at(groups)
        first = np.searchsorted(groups.service, np.arange(len(self._demands.cv) + 1))
        kept = groups.held, groups.done, groups.busy_milli
        self.some_lose = self._kernel.regroup(first, groups.service, groups.kind, groups.pods, *kept)
        self.knows_all = self._kernel.knows(np.arange(len(self._demands.cv)))

    def know(self, positions: Ints) -> bool:
        """Whether the kernel knows all pods of these workloads."""
        return self.knows_all or self._kernel.knows(positions)

    def step(self, positions: Ints, rate: Floats, dt_us: Ints, losses: Floats | None) -> WorkloadSteps:
        """A step of the workloads at `positions`, which it knows; what their pods hold and have done is kept.

        `losses`: as of `losses_of`.
        """
        found, mixtures = self._kernel.step(positions, rate, dt_us, losses)
        if mixtures is not None:
            _mix(found, mixtures)
        return WorkloadSteps(*found)

    def step_all(self, rate: Floats, dt_us: int, losses: Floats | None) -> WorkloadSteps:
        """The same of all workloads, where it `knows_all`; what it returns is written over by the next one."""
        mixtures = self._kernel.step_all(rate, dt_us, losses)
        if mixtures is not None:
            _mix(self._figures_of_all, mixtures)
        return self._of_all


def _mix(figures: Floats, mixtures: tuple[Ints, Ints, Ints, Floats, Floats]) -> None:
    """Percentiles of the workloads whose pods are in several groups, as `QuotaStep.step` returns these."""
    of, starts, length, share, levels_s = mixtures
    figures[_PERCENTILES, of] = mixed_compiled(levels_s, share, (starts, length), np.zeros(len(of)))


def compiled_steps(demands: Demands) -> CompiledSteps | None:
    """None without kernels."""
    return CompiledSteps(demands) if switch.in_use() else None
