"""Time of a request outside the CPU, and how much its CPU time varies, from p50 and p95 of calm steps.

Without waiting a response takes the floor and the CPU time, whose distribution is a gamma distribution.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from planner.language.translation import marked, tr
from planner.measured.calibration.cpu import ready_pods
from planner.measured.calibration.fit import DURATION, LEAST_STEPS, RATIO, Fit, FitPoints, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import FittedNumber, Floats, median_estimate
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.derived.fits import pod_cpu_milli
from planner.plan.model.workloads import Workload

_CALM = 0.3
"""Use over request of CPU up to which hardly any request waits."""
_LEAST_CV, _MOST_CV = 0.05, 3.0
_BUCKETS = marked("as exact as the buckets of the histogram")
_FLOOR, _CV = ("demand", "latency_floor"), ("demand", "cv")


def latency_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Latency floor and variability of requests."""
    name, demand = workload.name, workload.demand
    p50 = measured.course(Quantity.LATENCY_P50, name)
    if p50 is None or demand.parallelism > 1 or demand.classes:
        return
    calm = _calm(workload, measured) & np.isfinite(p50)
    if int(calm.sum()) < LEAST_STEPS:
        why = tr(
            "only {steps} steps use less than {share:.0%} of the CPU request; {least} are needed",
            steps=int(calm.sum()),
            share=_CALM,
            least=LEAST_STEPS,
        )
        yield NoFit(name, tr("latency floor"), why)
        return
    hours = np.flatnonzero(calm) * measured.step_s / 3600
    cost, cv = demand.cpu_seconds_per_request, demand.cv
    middles = np.asarray(p50, dtype=np.float64)[calm]
    p95 = measured.course(Quantity.LATENCY_P95, name)
    if p95 is not None and np.isfinite(p95[calm]).all():
        width = median_estimate(np.asarray(p95, dtype=np.float64)[calm] - middles)
        found = _variability(width, cost)
        if found is None:
            why = tr(
                "p95 is {width:.3g} s above p50, which CPU time of {cost:.3g} s a request does not explain",
                width=width.value,
                cost=cost,
            )
            yield NoFit(name, tr("variability of requests"), why)
        else:
            cv = found.value
            points = _points(hours, np.asarray(p95, dtype=np.float64)[calm] - middles, width.value)
            yield Fit(name, _CV, found, RATIO, points, f"{tr(_BUCKETS)}; {tr('with the CPU per request of the plan')}")
    service = cost * float(_quantile(0.5, cv))
    floor = median_estimate(np.maximum(middles - service, 0.0))
    points = _points(hours, middles, floor.value + service)
    yield Fit(name, _FLOOR, floor, DURATION, points, tr(_BUCKETS))


def _calm(workload: Workload, measured: MeasuredCluster) -> NDArray[np.bool_]:
    use = measured.course(Quantity.CPU, workload.name)
    request = pod_cpu_milli(workload.pod) / 1000
    if use is None or request <= 0:
        return np.zeros(measured.steps, dtype=bool)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(use / ready_pods(workload, measured) < _CALM * request)


def _variability(width: FittedNumber, cost: float) -> FittedNumber | None:
    """The variability whose p95 is so far above its p50; None if there is none."""
    known = np.geomspace(_LEAST_CV, _MOST_CV, 200)
    widths = cost * (_quantile(0.95, known) - _quantile(0.5, known))
    if not widths[0] <= width.value <= widths.max():
        return None
    rising = slice(0, int(widths.argmax()) + 1)
    value, low, high = (float(np.interp(w, widths[rising], known[rising])) for w in width[:3])
    return FittedNumber(value, low, high, width.samples, width.residual)


def _quantile(level: float, cv: Floats | float) -> Floats:
    """Of a gamma distribution of mean 1."""
    from scipy import special  # late: loading it takes longer than a small run

    shape = 1 / np.square(np.maximum(cv, _LEAST_CV))
    return np.asarray(special.gammaincinv(shape, level) / shape)


def _points(hours: Floats, seconds: Floats, fitted: float) -> FitPoints:
    return fit_points(PointsOf.LATENCY_OVER_TIME, hours, seconds, np.full(len(hours), fitted))
