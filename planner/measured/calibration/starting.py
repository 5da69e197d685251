"""How long bound pods take to start, with the pull of their images, and started containers until their pod is Ready."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.fit import DURATION, LEAST_PARTS, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import median_estimate
from planner.measured.measured_cluster import MeasuredCluster
from planner.plan.model.workloads import Workload


def starting_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Start-up and readiness delay of a workload."""
    spans = (
        (tr("start-up"), "startup_delay", measured.pod_launches.get(workload.name)),
        (tr("readiness delay"), "readiness_delay", measured.pod_starts.get(workload.name)),
    )
    for what, field, seconds in spans:
        if seconds is None:
            continue
        if len(seconds) < LEAST_PARTS:
            why = tr("only {count} pods started; {least} are needed", count=len(seconds), least=LEAST_PARTS)
            yield NoFit(workload.name, what, why)
            continue
        found = median_estimate(seconds, independent=True)
        shares = 100 * (np.arange(len(seconds)) + 0.5) / len(seconds)
        middle = np.full(len(seconds), found.value)
        points = fit_points(PointsOf.ORDERED_TIMES, shares, np.sort(seconds), middle)
        low, high = np.quantile(seconds, [0.05, 0.95])
        remark = tr("{low:.3g} to {high:.3g} s for 90 % of the pods", low=low, high=high)
        yield Fit(workload.name, ("pod", field), found, DURATION, points, remark)
