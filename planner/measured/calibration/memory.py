"""Working set of a pod and its drift, from the memory of all pods of a workload over their number."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.cpu import ready_pods
from planner.measured.calibration.fit import BYTES, LEAST_STEPS, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import Floats, line_fit, median_estimate, slope_estimate
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.model.workloads import Workload

_LEAST_HOURS = 24
_THINNED = 300
"""Points of a drift; the slope is a median over all pairs of them."""
_LEAST_VARIATION = 0.05
"""Of the requests in flight, as deviation over mean: below, memory with and without them looks alike."""
_WIDEST = 0.5
"""Half of an interval over its middle: beyond, too little is known."""
_NOTABLE = 0.01
"""Drift in a day that matters, in relation to the memory of a pod."""


def memory_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Memory of a pod and what it gains in an hour."""
    name, course = workload.name, measured.course(Quantity.MEMORY, workload.name)
    if course is None:
        return
    pods = ready_pods(workload, measured)
    with np.errstate(invalid="ignore", divide="ignore"):
        per_pod = np.asarray(course / pods, dtype=np.float64)
    known = np.isfinite(per_pod) & (per_pod > 0)
    if int(known.sum()) < LEAST_STEPS:
        yield NoFit(
            name,
            tr("memory"),
            tr(
                "only {known} steps have memory and pods; {least_steps} are needed",
                known=int(known.sum()),
                least_steps=LEAST_STEPS,
            ),
        )
        return
    flying = measured.course(Quantity.IN_FLIGHT, name)
    if flying is not None:
        with np.errstate(invalid="ignore", divide="ignore"):
            found = list(_by_requests(name, per_pod, np.asarray(flying / pods, dtype=np.float64)))
        yield from found
        if any(isinstance(one, Fit) for one in found):
            return
    hours = np.flatnonzero(known) * measured.step_s / 3600
    start = median_estimate(per_pod[known])
    points = fit_points(PointsOf.MEMORY_OVER_TIME, hours, per_pod[known], np.full(len(hours), start.value))
    yield Fit(name, ("memory_use", "start"), start, BYTES, points)
    if hours[-1] - hours[0] >= _LEAST_HOURS and np.ptp(pods[known]) == 0:
        yield from _drift(name, hours, per_pod[known])


def _by_requests(name: str, per_pod: Floats, flying: Floats) -> Iterator[Fit | NoFit]:
    """Working set without requests, and what each adds while it is in flight: a straight line."""
    known = np.isfinite(per_pod) & (per_pod > 0) & np.isfinite(flying)
    x, y = flying[known], per_pod[known]
    if len(x) < LEAST_STEPS or not x.any() or x.std() < _LEAST_VARIATION * x.mean():
        yield NoFit(
            name, tr("memory per request"), tr("the number of requests in flight hardly varies, or is not known")
        )
        return
    start, each = line_fit(np.column_stack((np.ones(len(x)), x)), y)
    if each.low <= 0 or each.high - each.low > 2 * _WIDEST * each.value:
        yield NoFit(name, tr("memory per request"), tr("memory does not follow the requests in flight"))
        return
    points = fit_points(PointsOf.MEMORY_OVER_REQUESTS, x, y, start.value + each.value * x)
    yield Fit(name, ("memory_use", "start"), start, BYTES, points, tr("without requests"))
    yield Fit(name, ("memory_use", "per_in_flight_request"), each, BYTES, points)


def _drift(name: str, hours: Floats, per_pod: Floats) -> Iterator[Fit]:
    """Only with a constant number of pods: new ones begin anew."""
    thin = np.linspace(0, len(hours) - 1, min(_THINNED, len(hours))).round().astype(int)
    slope = slope_estimate(hours[thin], per_pod[thin])
    if slope.low > 0 and slope.value * 24 > _NOTABLE * float(np.median(per_pod)):
        line = float(np.median(per_pod)) + slope.value * (hours - float(np.median(hours)))
        points = fit_points(PointsOf.MEMORY_OVER_TIME, hours, per_pod, line)
        yield Fit(name, ("memory_use", "growth_per_hour"), slope, BYTES, points)
