"""How many requests a workload sends to another for each of its own: load of the called over that of its callers."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.fit import LEAST_STEPS, RATIO, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import line_fit
from planner.measured.measured_cluster import MeasuredCluster
from planner.measured.quantities import Quantity
from planner.plan.model.plan import Plan
from planner.plan.model.workloads import Workload

_WIDEST = 0.5
"""Half of an interval over its middle: beyond, too little is known."""
_LOAD_OF_ITS_OWN = 0.1
"""Residual in relation to the load: with more, not all of it comes from the callers of the plan."""


def call_fits(plan: Plan, called: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Calls per request of everything that calls a workload."""
    callers = [
        (each, at) for each in plan.workloads for at, call in enumerate(each.calls) if call.workload == called.name
    ]
    load = measured.first_attempts(called.name)
    if not callers or load is None:
        return
    what = tr("calls to {name}", name=called.name)
    loads = [measured.course(Quantity.REQUESTS, caller.name) for caller, _ in callers]
    if any(one is None for one in loads):
        missing = next(caller.name for (caller, _), one in zip(callers, loads, strict=True) if one is None)
        yield NoFit(missing, what, tr("there is no series of its requests"))
        return
    x = np.column_stack([np.asarray(one, dtype=np.float64) for one in loads if one is not None])
    y = np.asarray(load, dtype=np.float64)
    known = np.isfinite(y) & np.isfinite(x).all(axis=1) & (x > 0).any(axis=1)
    if int(known.sum()) < LEAST_STEPS:
        why = tr(
            "only {known} steps have load on both sides; {least} are needed", known=int(known.sum()), least=LEAST_STEPS
        )
        yield NoFit(callers[0][0].name, what, why)
        return
    ratios = line_fit(x[known], y[known])
    fitted = x[known] @ np.array([ratio.value for ratio in ratios])
    points = fit_points(PointsOf.CALLS_OVER_REQUESTS, x[known].sum(axis=1), y[known], fitted)
    for (caller, at), ratio in zip(callers, ratios, strict=True):
        if ratio.value <= 0 or ratio.high - ratio.low > 2 * _WIDEST * ratio.value:
            why = tr(
                "load does not follow its requests: {low:.3g} to {high:.3g} calls each", low=ratio.low, high=ratio.high
            )
            yield NoFit(caller.name, what, why)
        elif ratio.residual > _LOAD_OF_ITS_OWN:
            error = ratio.residual
            why = tr("its requests explain the load with an error of {error:.0%}: others call it too", error=error)
            yield NoFit(caller.name, what, why)
        else:
            remark = _remark(called, measured)
            yield Fit(caller.name, ("calls", at, "per_request"), ratio, RATIO, points, remark)


def _remark(called: Workload, measured: MeasuredCluster) -> str:
    if measured.course(Quantity.RETRIES, called.name) is None:
        return tr("calls to {name} with the retries of callers", name=called.name)
    return tr("calls to {name} without retries, which demand.retries adds", name=called.name)
