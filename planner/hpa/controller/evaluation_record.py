"""What of an evaluation the record keeps: every step from the samples to the size, as codes and numbers."""

from planner.hpa.rules.multi_metric import MetricOutcome, MetricsResult, metric_label
from planner.hpa.rules.reconcile import Outcome
from planner.hpa.rules.replica_calculator import Proposal, Tolerance
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, TargetType
from planner.record.decisions import Actor, Decision, Verdict


def evaluation_decision(
    workload: str, hpa: str, outcome: Outcome, before: int, after: int, tolerance: Tolerance, now_us: int
) -> Decision:
    """The decision of one evaluation about a workload."""
    figures: dict[str, float] = {"current": before, "desired": after}
    details = {"hpa": hpa}
    verdict = Verdict.SCALED if after != before else Verdict.KEPT
    result = outcome.metrics
    if result is not None and result.replicas is None:
        verdict = Verdict.NO_METRICS
        details["reason"] = str(result.outcomes[0].error) if result.outcomes else str(result.reason)
        _name_failed(details, result)
    elif outcome.rescale_reason and verdict is Verdict.SCALED:
        details["reason"] = outcome.rescale_reason
    if result is not None and result.winner >= 0:
        winner = result.outcomes[result.winner]
        details["metric"] = metric_label(winner.metric)
        if winner.proposal is not None:
            _add_proposal(figures, winner.metric, winner.proposal, tolerance)
        if len(result.outcomes) > 1:
            details["others"] = _others(result)
    _add_limits(figures, details, outcome)
    details["conditions"] = conditions_text(outcome)
    if outcome.events:
        details["events"] = " ".join(dict.fromkeys(event.reason for event in outcome.events))
    return Decision(now_us, Actor.HPA, verdict, workload, figures=figures, details=details)


def conditions_text(outcome: Outcome) -> str:
    """Conditions as "AbleToScale=True:ReadyForNewScale ...", in order of first appearance."""
    return " ".join(f"{known.type}={known.status}:{known.reason}" for known in outcome.status.conditions)


def _name_failed(details: dict[str, str], result: MetricsResult) -> None:
    failed = next((one for one in result.outcomes if one.proposal is None), None)
    if failed is not None:
        details["metric"] = metric_label(failed.metric)
    if len(result.outcomes) > 1:
        details["others"] = _others(result)


def _others(result: MetricsResult) -> str:
    """Every metric's answer, in order of the specification."""
    return ", ".join(f"{metric_label(one.metric)}: {_answer(one)}" for one in result.outcomes)


def _answer(outcome: MetricOutcome) -> str:
    return str(outcome.error) if outcome.proposal is None else str(outcome.proposal.replicas)


def _add_limits(figures: dict[str, float], details: dict[str, str], outcome: Outcome) -> None:
    normalized = outcome.normalized
    if normalized is None:
        return
    if normalized.stabilized != figures.get("proposal"):
        figures["stabilized"] = normalized.stabilized
        details["held"] = str(normalized.able)
    if normalized.is_limited:
        details["limited"] = str(normalized.limited)


def _add_proposal(figures: dict[str, float], metric: MetricSpec, proposal: Proposal, tolerance: Tolerance) -> None:
    figures["proposal"] = proposal.replicas
    figures["ratio"] = proposal.ratio
    is_total = metric.source in (MetricSource.OBJECT, MetricSource.EXTERNAL)
    is_value = is_total and metric.target_type is TargetType.VALUE
    figures["value_milli" if is_value else "average_milli"] = proposal.value_milli
    if metric.target_type is TargetType.UTILIZATION and proposal.utilization_pct is not None:
        figures["utilization_pct"] = proposal.utilization_pct
        figures["target_pct"] = metric.target
    else:
        figures["target_milli"] = metric.target
    figures["tolerance"] = tolerance.scale_up if proposal.ratio > 1.0 else tolerance.scale_down
    if proposal.ready >= 0:
        figures["ready"] = proposal.ready
    if proposal.unready:
        figures["unready"] = proposal.unready
    if proposal.missing:
        figures["missing"] = proposal.missing
    if proposal.first_ratio is not None:
        figures["first_ratio"] = proposal.first_ratio
