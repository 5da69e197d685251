"""Several metrics together: the largest proposal wins, and a failing metric blocks scale-down.

Kubernetes 1.36, pkg/controller/podautoscaler/horizontal.go, computeReplicasForMetrics.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from planner.hpa.rules.conditions import ConditionReason
from planner.hpa.rules.replica_calculator import MetricErrorCode, MetricFailed, Proposal, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType

# Looking up a member of an enum costs a call in Python 3.11.
_RESOURCE, _CONTAINER_RESOURCE = MetricSource.RESOURCE, MetricSource.CONTAINER_RESOURCE
_UTILIZATION = TargetType.UTILIZATION
FAILURE_REASONS = {
    MetricSource.RESOURCE: ConditionReason.FAILED_GET_RESOURCE_METRIC,
    MetricSource.CONTAINER_RESOURCE: ConditionReason.FAILED_GET_CONTAINER_RESOURCE_METRIC,
    MetricSource.PODS: ConditionReason.FAILED_GET_PODS_METRIC,
    MetricSource.OBJECT: ConditionReason.FAILED_GET_OBJECT_METRIC,
    MetricSource.EXTERNAL: ConditionReason.FAILED_GET_EXTERNAL_METRIC,
}


class MetricOutcome(NamedTuple):
    """One metric's answer: either a proposal or an error."""

    metric: MetricSpec
    proposal: Proposal | None
    error: MetricErrorCode | None = None


class MetricsResult(NamedTuple):
    """The result of all metrics together. `replicas` None: the evaluation stops."""

    replicas: int | None
    outcomes: tuple[MetricOutcome, ...] = ()
    winner: int = -1
    """Index of the winning metric; -1 if stopped."""
    reason: str = ConditionReason.VALID_METRIC_FOUND
    """Reason of ScalingActive; the condition is True unless the evaluation stops."""
    detail: str = ""
    events: tuple[str, ...] = ()
    """Reasons of the events, in order."""
    has_error: bool = False
    """Some or all metrics failed: the evaluation ends with an error in the log."""

    @property
    def label(self) -> str:
        """The winning metric in the words of the events; "" if stopped."""
        return metric_label(self.outcomes[self.winner].metric) if self.winner >= 0 else ""


def ambiguous_selector(autoscalers: Sequence[str]) -> MetricsResult:
    """The evaluation stops: several autoscalers of the namespace, the evaluated one among them, select its pods.

    Kubernetes 1.36, horizontal.go, validateAndParseSelector.
    """
    reason = ConditionReason.AMBIGUOUS_SELECTOR
    return MetricsResult(
        replicas=None, reason=reason, detail=",".join(autoscalers), events=(reason.value,), has_error=True
    )


def effective_tolerance(spec: HpaSpec, settings: HpaSettings) -> Tolerance:
    """The controller's tolerance, or for each direction that of `behavior` while its gate is on."""
    up = down = settings.tolerance
    if spec.behavior is not None and settings.configurable_tolerance:
        own_up, own_down = spec.behavior.scale_up.tolerance, spec.behavior.scale_down.tolerance
        up = up if own_up is None else own_up
        down = down if own_down is None else own_down
    return Tolerance(up, down)


def outcome_of(metric: MetricSpec, compute: Callable[[], Proposal]) -> MetricOutcome:
    """The answer of one metric; MetricFailed is caught."""
    try:
        return MetricOutcome(metric, compute())
    except MetricFailed as failure:
        return MetricOutcome(metric, None, failure.code)


def combine(outcomes: Sequence[MetricOutcome], current: int) -> MetricsResult:
    """The first metric with the strictly largest proposal wins; of several that call for none the last.

    It stops when all metrics fail, or when one fails and the best proposal is below `current`
    (spec.replicas): a broken metric never blocks growth and always blocks shrinking.
    """
    best, winner = 0, -1
    if len(outcomes) == 1 and (only := outcomes[0].proposal) is not None:  # the usual case
        return MetricsResult(only.replicas, tuple(outcomes), 0, detail=metric_label(outcomes[0].metric))
    failures = [outcome for outcome in outcomes if outcome.proposal is None]
    for index, outcome in enumerate(outcomes):
        if outcome.proposal is not None and (best == 0 or outcome.proposal.replicas > best):
            best, winner = outcome.proposal.replicas, index
    events = tuple(FAILURE_REASONS[outcome.metric.source].value for outcome in failures)
    if failures and (winner < 0 or best < current):
        first = failures[0]
        return MetricsResult(
            replicas=None,
            outcomes=tuple(outcomes),
            reason=FAILURE_REASONS[first.metric.source],
            detail=f"{len(failures)}/{len(outcomes)} {first.error}",
            events=events,
            has_error=True,
        )
    return MetricsResult(
        replicas=best,
        outcomes=tuple(outcomes),
        winner=winner,
        detail=metric_label(outcomes[winner].metric),
        events=events,
        has_error=bool(failures),
    )


def metric_label(metric: MetricSpec) -> str:
    """A metric as the controller's events name it."""
    if metric.source is _RESOURCE or metric.source is _CONTAINER_RESOURCE:
        if metric.target_type is _UTILIZATION:
            of = "container resource" if metric.source is _CONTAINER_RESOURCE else "resource"
            return f"{metric.name} {of} utilization (percentage of request)"
        return f"{metric.name} resource"
    if metric.source is MetricSource.PODS:
        return f"pods metric {metric.name}"
    if metric.source is MetricSource.OBJECT and metric.target_type is TargetType.VALUE:
        return f"{metric.described_kind} metric {metric.name}"
    return f"external metric {metric.name}(nil)"
