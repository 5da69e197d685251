"""One step of the scale loop of a ScaledObject: between zero or idle and its minimum.

KEDA 2.18, pkg/scaling/scale_handler.go and pkg/scaling/executor/scale_scaledobjects.go. Times are microseconds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from planner.keda.rules.metric_amounts import carried
from planner.keda.rules.scaled_object import Pauses, ScaledObjectSpec, paused_count
from planner.plan.values.formula.formula import Formula, FormulaFailed

_US_PER_S = 1_000_000


class KedaCondition(NamedTuple):
    """A condition of the status; `status` is None while unknown."""

    status: bool | None = None
    reason: str = ""


UNKNOWN = KedaCondition()


class Activity(NamedTuple):
    """What the triggers say at a poll."""

    is_active: bool
    has_error: bool


@dataclass(frozen=True)
class LoopStatus:
    """What a ScaledObject keeps between polls."""

    ready: KedaCondition = UNKNOWN
    active: KedaCondition = UNKNOWN
    last_active_us: int | None = None


class Step(NamedTuple):
    """What a poll leads to. `replicas` is None where it changes nothing."""

    status: LoopStatus
    replicas: int | None = None


def activity_of(spec: ScaledObjectSpec, values: Sequence[float | None], formula: Formula | None) -> Activity:
    """Whether a ScaledObject is active. `values`: of the external triggers in order; None where one failed."""
    external = [trigger for trigger in spec.triggers if trigger.is_external]
    has_error = None in values
    if not external:
        return Activity(True, False)
    if formula is not None and spec.modifiers is not None:
        known = {trigger.name: carried(value or 0.0) for trigger, value in zip(external, values, strict=True)}
        return Activity(not has_error and _is_above(formula, known, spec.modifiers.activation), has_error)
    is_active = any(
        value is not None and value > trigger.activation for trigger, value in zip(external, values, strict=True)
    )
    return Activity(is_active, has_error)


def _is_above(formula: Formula, known: Mapping[str, float], activation: float) -> bool:
    """Whether a formula is above its activation value; one that fails is not, and that is no error of a trigger."""
    try:
        return carried(formula(known)) > activation
    except FormulaFailed:
        return False


def scale_step(
    spec: ScaledObjectSpec,
    pauses: Pauses,
    status: LoopStatus,
    activity: Activity,
    replicas: int,
    now_us: int,
    created_us: int,
) -> Step:
    """What one poll does to a target with so many replicas."""
    began = status.ready.status
    if not activity.has_error and not began:
        status = replace(status, ready=KedaCondition(True, "ScaledObjectReady"))
    if pauses.replicas is not None:
        return _paused(pauses.replicas, status, replicas)
    is_active = activity.is_active or pauses.force_activation
    if is_active:
        step = _while_active(spec, pauses, status, activity, replicas, now_us, began)
    else:
        step = _while_inactive(spec, pauses, status, activity, replicas, now_us, created_us, began)
    if step.status.active.status is None or step.status.active.status != is_active:
        reason = "ScalerActive" if is_active else "ScalerNotActive"
        step = step._replace(status=replace(step.status, active=KedaCondition(is_active, reason)))
    return step


def _paused(text: str, status: LoopStatus, replicas: int) -> Step:
    paused = paused_count(text)
    if paused is None:
        return Step(replace(status, ready=KedaCondition(False, "ScaledObjectReady")))
    return Step(status, paused if paused != replicas else None)


def _while_active(
    spec: ScaledObjectSpec,
    pauses: Pauses,
    status: LoopStatus,
    activity: Activity,
    replicas: int,
    now_us: int,
    began: bool | None,
) -> Step:
    now_us = now_us // _US_PER_S * _US_PER_S
    is_idle = spec.idle_replicas is not None and replicas < spec.min_replicas
    if is_idle or replicas == 0:
        if pauses.scale_out:
            return Step(status)
        return Step(replace(status, last_active_us=now_us), spec.min_replicas or 1)
    if activity.has_error:
        is_new = began is not None
        return Step(replace(status, ready=KedaCondition(None, "PartialTriggerError")) if is_new else status)
    return Step(replace(status, last_active_us=now_us))


def _while_inactive(
    spec: ScaledObjectSpec,
    pauses: Pauses,
    status: LoopStatus,
    activity: Activity,
    replicas: int,
    now_us: int,
    created_us: int,
    began: bool | None,
) -> Step:
    if activity.has_error and spec.fallback is not None and spec.fallback.replicas != 0:
        return Step(status)
    if activity.has_error and spec.fallback is None:
        is_new = began is not False
        return Step(replace(status, ready=KedaCondition(False, "TriggerError")) if is_new else status)
    idle = spec.idle_replicas
    if (idle is not None and replicas > idle) or (replicas > 0 and spec.min_replicas == 0):
        return _down(spec, pauses, status, now_us, created_us)
    if replicas < spec.min_replicas and idle is None:
        return Step(status, spec.min_replicas)
    return Step(status)


def _down(spec: ScaledObjectSpec, pauses: Pauses, status: LoopStatus, now_us: int, created_us: int) -> Step:
    """To idle or to zero, once the cool-down is over."""
    if pauses.scale_in:
        return Step(status)
    last_us = status.last_active_us
    over_us = created_us + spec.initial_cooldown_us if last_us is None else last_us + spec.cooldown_us
    if now_us > over_us:
        target = spec.min_replicas if spec.idle_replicas is None else spec.idle_replicas
        return Step(replace(status, active=KedaCondition(False, "ScalerNotActive")), target)
    return Step(replace(status, active=KedaCondition(False, "ScalerCooldown")))
