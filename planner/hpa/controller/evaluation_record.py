"""What is recorded of an evaluation: every step from the metrics to the size."""

from collections.abc import Callable
from typing import Protocol

from planner.hpa.controller.tracked import TrackedAutoscaler
from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.multi_metric import MetricOutcome, MetricsResult, metric_label
from planner.hpa.rules.reconcile import EvaluationOutcome
from planner.hpa.rules.replica_calculator import Proposal, Tolerance, known_value
from planner.hpa.rules.spec import BehaviorSpec, MetricSpec
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import SelectPolicy
from planner.plan.model.autoscalers.hpa_metric import RESOURCE_SOURCES, MetricSource, ResourceName, TargetType
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.replicas import Evaluation, HpaCondition, MetricAnswer, Range, ReplicaCalculation

# Looking up a member of an enum costs a call in Python 3.11.
_HPA, _SCALED, _KEPT = Actor.HPA, Verdict.SCALED, Verdict.KEPT
_OUTSIDE = (MetricSource.OBJECT, MetricSource.EXTERNAL)
_UTILIZATION, _VALUE, _MEMORY = TargetType.UTILIZATION, TargetType.VALUE, ResourceName.MEMORY
Decide = Callable[[Decision], None]


class Repeat(Protocol):
    """Counts further equal decisions of an actor about a subject, with the ranges of what was measured."""

    def __call__(self, actor: Actor, subject: str, times: int, ranges: tuple[Range, Range] | None, /) -> None:
        """See `Recorder.repeat`."""


def evaluation_decision(
    workload: str, hpa: TrackedAutoscaler, outcome: EvaluationOutcome, before: int, after: int, now_us: int
) -> Decision:
    """The decision of one evaluation about a workload."""
    verdict = _SCALED if after != before else _KEPT
    result, reason = outcome.metrics, ""
    if result is not None and result.replicas is None:
        verdict = Verdict.NO_METRICS
        reason = str(result.outcomes[0].error) if result.outcomes else str(result.reason)
    elif verdict is _SCALED:
        reason = outcome.rescale_reason
    metric, calculation = ("", None) if result is None else _decisive(result, hpa.tolerance)
    stabilized, held, limited = _limits(outcome, calculation, hpa.spec.behavior)
    details = Evaluation(
        hpa.name,
        before,
        after,
        metric,
        calculation,
        _answers(result),
        reason,
        stabilized,
        held,
        limited,
        tuple([HpaCondition(one.type, one.status, one.reason) for one in outcome.status.conditions]),
        tuple(dict.fromkeys(str(event.reason) for event in outcome.events)) if outcome.events else (),
    )
    return Decision(now_us, _HPA, verdict, workload, details=details)


def _decisive(result: MetricsResult, tolerance: Tolerance) -> tuple[str, ReplicaCalculation | None]:
    """The metric whose proposal counts, or else the first that failed."""
    if result.winner >= 0:
        winner = result.outcomes[result.winner]
        proposal = winner.proposal
        made = None if proposal is None else _calculation(winner.metric, proposal, tolerance)
        return metric_label(winner.metric), made
    failed = next((one for one in result.outcomes if one.proposal is None), None)
    return "" if failed is None else metric_label(failed.metric), None


def _answers(result: MetricsResult | None) -> tuple[MetricAnswer, ...]:
    """Every metric's answer, where there are several."""
    if result is None or len(result.outcomes) < 2:
        return ()
    return tuple(map(_answer, result.outcomes))


def _answer(outcome: MetricOutcome) -> MetricAnswer:
    label = metric_label(outcome.metric)
    if outcome.proposal is None:
        return MetricAnswer(label, None, str(outcome.error))
    return MetricAnswer(label, outcome.proposal.replicas)


def _limits(
    outcome: EvaluationOutcome, made: ReplicaCalculation | None, behavior: BehaviorSpec | None
) -> tuple[int | None, str, str]:
    """The size after the windows and why, if they changed the proposal; what limited the size."""
    normalized = outcome.normalized
    if normalized is None:
        return None, "", ""
    limited = _limit(normalized.limited, behavior) if normalized.is_limited else ""
    if made is not None and normalized.stabilized == made.replicas:
        return None, "", limited
    return normalized.stabilized, str(normalized.able), limited


def _limit(reason: ConditionReason, behavior: BehaviorSpec | None) -> str:
    """The reason of ScalingLimited. Kubernetes gives a direction that is switched off the reason of a rate."""
    if behavior is not None:
        up, down = (one.select_policy is SelectPolicy.DISABLED for one in (behavior.scale_up, behavior.scale_down))
        if up and reason is ConditionReason.SCALE_UP_LIMIT:
            return "ScaleUpDisabled"
        if down and reason is ConditionReason.SCALE_DOWN_LIMIT:
            return "ScaleDownDisabled"
    return str(reason)


def _calculation(metric: MetricSpec, proposal: Proposal, tolerance: Tolerance) -> ReplicaCalculation:
    is_sum = metric.source in _OUTSIDE
    is_percent = metric.target_type is _UTILIZATION
    return ReplicaCalculation(
        proposal.replicas,
        proposal.ratio,
        tolerance.scale_up if proposal.ratio > 1.0 else tolerance.scale_down,
        known_value(proposal.value_milli),
        metric.target,
        proposal.utilization_pct if is_percent else None,
        is_sum and metric.target_type is _VALUE,
        proposal.first_ratio,
        proposal.ready if proposal.ready >= 0 else None,
        proposal.unready,
        proposal.missing,
        metric.source in RESOURCE_SOURCES and metric.name == _MEMORY,
    )
