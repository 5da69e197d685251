"""What the autoscaler gets to read of a ScaledObject's metrics, failing ones included.

KEDA 2.18, pkg/scaling/scale_handler.go (GetScaledObjectMetrics), pkg/fallback/fallback.go.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from planner.keda.rules.scale_loop import UNKNOWN, KedaCondition
from planner.keda.rules.scaled_object import (
    COMPOSITE,
    FallbackBehavior,
    FallbackSpec,
    MetricTarget,
    ScaledObjectSpec,
    metric_name,
)
from planner.plan.values.formula import Formula, FormulaFailed


class TargetState(NamedTuple):
    """The scaled workload as fallbacks see it."""

    replicas: int
    ready: int


@dataclass
class MetricHealth:
    """Failures in a row of each metric, as the queries of the autoscaler saw them."""

    failures: dict[str, int] = field(default_factory=dict)
    fallback: KedaCondition = UNKNOWN


def answer_milli(
    spec: ScaledObjectSpec,
    metric: str,
    values: Mapping[str, float | None],
    formula: Formula | None,
    target: TargetState,
    health: MetricHealth,
) -> int | None:
    """The value of a metric in thousandths; None: an error.

    `values`: of the external metrics by name, those of formulas all of them; None where the scaler failed. `health` is
    brought up to date.
    """
    if metric != COMPOSITE or spec.modifiers is None:
        goal, kind = next(
            (one.target, one.target_type) for at, one in enumerate(spec.triggers) if metric_name(at, one) == metric
        )
        return _one(spec, metric, values[metric], (goal, kind), target, health).milli
    names = [(metric_name(at, one), one.name) for at, one in enumerate(spec.triggers) if one.is_external]
    given = spec.modifiers.target, spec.modifiers.target_type
    found = [(own, _one(spec, name, values[name], given, target, health)) for name, own in names]
    stands_in = next((one.milli for _, one in found if one.is_fallback), None)
    if any(one.milli is None for _, one in found):
        return None
    if stands_in is not None:
        return stands_in
    try:
        return int(formula({own: (one.milli or 0) / 1000.0 for own, one in found}) * 1000) if formula else None
    except FormulaFailed:
        return None


class _Answer(NamedTuple):
    milli: int | None
    is_fallback: bool = False


def _one(
    spec: ScaledObjectSpec,
    metric: str,
    value: float | None,
    goal: tuple[float, MetricTarget],
    target: TargetState,
    health: MetricHealth,
) -> _Answer:
    before = dict(health.failures)
    health.failures[metric] = 0 if value is not None else before.get(metric, 0) + 1
    if spec.fallback is not None:
        is_failing = any(count > spec.fallback.threshold for count in before.values())
        health.fallback = KedaCondition(is_failing, "FallbackExists" if is_failing else "NoFallbackFound")
    if value is not None:
        return _Answer(int(value * 1000))
    if spec.fallback is None or health.failures[metric] <= spec.fallback.threshold:
        return _Answer(None)
    size = float(_fallback_size(spec.fallback, target.replicas))
    if goal[1] is MetricTarget.VALUE:
        if target.ready == 0:
            return _Answer(None)
        size /= target.ready
    return _Answer(int(goal[0] * size * 1000), True)


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
    """Values of the external metrics by name: of the last poll where a trigger is cached and has one."""
    names = [(metric_name(at, one), one.cached) for at, one in enumerate(spec.triggers) if one.is_external]
    known = list(polled) or [None] * len(names)
    return {
        name: old if cached and old is not None else new
        for (name, cached), old, new in zip(names, known, fresh, strict=True)
    }
