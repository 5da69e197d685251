"""What the autoscaler gets to read of a ScaledObject's metrics, failing ones included.

KEDA 2.18, pkg/scaling/scale_handler.go (GetScaledObjectMetrics), pkg/fallback/fallback.go.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from planner.keda.rules.metric_amounts import milli_of
from planner.keda.rules.object_status import ObjectStatus
from planner.keda.rules.scaled_object import (
    COMPOSITE,
    FallbackBehavior,
    FallbackSpec,
    MetricTarget,
    ScaledObjectSpec,
    metric_name,
)
from planner.plan.values.formula.formula import Formula, FormulaFailed


class TargetState(NamedTuple):
    """The scaled workload as fallbacks see it."""

    replicas: int
    ready: int


def answer_milli(
    spec: ScaledObjectSpec,
    metric: str,
    values: Mapping[str, float | None],
    formula: Formula | None,
    target: TargetState,
    status: ObjectStatus,
) -> int | None:
    """The value of a metric in thousandths; None: an error.

    `values`: of the external metrics by name, those of formulas all of them; None where the scaler failed. `status` is
    brought up to date.
    """
    status.query_began()
    milli, has_error = _answer(spec, metric, values, formula, target, status)
    status.query_ended(has_error)
    return milli


def _answer(
    spec: ScaledObjectSpec,
    metric: str,
    values: Mapping[str, float | None],
    formula: Formula | None,
    target: TargetState,
    status: ObjectStatus,
) -> tuple[int | None, bool]:
    """The value, and whether a scaler failed that no fallback stands in for."""
    if metric != COMPOSITE or spec.modifiers is None:
        goal, kind = next(
            (one.target, one.target_type) for at, one in enumerate(spec.triggers) if metric_name(at, one) == metric
        )
        milli = _one(spec, metric, values[metric], (goal, kind), target, status).milli
        return milli, milli is None
    names = [(metric_name(at, one), one.name) for at, one in enumerate(spec.triggers) if one.is_external]
    given = spec.modifiers.target, spec.modifiers.target_type
    found = [(own, _one(spec, name, values[name], given, target, status)) for name, own in names]
    stands_in = next((one.milli for _, one in found if one.is_fallback), None)
    has_error = any(one.milli is None for _, one in found)
    if stands_in is not None or has_error:
        return stands_in, has_error
    try:
        value = formula({own: (one.milli or 0) * 0.001 for own, one in found}) if formula else None
    except FormulaFailed:
        value = None
    return None if value is None else milli_of(value), False


class _Answer(NamedTuple):
    milli: int | None
    is_fallback: bool = False


def _one(
    spec: ScaledObjectSpec,
    metric: str,
    value: float | None,
    goal: tuple[float, MetricTarget],
    target: TargetState,
    status: ObjectStatus,
) -> _Answer:
    fallback = spec.usable_fallback
    status.count(metric, value is None, None if fallback is None else fallback.threshold)
    if value is not None:
        return _Answer(milli_of(value))
    if fallback is None or status.failures[metric] <= fallback.threshold:
        return _Answer(None)
    size = float(_fallback_size(fallback, target.replicas))
    if goal[1] is MetricTarget.VALUE:
        if target.ready == 0:
            return _Answer(None)
        size /= target.ready
    return _Answer(int(goal[0] * 1000 * size), True)


def _fallback_size(fallback: FallbackSpec, replicas: int) -> int:
    return {
        FallbackBehavior.STATIC: fallback.replicas,
        FallbackBehavior.CURRENT: replicas,
        FallbackBehavior.CURRENT_IF_HIGHER: max(replicas, fallback.replicas),
        FallbackBehavior.CURRENT_IF_LOWER: min(replicas, fallback.replicas),
    }[fallback.behavior]


def cached_or_fresh(
    spec: ScaledObjectSpec, polled: Sequence[float | None], fresh: Sequence[float | None]
) -> dict[str, float | None]:
    """Values of the external metrics by name: where a trigger is cached those of the last poll, its failure included.

    `polled` is empty where nothing is cached.
    """
    names = [(metric_name(at, one), one.cached) for at, one in enumerate(spec.triggers) if one.is_external]
    known = polled or fresh
    return {name: old if cached else new for (name, cached), old, new in zip(names, known, fresh, strict=True)}


def still_cached(
    polled: list[float | None], values: Mapping[str, float | None], milli: int | None
) -> list[float | None]:
    """What stays of a poll after an answer: an error that no fallback stands in for empties the cache."""
    return [] if milli is None and None in values.values() else polled
