"""CPU that pods use in addition when they start: what is used around a growing number of pods, over their line."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.cpu import LineSamples, line_samples
from planner.measured.calibration.fit import CORES, Fit, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import Floats, line_fit, median_estimate
from planner.measured.measured_cluster import MeasuredCluster
from planner.plan.model.workloads import Workload
from planner.units import US_PER_S

_BEFORE, _AFTER = 2, 1
"""Steps around the one in which new pods become Ready; start-up is before that, and may go on after it."""
_LEAST_STARTS = 6
_NOTABLE = 0.05
"""Of the CPU that a pod uses in a minute: less cannot be told from noise."""


def start_up_fits(workload: Workload, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Start-up CPU, for the time that the plan says it lasts."""
    samples = line_samples(workload, measured)
    if samples is None:
        return
    excess = _excess(samples, measured.step_s)
    if len(excess) < _LEAST_STARTS:
        return
    found = median_estimate(excess, independent=True)
    usual = float(np.nanmedian(samples.use / np.maximum(samples.pods, 1.0))) * 60
    if found.low <= 0 or found.value < _NOTABLE * usual:
        return
    lasts_s = workload.startup_cpu_time / US_PER_S
    if not lasts_s:
        why = tr(
            "a pod that starts uses {more:.3g} core s more; say in startupCpuTime for how long, and fit again",
            more=found.value,
        )
        yield NoFit(workload.name, tr("start-up CPU"), why)
        return
    found = found._replace(value=found.value / lasts_s, low=found.low / lasts_s, high=found.high / lasts_s)
    shares = 100 * (np.arange(len(excess)) + 0.5) / len(excess)
    cores = np.sort(excess) / lasts_s
    points = fit_points(PointsOf.ORDERED_CORES, shares, cores, np.full(len(cores), found.value))
    yield Fit(workload.name, ("startup_cpu",), found, CORES, points, tr("in addition, for startupCpuTime"))


def _excess(samples: LineSamples, step_s: int) -> Floats:
    """Core seconds beyond the line, for each pod of every growth that stands alone."""
    steady = samples.steady
    causes = np.column_stack((samples.load[steady], samples.pods[steady]))
    cost, base = (number.value for number in line_fit(causes, samples.use[steady]))
    beyond = samples.use - cost * samples.load - base * samples.pods
    changes = np.flatnonzero(np.diff(samples.pods) != 0) + 1
    apart = np.diff(changes, prepend=-np.inf, append=np.inf)
    alone = (apart[:-1] > _BEFORE + _AFTER) & (apart[1:] > _BEFORE + _AFTER)
    grown = samples.pods[changes] - samples.pods[changes - 1]
    inside = (changes >= _BEFORE) & (changes + _AFTER < len(beyond))
    chosen = alone & inside & (grown > 0)
    around = changes[chosen, None] + np.arange(-_BEFORE, _AFTER + 1)
    found = beyond[around].sum(axis=1) * step_s / grown[chosen]
    return np.asarray(found[np.isfinite(found)], dtype=np.float64)
