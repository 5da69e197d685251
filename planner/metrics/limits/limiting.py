"""What limits services at an instant: where more of something else would not help them."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.kernels import switch
from planner.metrics.load_table import LoadTable
from planner.plan.derived.fits import why_not
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.record.bottleneck import LimitedBy

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Counts = NDArray[np.int32]

LIMITS: tuple[LimitedBy | None, ...] = (None, *LimitedBy)
"""What a code of the series `limited_by_code` means, by position."""
_BUSY = 0.7
"""Below this share of what they can do, pods are not what a latency comes from."""
_SHORT = 0.95
"""Pods that get less than this share of the CPU that their load needs, and that their limit allows, lack a node's."""
_THROTTLED = 0.02
"""Pods that stand still at their quota for a larger share of the time are bound by it."""
_LEAST = 1e-12
_PLACES = tuple(
    list(LoadTable.FIELDS).index(name)
    for name in ("offered_rps", "retried_rps", "in_flight", "throttled", "cpu_used_milli", "busy", "limited_by")
)
_CODES = float(LIMITS.index(LimitedBy.QUOTA)), float(LIMITS.index(LimitedBy.NODE))


class Loads(NamedTuple):
    """Services at an instant; an entry each, requests per second."""

    tried: Floats
    """Offered and retried."""
    rejected: Floats
    in_flight: Floats
    mean_s: Floats
    throttled: Floats
    """Share of time."""
    used_milli: Floats
    """CPU of all their pods together."""
    ready: Floats
    """Pods."""


class Limiting:
    """What bounds each of some workloads, and who calls whom among them."""

    def __init__(self, plan: Plan, workloads: Sequence[Workload]) -> None:
        """`workloads`: those that serve requests."""
        position = {workload.name: number for number, workload in enumerate(workloads)}
        bounds = [_of_a_pod(plan, workload) for workload in workloads]
        self._limit: Ints = np.array([LIMITS.index(limit) for limit, _ in bounds], np.int64)
        self._idle_milli = np.array([float(workload.demand.idle_cpu) for workload in workloads])
        self._could = (np.array([milli for _, milli in bounds]) - self._idle_milli) / 1000.0
        self._cpu_seconds = np.array([workload.demand.cpu_seconds_per_request for workload in workloads])
        calls = [
            (position[caller.name], position[call.workload], 0.0 if call.is_async else call.per_request)
            for caller in workloads
            for call in caller.calls
            if call.workload in position
        ]
        self._caller: Ints = np.array([caller for caller, _, _ in calls], np.int64)
        self._callee: Ints = np.array([callee for _, callee, _ in calls], np.int64)
        self._waits_for = np.array([each for _, _, each in calls])
        self._compiled = None if calls else _kernel()

    def show(self, load: LoadTable, rows: Ints, ready: Counts) -> None:
        """Write how busy the workloads of these rows are, and what limits them; `ready`: pods of every workload row."""
        if self._compiled is not None:
            bounds = self._could, self._idle_milli, self._cpu_seconds, self._limit
            self._compiled(rows, ready, load.values, _PLACES, bounds, (_BUSY, _SHORT, _THROTTLED), _CODES)
            return
        loads = Loads(
            load.offered_rps[rows] + load.retried_rps[rows], load.rejected_rps[rows], load.in_flight[rows],
            load.mean_s[rows], load.throttled[rows], load.cpu_used_milli[rows], ready[rows].astype(np.float64),
        )  # fmt: skip
        load.busy[rows] = busy = self.busy(loads)
        load.limited_by[rows] = self.codes(loads, busy)

    def busy(self, loads: Loads) -> Floats:
        """Share of what ready pods can do that is asked of them; above 1 in overload, 0 without pods."""
        could = loads.ready * np.maximum(self._could, 0.0)
        return np.where(could > 0.0, loads.tried * self._cpu_seconds / np.maximum(could, _LEAST), 0.0)

    def codes(self, loads: Loads, busy: Floats) -> Floats:
        """Positions in LIMITS; `busy` as of these loads."""
        pods = np.maximum(loads.ready, 1.0)
        wanted = np.minimum(loads.tried * self._cpu_seconds / pods, self._could)
        short = (loads.used_milli / pods - self._idle_milli < _SHORT * 1000.0 * wanted) & (loads.in_flight > pods)
        found = np.where(loads.throttled > _THROTTLED, LIMITS.index(LimitedBy.QUOTA), 0)
        if len(self._caller):
            mean_s = np.where(np.isnan(loads.mean_s), 0.0, loads.mean_s)
            longest, refused = np.zeros((2, len(busy)))
            np.maximum.at(longest, self._caller, self._waits_for * np.minimum(mean_s[self._callee], 1e9))
            np.maximum.at(refused, self._callee, loads.rejected[self._caller])
            found = np.where(longest > mean_s, LIMITS.index(LimitedBy.CALLEE), found)
            found = np.where(refused > 0.0, LIMITS.index(LimitedBy.FRONT_DOOR), found)
        found = np.where(busy >= _BUSY, np.where(short, LIMITS.index(LimitedBy.NODE), self._limit), found)
        return np.where((loads.ready > 0.0) & (self._could > 0.0), found, 0).astype(np.float64)


def _of_a_pod(plan: Plan, workload: Workload) -> tuple[LimitedBy, float]:
    """What bounds the CPU of a pod, and to how many milli-CPU."""
    limits = [one.limits.cpu for one in workload.pod.containers]
    demand, bounds = workload.demand, []
    if demand.workers is not None:
        bounds.append((1000.0 * demand.workers * demand.parallelism + demand.idle_cpu, LimitedBy.WORKERS))
    if None not in limits:
        bounds.append((float(sum(one for one in limits if one is not None)), LimitedBy.POD_CPU))
    bounds.append((float(_largest_node(plan, workload)), LimitedBy.NODE))
    milli, limit = min(bounds, key=lambda bound: bound[0])
    return limit, milli


def _largest_node(plan: Plan, workload: Workload) -> int:
    """Milli-CPU of the largest node that its pods may be on."""
    groups = [group.cpu for group in plan.node_groups if why_not(workload.pod, group) is None]
    bought = [machine.cpu for machine in plan.karpenter.instance_types] if plan.runs_karpenter else []
    return max((*groups, *bought), default=0)


def _kernel() -> Callable[..., None] | None:
    """The compiled twin of `Limiting.show` where no workload calls another."""
    if not switch.in_use():
        return None
    from planner.kernels.load.load_rows import limits

    return limits
