"""What limits each service of a run at its busiest moment: where more of something else would not help."""

from collections.abc import Iterator

import numpy as np

from planner.metrics.figures.inputs import FigureInputs
from planner.metrics.limits.limiting import LIMITS
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.record.bottleneck import Bottleneck, LimitedBy
from planner.record.series import SeriesStore


def bottlenecks(inputs: FigureInputs) -> Iterator[Bottleneck]:
    """One for each workload that is busy, throttled or waits mostly for others at its busiest moment."""
    callers = _callers(inputs.plan)
    for workload in inputs.plan.workloads:
        if f"offered_rps[{workload.name}]" in inputs.series:
            found = _bottleneck(inputs, workload, callers.get(workload.name, []))
            if found is not None:
                yield found


def _callers(plan: Plan) -> dict[str, list[str]]:
    """The workloads that call each, in the order of the plan."""
    callers: dict[str, list[str]] = {}
    for caller in plan.workloads:
        for name in dict.fromkeys(call.workload for call in caller.calls):
            callers.setdefault(name, []).append(caller.name)
    return callers


def _bottleneck(inputs: FigureInputs, workload: Workload, callers: list[str]) -> Bottleneck | None:
    series, name = inputs.series, workload.name
    busy = series[f"capacity_busy_ratio[{name}]"]
    if not len(busy):
        return None
    at = int(np.argmax(busy))
    limit = LIMITS[int(series[f"limited_by_code[{name}]"][at])]
    if limit is None:
        return None
    other = ""
    if limit is LimitedBy.FRONT_DOOR:
        other = _full_door(callers, series, at)
    elif limit is LimitedBy.CALLEE:
        other = _slowest_callee(workload, series, at)
    return Bottleneck(name, limit, float(busy[at]), int(inputs.time_us[at]), other)


def _full_door(callers: list[str], series: SeriesStore, at: int) -> str:
    """The first of these workloads that refuses requests before they come to the one they call."""
    return next((name for name in callers if float(series[f"rejected_rps[{name}]"][at]) > 0.0), "")


def _slowest_callee(workload: Workload, series: SeriesStore, at: int) -> str:
    """The callee that a request waits for longest."""
    waits = [
        (call.per_request * float(series[f"latency_mean_ms[{call.workload}]"][at]), call.workload)
        for call in workload.calls
        if not call.is_async
    ]
    return max(waits, default=(0.0, ""))[1]
