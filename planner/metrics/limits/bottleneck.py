"""What limits each service of a run at its busiest moment: where more of something else would not help."""

from collections.abc import Iterator

import numpy as np

from planner.metrics.figures import FigureInputs
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload
from planner.record.bottleneck import Bottleneck, LimitedBy
from planner.record.series import SeriesStore

_BUSY = 0.7
"""Below this share of what they can do, pods are not what a latency comes from."""
_SHORT = 0.95
"""Pods that get less than this share of the CPU that their load needs, and that their limit allows, lack a node's."""
_THROTTLED = 0.05


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
    series, time_us = inputs.series, inputs.time_us
    limit, milli = _of_a_pod(inputs.plan, workload)
    demand, name = workload.demand, workload.name
    could = (milli - demand.idle_cpu) / 1000.0
    ready = series[f"replicas_ready_count[{name}]"]
    if could <= 0.0 or not len(time_us):
        return None
    needed = (series[f"offered_rps[{name}]"] + series[f"retried_rps[{name}]"]) * demand.cpu_seconds_per_request
    busy = np.where(ready > 0.0, needed / np.maximum(ready * could, 1e-12), 0.0)
    at = int(busy.argmax())
    share, pods = float(busy[at]), float(ready[at])
    if pods <= 0.0:
        return None
    used = float(series[f"cpu_used_cores[{name}]"][at]) / pods - demand.idle_cpu / 1000.0
    short = (
        used < _SHORT * min(float(needed[at]) / pods, could) and float(series[f"in_flight_count[{name}]"][at]) > pods
    )
    if share >= _BUSY:
        return Bottleneck(name, LimitedBy.NODE if short else limit, share, int(time_us[at]))
    door = _full_door(callers, series, at)
    if door is not None:
        return Bottleneck(name, LimitedBy.FRONT_DOOR, share, int(time_us[at]), door)
    callee = _slow_callee(workload, series, at)
    if callee is not None:
        return Bottleneck(name, LimitedBy.CALLEE, share, int(time_us[at]), callee)
    if float(series[f"cpu_throttled_ratio[{name}]"][at]) > _THROTTLED:
        return Bottleneck(name, LimitedBy.QUOTA, share, int(time_us[at]))
    return None


def _of_a_pod(plan: Plan, workload: Workload) -> tuple[LimitedBy, float]:
    """What bounds the CPU of a pod, and to how many milli-CPU."""
    limits = [one.limits.cpu for one in workload.pod.containers]
    demand, bounds = workload.demand, []
    if demand.workers is not None:
        bounds.append((1000.0 * demand.workers * demand.parallelism + demand.idle_cpu, LimitedBy.WORKERS))
    if None not in limits:
        bounds.append((float(sum(one for one in limits if one is not None)), LimitedBy.POD_CPU))
    bounds.append((float(max((group.cpu for group in plan.node_groups), default=0)), LimitedBy.NODE))
    milli, limit = min(bounds, key=lambda bound: bound[0])
    return limit, milli


def _full_door(callers: list[str], series: SeriesStore, at: int) -> str | None:
    """The first of these workloads that refuses requests before they come to the one they call."""
    return next((name for name in callers if float(series[f"rejected_rps[{name}]"][at]) > 0.0), None)


def _slow_callee(workload: Workload, series: SeriesStore, at: int) -> str | None:
    """The callee that a request waits for longer than it takes itself."""
    own = float(series[f"latency_mean_ms[{workload.name}]"][at])
    waits = [
        (call.per_request * float(series[f"latency_mean_ms[{call.workload}]"][at]), call.workload)
        for call in workload.calls
        if not call.is_async
    ]
    longest, callee = max(waits, default=(0.0, ""))
    return callee if longest > own else None
