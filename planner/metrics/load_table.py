"""The load of every workload, in columns: of its latest load step, or its mean since the row before."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.metrics.totals import Flows
from planner.units import US_PER_S
from planner.workloads.load.step.load_step import WorkloadSteps

Floats = NDArray[np.float64]
_NAN = float("nan")


class _Figure:
    """A column of a LoadTable: one row of its values."""

    def __init__(self, idle: float) -> None:
        self.idle = idle
        """What a workload has that serves nothing."""
        self.at = -1

    def __set_name__(self, owner: "type[LoadTable]", name: str) -> None:
        self.at = len(owner.FIELDS)
        owner.FIELDS[name] = self.idle

    def __get__(self, table: "LoadTable | None", owner: type) -> Any:
        return self if table is None else table.values[self.at]


def _figure(idle: float = 0.0) -> Any:
    return _Figure(idle)


class LoadTable:
    """One entry per workload row in each column: requests per second, seconds, milli-CPU.

    Latencies are nan while nothing is served.
    """

    FIELDS: dict[str, float] = {}
    """Columns in order, with what idle workloads have."""

    offered_rps: Floats = _figure()
    served_rps: Floats = _figure()
    lost_rps: Floats = _figure()
    """Requests that are not tried again."""
    rejected_rps: Floats = _figure()
    timed_out_rps: Floats = _figure()
    retried_rps: Floats = _figure()
    in_flight: Floats = _figure()
    p50_s: Floats = _figure(_NAN)
    p90_s: Floats = _figure(_NAN)
    p95_s: Floats = _figure(_NAN)
    p99_s: Floats = _figure(_NAN)
    mean_s: Floats = _figure(_NAN)
    variance_s2: Floats = _figure(_NAN)
    end_to_end_p95_s: Floats = _figure(_NAN)
    """With the calls that a request waits for; nan where it waits for none."""
    end_to_end_p99_s: Floats = _figure(_NAN)
    error_ratio: Floats = _figure()
    throttled: Floats = _figure()
    """Share of time in which a ready pod stands still because its CPU quota is used up."""
    cpu_used_milli: Floats = _figure()
    """Of all pods of the workload together."""
    slo_missed: Floats = _figure(_NAN)
    """1 if the SLO was missed, 0 if it was kept; nan where there is none."""
    busy: Floats = _figure()
    """Share of what ready pods can do that is asked of them; above 1 in overload."""
    limited_by: Floats = _figure()
    """What limits the workload, a position in `limiting.LIMITS`."""

    queue_length: Floats = _figure()
    """Messages that wait until a pod fetches them."""
    queue_age_s: Floats = _figure()
    """Since when the oldest of them waits."""

    def __init__(self, workloads: int) -> None:
        """So many idle workloads."""
        self.values: Floats = np.repeat(np.array([list(self.FIELDS.values())]).T, workloads, axis=1)
        """Shape (columns, workloads)."""
        self._put_steps, self._put_flows, self._show = _kernels()

    def put(self, rows: NDArray[np.int64], step_us: NDArray[np.int64], steps: WorkloadSteps) -> None:
        """Take over load steps of the workloads of these rows; numbers of requests become rates."""
        if self._put_steps is not None:
            rates = steps.offered, steps.served, steps.gave_up, steps.rejected, steps.timed_out, steps.retried
            states = [getattr(steps, name) for name in _STATES]
            self._put_steps(rows, step_us, rates, states, self.values, _STATE_PLACES)
            return
        per_second = US_PER_S / step_us
        self.offered_rps[rows] = steps.offered * per_second
        self.served_rps[rows] = steps.served * per_second
        self.lost_rps[rows] = steps.gave_up * per_second
        self.rejected_rps[rows] = steps.rejected * per_second
        self.timed_out_rps[rows] = steps.timed_out * per_second
        self.retried_rps[rows] = steps.retried * per_second
        self.in_flight[rows] = steps.in_flight
        self.p50_s[rows], self.p90_s[rows] = steps.p50_s, steps.p90_s
        self.p95_s[rows], self.p99_s[rows] = steps.p95_s, steps.p99_s
        self.mean_s[rows], self.variance_s2[rows] = steps.mean_s, steps.variance_s2
        self.error_ratio[rows], self.throttled[rows] = steps.error_ratio, steps.throttled

    def put_flows(self, rows: NDArray[np.int64], elapsed_us: int, flows: Flows) -> None:
        """Show what has flowed at the workloads of these rows in the last `elapsed_us`: rows add up to totals."""
        if self._put_flows is not None:
            self._put_flows(rows, elapsed_us, flows.table, self.values, *_OF_FLOWS)
            return
        per_second = US_PER_S / elapsed_us
        self.values[:_RATES, rows] = flows.table[:_RATES] * per_second
        ended = flows.served + flows.lost
        self.error_ratio[rows] = flows.lost / np.where(ended > 0.0, ended, 1.0)
        self.throttled[rows] = flows.throttled_us / elapsed_us

    def take_over(self, table: "LoadTable", cpu_used_milli: Floats) -> None:
        """Show what another table does, and the CPU use of every workload row; rows beyond those of it stay idle."""
        self.values[:, : table.values.shape[1]] = table.values
        self.cpu_used_milli[:] = cpu_used_milli

    def show(self, fields: NDArray[np.int64], factors: Floats, rows: NDArray[np.int64], out: Floats) -> None:
        """Write fields of the workloads of these rows, each times its factor, into `out`: a row a field."""
        if self._show is not None:
            self._show(self.values, fields, factors, rows, out)
            return
        np.multiply(self.values[fields][:, rows], factors[:, np.newaxis], out=out)


_RATES = 6
"""The first columns are flows per second, in the order of `Flows.FIELDS`."""
_STATES = (
    "in_flight", "p50_s", "p90_s", "p95_s", "p99_s", "mean_s", "variance_s2", "error_ratio", "throttled",
)  # fmt: skip
"""Figures of a step that are shown as they are,"""
_PLACES = list(LoadTable.FIELDS)
_STATE_PLACES = [_PLACES.index(name) for name in _STATES]
"""and their rows of the table."""
_OF_FLOWS = _PLACES.index("error_ratio"), _PLACES.index("throttled")


def _kernels() -> tuple[Callable[..., None] | None, Callable[..., None] | None, Callable[..., None] | None]:
    """The compiled twins of `put`, `put_flows` and `show`."""
    if not switch.in_use():
        return None, None, None
    from planner.kernels.load.load_rows import put_flows, put_steps, show

    return put_steps, put_flows, show
