"""The latest load step of every workload, in columns."""

import numpy as np
from numpy.typing import NDArray

from planner.metrics.sample import NO_LOAD, LoadView
from planner.units import US_PER_S
from planner.workloads.load.load_step import WorkloadSteps

Floats = NDArray[np.float64]


class LoadTable:
    """Columns of LoadView, one entry a workload row."""

    def __init__(self, columns: Floats) -> None:
        self._columns = columns

    @classmethod
    def without_load(cls, workloads: int) -> "LoadTable":
        """So many workloads that nobody asks for anything."""
        return cls(np.repeat(np.array([NO_LOAD]).T, workloads, axis=1))

    @property
    def rows(self) -> Floats:
        """A row of LoadView's fields for each workload."""
        return self._columns.T

    def column(self, field: str) -> Floats:
        """One attribute of LoadView for every workload row."""
        return np.asarray(self._columns[LoadView._fields.index(field)])

    def view(self, row: int) -> LoadView:
        """The load of one workload."""
        return LoadView(*self._columns[:, row].tolist())

    def put(self, rows: NDArray[np.int64], step_us: NDArray[np.int64], steps: WorkloadSteps) -> None:
        """The rates of load steps of the workloads of these rows."""
        per_second = US_PER_S / step_us
        for field, column in (
            ("offered_rps", steps.offered), ("served_rps", steps.served), ("lost_rps", steps.gave_up),
            ("rejected_rps", steps.rejected), ("timed_out_rps", steps.timed_out), ("retried_rps", steps.retried),
        ):  # fmt: skip
            self.column(field)[rows] = column * per_second
        for field in _AS_THEY_ARE:
            self.column(field)[rows] = getattr(steps, field)

    def with_cpu(self, cpu_used_milli: Floats) -> "LoadTable":
        """A copy with the CPU use of every workload row (of all its pods together); new rows have no load."""
        table = LoadTable.without_load(len(cpu_used_milli))
        table._columns[:, : self._columns.shape[1]] = self._columns
        table.column("cpu_used_milli")[:] = cpu_used_milli
        return table


_AS_THEY_ARE = (
    "in_flight", "p50_s", "p90_s", "p95_s", "p99_s", "error_ratio", "throttled", "mean_s", "variance_s2"
)  # fmt: skip
