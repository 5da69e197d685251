"""How long started containers take until their pod is Ready."""

from collections.abc import Iterator

import numpy as np

from planner.measured.calibration.fit import DURATION, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import median_estimate
from planner.measured.measured_cluster import MeasuredCluster
from planner.plan.model.workloads import Workload

_LEAST_STARTS = 6
"""With fewer, no two of them enclose the median with 95 %."""


def starting_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Readiness delay of a workload."""
    seconds = measured.pod_starts.get(workload.name)
    if seconds is None:
        return
    if len(seconds) < _LEAST_STARTS:
        yield NoFit(workload.name, "readiness delay", f"only {len(seconds)} pods started; {_LEAST_STARTS} are needed")
        return
    found = median_estimate(seconds, independent=True)
    shares = 100 * (np.arange(len(seconds)) + 0.5) / len(seconds)
    points = fit_points(PointsOf.ORDERED_TIMES, shares, np.sort(seconds), np.full(len(seconds), found.value))
    yield Fit(workload.name, ("pod", "readiness_delay"), found, DURATION, points)
