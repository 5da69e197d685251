"""One evaluation of one autoscaler: inputs, status and memory in; replicas, status, memory and events out.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, reconcileAutoscaler.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from planner.hpa.rules.behavior import normalize_with_behavior, remember_scale
from planner.hpa.rules.conditions import Condition, ConditionReason, Conditions, ConditionType
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import MetricOutcome, MetricsResult
from planner.hpa.rules.normalization import Normalized, normalize
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource

ABOVE_MAX = "Current number of replicas above Spec.MaxReplicas"
BELOW_MIN = "Current number of replicas below Spec.MinReplicas"
ALL_BELOW_TARGET = "All metrics below target"
_WRITE_ATTEMPTS = 5
# Looking up a member of an enum costs a call in Python 3.11.
_ABLE, _ACTIVE = ConditionType.ABLE_TO_SCALE, ConditionType.SCALING_ACTIVE
_LIMITED, _AT_ZERO = ConditionType.SCALING_LIMITED, ConditionType.SCALED_TO_ZERO
_GOT_SCALE, _RESCALED = ConditionReason.SUCCEEDED_GET_SCALE, ConditionReason.SUCCEEDED_RESCALE
_ZERO_SOURCES = (MetricSource.OBJECT, MetricSource.EXTERNAL)


class WriteResult(StrEnum):
    """How one attempt to write the scale ends."""

    OK = "ok"
    CONFLICT = "conflict"
    ERROR = "error"


_OK, _CONFLICT = WriteResult.OK, WriteResult.CONFLICT


class EventReason(StrEnum):
    """Reasons of events besides those of single metrics."""

    FAILED_GET_SCALE = "FailedGetScale"
    FAILED_COMPUTE = "FailedComputeMetricsReplicas"
    SUCCESSFUL_RESCALE = "SuccessfulRescale"
    FAILED_RESCALE = "FailedRescale"


@dataclass(frozen=True, slots=True)
class HpaEvent:
    """An event on the autoscaler. `text` is the reason of a rescale; "" for others."""

    reason: str
    text: str = ""


class MetricStatus(NamedTuple):
    """What the status shows of one metric; a failed one leaves an empty entry (`metric` None)."""

    metric: MetricSpec | None = None
    value_milli: int | None = None
    utilization_pct: int | None = None

    @classmethod
    def of(cls, outcome: MetricOutcome) -> "MetricStatus":
        """The entry of one metric's answer."""
        if outcome.proposal is None:
            return cls()
        return cls(outcome.metric, outcome.proposal.value_milli, outcome.proposal.utilization_pct)


class HpaStatus(NamedTuple):
    """status of the autoscaler, as stored between evaluations."""

    current_replicas: int = 0
    desired_replicas: int = 0
    last_scale_us: int | None = None
    conditions: tuple[Condition, ...] = ()
    metrics: tuple[MetricStatus, ...] = ()
    """One per metric in order of the specification."""


@dataclass(frozen=True, slots=True)
class EvaluationInputs:
    """What one evaluation works on."""

    now_us: int
    spec: HpaSpec
    settings: HpaSettings
    current: int | None
    """spec.replicas of the scale subresource; None: it cannot be read."""
    read_metrics: Callable[[], MetricsResult]
    """Computes the metrics; called only when they are needed."""
    writes: tuple[WriteResult, ...] = (_OK,)
    """Results of attempts to write the scale; the last one repeats."""


class EvaluationOutcome(NamedTuple):
    """What one evaluation decided."""

    replicas: int | None
    """spec.replicas afterwards; None if the scale could not be read."""
    status: HpaStatus
    memory: HpaMemory
    status_changed: bool
    events: tuple[HpaEvent, ...] = ()
    write_attempts: int = 0
    has_error: bool = False
    metrics: MetricsResult | None = None
    """None when no metric was read."""
    normalized: Normalized | None = None
    rescale_reason: str = ""


@dataclass(slots=True)
class _Draft:
    """The evaluation while it is under way."""

    conditions: Conditions
    memory: HpaMemory
    desired: int
    rescale: bool = False
    reason: str = ""
    events: list[HpaEvent] = field(default_factory=list)
    metrics: MetricsResult | None = None
    normalized: Normalized | None = None


def evaluate(inputs: EvaluationInputs, status: HpaStatus, memory: HpaMemory) -> EvaluationOutcome:
    """Evaluate once: read the scale, choose the branch, normalise, write, update the status."""
    conditions = Conditions(status.conditions, inputs.now_us)
    if inputs.current is None:
        return _without_scale(conditions, status, memory)
    conditions.set(_ABLE, True, _GOT_SCALE)
    draft = _Draft(conditions, memory.started(inputs.current, inputs.now_us), inputs.current)
    _choose(inputs, inputs.current, draft)
    if draft.metrics is not None and draft.metrics.replicas is None:
        draft.events.append(HpaEvent(EventReason.FAILED_COMPUTE))
        return _finish(draft, inputs.current, inputs.current, status, status.desired_replicas)
    if not draft.rescale:
        return _finish(draft, inputs.current, inputs.current, status, inputs.current)
    return _write(inputs, inputs.current, draft, status)


def _without_scale(conditions: Conditions, status: HpaStatus, memory: HpaMemory) -> EvaluationOutcome:
    conditions.set(_ABLE, False, ConditionReason.FAILED_GET_SCALE)
    after = status._replace(conditions=conditions.all())
    event = HpaEvent(EventReason.FAILED_GET_SCALE)
    return EvaluationOutcome(None, after, memory, after != status, (event,), has_error=True)


