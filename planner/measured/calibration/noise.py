"""Noise of the load: how far it is from its moving mean, without what single requests explain."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.fit import RATIO, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import FittedNumber, Floats, independent_share
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.model.traffic import TraceLoad
from planner.plan.model.workloads import Workload

_MEAN_OVER_S = 1800
_LEAST_STEPS = 120
_REACH = 1.96


def noise_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Variation of the load around its course; a load that is a trace has its noise in it."""
    course = measured.course(Quantity.REQUESTS, workload.name)
    if course is None or workload.traffic is None or isinstance(workload.traffic.profile, TraceLoad):
        return
    load = np.asarray(course, dtype=np.float64)
    ratios, chance = _ratios(load, measured.step_s)
    if len(ratios) < _LEAST_STEPS:
        why = tr("only {steps} steps in a row have load; {least} are needed", steps=len(ratios), least=_LEAST_STEPS)
        yield NoFit(workload.name, tr("noise of the load"), why)
        return
    variance = max(0.0, float(np.mean(np.square(ratios) - chance)))
    spread = float(np.std(np.square(ratios))) / np.sqrt(max(2.0, len(ratios) * independent_share(ratios)))
    low, high = (float(np.sqrt(max(0.0, variance + sign * _REACH * spread))) for sign in (-1, 1))
    found = FittedNumber(float(np.sqrt(variance)), low, high, len(ratios), float(np.median(np.abs(ratios))))
    hours = np.arange(len(ratios)) * measured.step_s / 3600
    points = fit_points(PointsOf.NOISE_OVER_TIME, hours, ratios, np.zeros(len(ratios)))
    remark = tr("around the mean of half an hour, without the chance of single requests")
    yield Fit(workload.name, ("traffic", "noise", "cv"), found, RATIO, points, remark)


def _ratios(load: Floats, step_s: int) -> tuple[Floats, Floats]:
    """Load over its moving mean, minus 1, and the variance that counting requests brings by itself."""
    width = max(3, _MEAN_OVER_S // step_s // 2 * 2 + 1)
    if len(load) < width:
        return np.empty(0), np.empty(0)
    mean = np.convolve(load, np.full(width, 1 / width), "valid")
    inner = load[width // 2 : width // 2 + len(mean)]
    known = np.isfinite(mean) & np.isfinite(inner) & (mean > 0)
    # A value is part of its own mean, so that its distance is smaller than that from the course below.
    correction = 1 / np.sqrt(1 - 1 / width)
    return (inner[known] / mean[known] - 1) * correction, 1 / (mean[known] * step_s)
