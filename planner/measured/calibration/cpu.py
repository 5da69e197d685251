"""CPU of a request and of an idle pod, from use over load: `use = cost x requests/s + idle use x ready pods`.

Steps around a change in the number of pods are left out, as new pods start up then, and so are steps at the limit, or
in which requests fail: there use no longer follows the load.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from planner.language.translation import tr
from planner.measured.calibration.fit import (
    CORES,
    LEAST_STEPS,
    SECONDS_PER_REQUEST,
    Fit,
    FitPoints,
    NoFit,
    PointsOf,
    fit_points,
)
from planner.measured.calibration.regression import FittedNumber, Floats, line_fit
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.derived.pod_requests import limit_sums
from planner.plan.model.workloads import Workload

_NEAR_LIMIT = 0.95
_FAILING = 0.01
"""Of the attempts: a failed one may have cost nothing, or all of its work."""
_LEAST_VARIATION = 0.05
"""Of the load per pod, as deviation over mean: below, idle use and use by requests cannot be told apart."""
_WIDEST = 0.5
"""Half of an interval over its middle: beyond, too little is known."""
_COST, _IDLE = ("demand", "cpu_seconds_per_request"), ("demand", "idle_cpu")


def cpu_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Cost of a request and idle use of a workload, as far as the measured series tell them."""
    name = workload.name
    load, use = measured.course(Quantity.REQUESTS, name), measured.course(Quantity.CPU, name)
    if load is None and use is None:
        return
    if load is None or use is None:
        missing = tr("requests") if load is None else "CPU"
        yield NoFit(name, "CPU", tr("there is no series of {missing}", missing=missing))
        return
    pods = ready_pods(workload, measured)
    chosen = _steady(load, use, pods, _limit(workload)) & ~_fails(measured, name)
    x, y, r = (np.asarray(part, dtype=np.float64)[chosen] for part in (load, use, pods))
    if len(x) < LEAST_STEPS:
        why = tr(
            "only {steps} steps have load, use and a steady number of pods; {least} are needed",
            steps=len(x),
            least=LEAST_STEPS,
        )
        yield NoFit(name, "CPU", why)
        return
    if not x.any():
        yield NoFit(name, "CPU", tr("there were no requests"))
        return
    per_pod = x / r
    known = _other_use(workload)
    variation = float(per_pod.std() / per_pod.mean())
    if variation < _LEAST_VARIATION:
        yield from _alone(workload, (x, y, r), variation)
        return
    cost, base = line_fit(np.column_stack((x, r)), y)
    if cost.value <= 0 or cost.high - cost.low > 2 * _WIDEST * cost.value:
        low, high = cost.low, cost.high
        why = tr("use does not follow the load: {low:.3g} to {high:.3g} core s per request", low=low, high=high)
        yield NoFit(name, "CPU", why)
        return
    points = _points((x, y, r), cost.value, base.value)
    yield Fit(name, _COST, cost, SECONDS_PER_REQUEST, points, _spread(x, y - base.value * r))
    remark = tr("beside the constant use of the plan") if known else ""
    yield Fit(name, _IDLE, _shifted(base, -known), CORES, points, remark)


class LineSamples(NamedTuple):
    """Load, use and ready pods of every step, and in which of them use follows the line."""

    load: Floats
    use: Floats
    pods: Floats
    steady: NDArray[np.bool_]


def line_samples(workload: Workload, measured: MeasuredCluster) -> LineSamples | None:
    """Samples of a workload; None if too little was measured for a line, or the load of a pod hardly varies."""
    load, use = measured.course(Quantity.REQUESTS, workload.name), measured.course(Quantity.CPU, workload.name)
    if load is None or use is None:
        return None
    pods = ready_pods(workload, measured)
    steady = _steady(load, use, pods, _limit(workload)) & ~_fails(measured, workload.name)
    x, y, r = (np.asarray(part, dtype=np.float64) for part in (load, use, pods))
    found = LineSamples(x, y, r, steady)
    per_pod = found.load[steady] / found.pods[steady]
    if int(steady.sum()) < LEAST_STEPS or not per_pod.any() or per_pod.std() / per_pod.mean() < _LEAST_VARIATION:
        return None
    return found


def ready_pods(workload: Workload, measured: MeasuredCluster) -> NDArray[np.float32]:
    """Ready pods of each step; where that was not measured, the desired ones, else those of the plan."""
    for quantity in (Quantity.READY, Quantity.REPLICAS):
        course = measured.course(quantity, workload.name)
        if course is not None:
            return course
    return np.full(measured.steps, workload.replicas, dtype=np.float32)


def _steady(
    load: NDArray[np.float32], use: NDArray[np.float32], pods: NDArray[np.float32], limit: float
) -> NDArray[np.bool_]:
    known = np.isfinite(load) & np.isfinite(use) & np.isfinite(pods) & (pods > 0)
    changed = np.flatnonzero(np.diff(pods) != 0)
    known[changed] = False
    known[changed + 1] = False
    with np.errstate(invalid="ignore", divide="ignore"):
        return known & (use / pods < _NEAR_LIMIT * limit)


def _fails(measured: MeasuredCluster, name: str) -> NDArray[np.bool_]:
    """Steps in which more than a few attempts fail, as far as that was counted."""
    load = measured.course(Quantity.REQUESTS, name)
    failed = np.zeros(measured.steps, dtype=np.float32)
    for quantity in (Quantity.RETRIES, Quantity.GIVEN_UP):
        course = measured.course(quantity, name)
        failed += 0 if course is None else np.nan_to_num(course)
    return np.asarray(failed > _FAILING * (0 if load is None else np.nan_to_num(load)))


def _limit(workload: Workload) -> float:
    limits = [container.limits.cpu for container in workload.pod.containers]
    known = all(limit is not None for limit in limits)
    return limit_sums(workload.pod).get("cpu", 0) / 1000 if known and limits else np.inf


def _other_use(workload: Workload) -> float:
    """Cores of a pod that the plan counts besides demand.idleCpu."""
    return (workload.cpu_use + sum(container.cpu_use for container in workload.pod.containers)) / 1000


def _alone(workload: Workload, samples: tuple[Floats, Floats, Floats], variation: float) -> Iterator[Fit | NoFit]:
    """With the same load per pod all the time, the cost follows from the idle use of the plan."""
    x, y, r = samples
    base = workload.demand.idle_cpu / 1000 + _other_use(workload)
    (cost,) = line_fit(x[:, None], y - base * r)
    why = tr(
        "the load of a pod hardly varies ({variation:.1%}), so idle use and use by requests look alike",
        variation=variation,
    )
    yield NoFit(workload.name, tr("idle CPU"), why)
    if cost.value > 0:
        points = _points(samples, cost.value, base)
        yield Fit(workload.name, _COST, cost, SECONDS_PER_REQUEST, points, tr("with the idle CPU of the plan"))


def _points(samples: tuple[Floats, Floats, Floats], cost: float, base: float) -> FitPoints:
    """Load, use and pods, for one pod."""
    x, y, r = samples
    return fit_points(PointsOf.USE_OVER_LOAD, x / r, y / r, cost * x / r + base)


def _spread(load: Floats, work: Floats) -> str:
    """Cost of a request in calm and in expensive steps."""
    busy = load > 0
    low, high = np.quantile(work[busy] / load[busy], [0.05, 0.95])
    return tr("{low:.3g} to {high:.3g} in 90 % of the steps", low=low, high=high)


def _shifted(estimate: FittedNumber, by: float) -> FittedNumber:
    return estimate._replace(value=estimate.value + by, low=estimate.low + by, high=estimate.high + by)