def _choose(inputs: EvaluationInputs, current: int, draft: _Draft) -> None:
    """Branch of the evaluation: switched off, forced into the range, or by the metrics."""
    spec = inputs.spec
    if current == 0 and not _may_leave_zero(inputs, draft.conditions):
        draft.conditions.set(_ACTIVE, False, ConditionReason.SCALING_DISABLED)
        if not inputs.settings.scale_to_zero:
            draft.conditions.remove(_AT_ZERO)
    elif current > spec.max_replicas:
        draft.desired, draft.rescale, draft.reason = spec.max_replicas, True, ABOVE_MAX
    elif 0 < current < spec.min_replicas:
        draft.desired, draft.rescale, draft.reason = spec.min_replicas, True, BELOW_MIN
    else:
        _follow_metrics(inputs, current, draft)


def _may_leave_zero(inputs: EvaluationInputs, conditions: Conditions) -> bool:
    """At zero, metrics are read only if the autoscaler itself scaled there (gate HPAScaleToZero)."""
    if not inputs.settings.scale_to_zero or not conditions.is_true(_AT_ZERO):
        return False
    return _has_zero_source(inputs.spec) or inputs.spec.min_replicas != 0


def _has_zero_source(spec: HpaSpec) -> bool:
    return any(metric.source in _ZERO_SOURCES for metric in spec.metrics)


def _follow_metrics(inputs: EvaluationInputs, current: int, draft: _Draft) -> None:
    result = draft.metrics = inputs.read_metrics()
    draft.events.extend(HpaEvent(reason) for reason in result.events)
    want = result.replicas
    draft.conditions.set(_ACTIVE, want is not None, result.reason, result.detail)
    if want is None:
        return
    want = max(want, 0)  # metrics may be negative
    if want > current:
        draft.reason = f"{result.label} above target"
    elif want < current:
        draft.reason = ALL_BELOW_TARGET
    spec, settings = inputs.spec, inputs.settings
    normalized = draft.normalized = normalize_proposal(want, current, spec, draft.memory, inputs.now_us, settings)
    draft.memory = normalized.memory
    set_limits(draft.conditions, normalized)
    draft.desired = normalized.replicas
    if current == 0 and draft.desired < inputs.spec.min_replicas:
        draft.desired, draft.reason = inputs.spec.min_replicas, draft.reason or BELOW_MIN
    draft.rescale = draft.desired != current


def set_limits(conditions: Conditions, normalized: Normalized) -> None:
    """What windows and limits did."""
    conditions.set(_ABLE, True, normalized.able)
    conditions.set(_LIMITED, normalized.is_limited, normalized.limited)


def normalize_proposal(
    want: int, current: int, spec: HpaSpec, memory: HpaMemory, now_us: int, settings: HpaSettings
) -> Normalized:
    """Apply windows and limits, those of `behavior` where it is given."""
    if spec.behavior is None:
        return normalize(want, current, spec, memory, now_us, settings)
    return normalize_with_behavior(want, current, spec, spec.behavior, memory, now_us, settings)


def _write(inputs: EvaluationInputs, current: int, draft: _Draft, status: HpaStatus) -> EvaluationOutcome:
    attempts, result = 0, _CONFLICT
    while result is _CONFLICT and attempts < _WRITE_ATTEMPTS:
        result = inputs.writes[min(attempts, len(inputs.writes) - 1)]
        attempts += 1
    if result is not _OK:
        draft.events.append(HpaEvent(EventReason.FAILED_RESCALE, draft.reason))
        draft.conditions.set(_ABLE, False, ConditionReason.FAILED_UPDATE_SCALE, result)
        failed = _finish(draft, current, current, status, status.desired_replicas)
        return failed._replace(write_attempts=attempts, has_error=True)
    draft.events.append(HpaEvent(EventReason.SUCCESSFUL_RESCALE, draft.reason))
    draft.conditions.set(_ABLE, True, _RESCALED, str(draft.desired))
    if inputs.settings.scale_to_zero:
        _note_zero(inputs.spec, draft)
    else:
        draft.conditions.remove(_AT_ZERO)
    draft.memory = remember_scale(draft.memory, inputs.spec.behavior, current, draft.desired, inputs.now_us)
    done = status._replace(last_scale_us=inputs.now_us)
    outcome = _finish(draft, current, draft.desired, done, draft.desired)
    return outcome._replace(write_attempts=attempts, status_changed=outcome.status != status)


def _note_zero(spec: HpaSpec, draft: _Draft) -> None:
    is_own_zero = draft.desired == 0 and spec.min_replicas == 0 and _has_zero_source(spec)
    reason = ConditionReason.SCALED_TO_ZERO if is_own_zero else ConditionReason.NOT_SCALED_TO_ZERO
    draft.conditions.set(_AT_ZERO, is_own_zero, reason)


def _finish(draft: _Draft, current: int, replicas: int, status: HpaStatus, desired: int) -> EvaluationOutcome:
    after = HpaStatus(
        current_replicas=current,
        desired_replicas=desired,
        last_scale_us=status.last_scale_us,
        conditions=draft.conditions.all(),
        metrics=() if draft.metrics is None else tuple(map(MetricStatus.of, draft.metrics.outcomes)),
    )
    return EvaluationOutcome(
        replicas=replicas,
        status=after,
        memory=draft.memory,
        status_changed=after != status,
        events=tuple(draft.events),
        has_error=draft.metrics is not None and draft.metrics.has_error,
        metrics=draft.metrics,
        normalized=draft.normalized,
        rescale_reason=draft.reason,
    )
