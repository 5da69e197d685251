"""Measured load as the traffic of a workload."""

import numpy as np

from planner.language.translation import tr
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.edits.edit import replace_at
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import MAX_POINTS, LoadPoint, TraceLoad, Traffic
from planner.plan.model.workloads import Workload
from planner.units import US_PER_S


def measured_traffic(measured: MeasuredCluster, workload: Workload) -> Traffic | None:
    """The load of each step, held until the next; gaps are straight lines. None if no load was measured.

    Retries are left out where the plan makes them itself.
    """
    if workload.demand.retries.attempts:
        course = measured.first_attempts(workload.name)
    else:
        course = measured.course(Quantity.REQUESTS, workload.name)
    if course is None or not np.isfinite(course).any() or len(course) > MAX_POINTS:
        return None
    steps = np.arange(len(course))
    known = np.isfinite(course)
    filled = np.interp(steps, steps[known], course[known])
    step_us = measured.step_s * US_PER_S
    points = tuple(LoadPoint(at=at * step_us, rate=float(f"{rate:.6g}")) for at, rate in enumerate(filled))
    source = tr("{source} from {partition}", source=measured.source, partition=measured.window.partition("/")[0])[:500]
    return Traffic(profile=TraceLoad(type="trace", source=source, points=points, interpolation="step"))


def with_measured_load(plan: Plan, measured: MeasuredCluster) -> tuple[Plan, int]:
    """The plan with the measured load of all workloads that have one, and how many these are.

    The plan starts when the measurement does, so that calendars go by the clock of the load.
    """
    count = 0
    for row, workload in enumerate(plan.workloads):
        traffic = measured_traffic(measured, workload)
        if traffic is not None:
            plan, count = replace_at(plan, ("workloads", row, "traffic"), traffic), count + 1
    if count:
        plan = replace_at(plan, ("simulation", "starts_at"), measured.start_s * US_PER_S)
    return plan, count
