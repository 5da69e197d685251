"""How long the nodes of a pool take: until they register, and from there until they are Ready."""

from collections.abc import Iterator

import numpy as np

from planner.language.translation import tr
from planner.measured.calibration.fit import DURATION, LEAST_PARTS, Fit, FitPoints, NoFit, PointsOf, fit_points
from planner.measured.calibration.regression import (
    FittedNumber,
    Floats,
    deviation_estimate,
    mean_estimate,
    median_estimate,
)
from planner.measured.measured_cluster import MeasuredCluster
from planner.plan.model.node_groups import NodeGroup

_SECTION = "node_groups"


def booting_fits(pool: NodeGroup, measured: MeasuredCluster) -> Iterator[Fit | NoFit]:
    """Provisioning delay with its spread, and ready delay."""
    remark = tr("as exact as half a step of {step} s", step=measured.step_s)
    launches, boots = measured.node_launches.get(pool.name), measured.node_boots.get(pool.name)
    if launches is not None and _enough(launches):
        yield _fit(pool, "provisioning_delay", mean_estimate(launches), launches, remark)
        yield _fit(pool, "provisioning_spread", deviation_estimate(launches), launches, remark)
    elif launches is not None:
        yield NoFit(pool.name, tr("provisioning delay"), _too_few(launches))
    elif boots is not None:
        why = tr("there is no series of its target size, such as cluster_autoscaler_node_group_target_count")
        yield NoFit(pool.name, tr("provisioning delay"), why)
    if boots is not None:
        if _enough(boots):
            yield _fit(pool, "ready_delay", median_estimate(boots, independent=True), boots, remark)
        else:
            yield NoFit(pool.name, tr("ready delay"), _too_few(boots))


def _enough(seconds: Floats) -> bool:
    return len(seconds) >= LEAST_PARTS


def _too_few(seconds: Floats) -> str:
    return tr("only {count} nodes came; {least} are needed", count=len(seconds), least=LEAST_PARTS)


def _fit(pool: NodeGroup, field: str, found: FittedNumber, seconds: Floats, remark: str) -> Fit:
    return Fit(pool.name, (field,), found, DURATION, _points(seconds, found.value), remark, _SECTION)


def _points(seconds: Floats, value: float) -> FitPoints:
    shares = 100 * (np.arange(len(seconds)) + 0.5) / len(seconds)
    return fit_points(PointsOf.ORDERED_TIMES, shares, np.sort(seconds), np.full(len(seconds), value))
