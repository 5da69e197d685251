"""A plan that plays what was measured, and the courses of a run of it on the steps of the measurement."""

from typing import NamedTuple

import numpy as np

from planner.errors import MeasuredProblem
from planner.language.translation import tr
from planner.measured.calibration.cpu import ready_pods
from planner.measured.calibration.regression import Floats
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.measured_load import measured_traffic
from planner.measured.quantities import Quantity
from planner.plan.model.node_groups import NodeGroup
from planner.plan.model.plan import Plan
from planner.plan.model.traffic import MAX_POINTS
from planner.plan.model.workloads import SCALABLE, Workload
from planner.record.result import RunResult
from planner.units import US_PER_S

_ROW_S = 15
"""Usual time between two rows of a run."""
_MOST_ROWS = 50_000
COLUMNS = {
    Quantity.READY: ("replicas_ready_count", 1.0),
    Quantity.REPLICAS: ("replicas_desired_count", 1.0),
    Quantity.CPU: ("cpu_used_cores", 1.0),
    Quantity.MEMORY: ("memory_used_bytes", 1.0),
    Quantity.LATENCY_P50: ("latency_p50_ms", 0.001),
    Quantity.LATENCY_P95: ("latency_p95_ms", 0.001),
    Quantity.NODES: ("group_nodes_ready_count", 1.0),
    Quantity.PENDING: ("pods_pending_count", 1.0),
}
"""Series of a run that say the same as measured ones, and their factor to base units."""


def with_known_load(measured: MeasuredCluster) -> MeasuredCluster:
    """From the first to the last step in which some load was measured.

    Raises MeasuredProblem if the load of no workload was.
    """
    loads = [course for subject, course in measured.courses.items() if subject.quantity is Quantity.REQUESTS]
    known = np.flatnonzero(np.isfinite(loads).any(axis=0)) if loads else np.empty(0)
    if not len(known):
        problem = tr("The load of no workload was measured, so there is nothing to play.")
        raise MeasuredProblem(measured.source, problem, tr("Measure requests per second of at least one workload."))
    begin = measured.start_s
    return measured.part(begin + int(known[0]) * measured.step_s, begin + int(known[-1] + 1) * measured.step_s)


class Played(NamedTuple):
    """A plan for the measured window, and what could not be taken over, as sentences."""

    plan: Plan
    notes: tuple[str, ...]


def played_plan(plan: Plan, measured: MeasuredCluster) -> Played:
    """The plan over the measured window: its load, and pods and nodes as they were at the beginning.

    Raises MeasuredProblem if there are more steps than a run can play.
    """
    notes: list[str] = []
    workloads = tuple(_played_workload(item, measured, notes) for item in plan.workloads)
    if measured.steps > MAX_POINTS:
        problem = tr(
            "There are {steps} steps; a run can play {max_points}.", steps=measured.steps, max_points=MAX_POINTS
        )
        raise MeasuredProblem(measured.source, problem, tr("Choose a longer --step, or a part with --from and --to."))
    if plan.events:
        notes.append(tr("events of the plan are left out: what happened is in the measured load"))
    row_s = _ROW_S if measured.step_s % _ROW_S == 0 else measured.step_s
    length_s = measured.steps * measured.step_s
    row_s = row_s if length_s / row_s <= _MOST_ROWS else measured.step_s
    simulation = plan.simulation.model_copy(
        update={
            "duration": length_s * US_PER_S,
            "record_interval": row_s * US_PER_S,
            "starts_at": measured.start_s * US_PER_S,
        }
    )
    groups = tuple(_played_group(group, measured) for group in plan.node_groups)
    update = {"workloads": workloads, "node_groups": groups, "simulation": simulation, "events": ()}
    return Played(plan.model_copy(update=update), tuple(notes))


def courses(result: RunResult, quantity: Quantity, name: str, measured: MeasuredCluster) -> Floats | None:
    """What a run says about a workload or pool, step by step; None if it does not."""
    column, factor = COLUMNS[quantity]
    series = result.series.get(column if quantity is Quantity.PENDING else f"{column}[{name}]")
    if series is None:
        return None
    found = np.full(measured.steps, np.nan)
    numbers = np.ceil(result.time_us / (measured.step_s * US_PER_S)).astype(np.int64) - 1
    known = (numbers >= 0) & (numbers < measured.steps) & np.isfinite(series)
    if quantity is Quantity.REPLICAS:
        found[numbers[known]] = series[known]
        return found
    counts = np.bincount(numbers[known], minlength=measured.steps)
    sums = np.bincount(numbers[known], weights=series[known] * factor, minlength=measured.steps)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(counts > 0, sums / counts, np.nan))


def _played_workload(item: Workload, measured: MeasuredCluster, notes: list[str]) -> Workload:
    update: dict[str, object] = {}
    load = measured.course(Quantity.REQUESTS, item.name)
    if load is not None:
        update["traffic"] = measured_traffic(measured, item)
        gaps = int(np.isnan(load).sum())
        if gaps:
            notes.append(
                tr(
                    "{gaps} steps without load of {name} are filled in between those around them",
                    gaps=gaps,
                    name=item.name,
                )
            )
    elif item.traffic is not None:
        notes.append(tr("the load of {name} was not measured; it has the load of the plan", name=item.name))
    seen = any(measured.course(quantity, item.name) is not None for quantity in (Quantity.READY, Quantity.REPLICAS))
    pods = ready_pods(item, measured)
    first = pods[np.isfinite(pods)][:1]
    if item.kind in SCALABLE and seen and len(first) and round(float(first[0])) != item.replicas:
        update |= {"replicas": round(float(first[0])), "starts_on": {}}
    return item.model_copy(update=update)


def _played_group(group: NodeGroup, measured: MeasuredCluster) -> NodeGroup:
    course = measured.course(Quantity.NODES, group.name)
    if course is None:
        return group
    known = course[np.isfinite(course)]
    return group.model_copy(update={"initial_size": round(float(known[0]))}) if len(known) else group
