"""Groups of pods by the kernel, where pods do not take from one queue; `formed_groups.py` forms the others."""

from typing import Any

import numpy as np

from planner.kernels import switch
from planner.workloads.load.demand import Demands, Floats, Ints
from planner.workloads.load.pod_columns import Bools, Groups, PodsThatServe


class CompiledGroups:
    """Finds workloads whose pods have changed, and forms their groups."""

    def __init__(self, demands: Demands) -> None:
        """`demands`: of all workloads."""
        from planner.kernels.load.regrouped_pods import RegroupedPods

        self._demands = demands
        self._kernel = RegroupedPods(demands.cpu_seconds, demands.split_at_random.view(np.uint8))

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies have a kernel of their own."""
        return CompiledGroups, (self._demands,)

    def find_changed(
        self, positions: Ints, pods: PodsThatServe, groups: Groups, of_pods: tuple[Ints, Floats, Floats], found: Bools
    ) -> None:
        """Which of the workloads at `positions` have other pods than before, or pods that can do more or less.

        `of_pods`: group, spent CPU and part by pod row; `found`: by position, written to.
        """
        self._kernel.look_at(pods, groups, of_pods)
        self._kernel.changed(positions, found)

    def form(self, chosen: Bools, rows_of: list[Ints]) -> tuple[Groups, list[Ints], Floats]:
        """The groups that there are now, once `find_changed` has been asked: those of the `chosen` workloads are new.

        Then the pods of each of these, and requests that were lost with pods, by position. `rows_of`: by position the
        pods that had a group; they leave it.
        """
        columns, rows, lost = self._kernel.form(chosen, rows_of)
        return Groups(*columns), rows, lost


def compiled_groups(demands: Demands) -> CompiledGroups | None:
    """None without kernels."""
    return CompiledGroups(demands) if switch.in_use() else None
