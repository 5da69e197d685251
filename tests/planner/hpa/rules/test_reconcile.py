"""Whole evaluations: failing metrics, failing writes, conditions and events."""

from dataclasses import replace

from planner.hpa.rules.conditions import Condition, ConditionReason, ConditionType
from planner.hpa.rules.history import HpaMemory
from planner.hpa.rules.multi_metric import (
    MetricOutcome,
    MetricsResult,
    ambiguous_selector,
    combine,
    effective_tolerance,
    metric_label,
)
from planner.hpa.rules.reconcile import EvaluationInputs, HpaStatus, WriteResult, evaluate
from planner.hpa.rules.replica_calculator import MetricErrorCode, Proposal, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import HpaSpec, MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from tests.planner.hpa.builders import CPU_50, NOW_US, a_behavior, policies

QUEUE = MetricSpec(MetricSource.EXTERNAL, "queue", TargetType.AVERAGE_VALUE, 30_000)


def answer(replicas, metric=CPU_50):
    return MetricOutcome(metric, Proposal(replicas, 1.0, 100, 50))


def broken(metric=QUEUE):
    return MetricOutcome(metric, None, MetricErrorCode.METRICS_API_ERROR)


def run(result, current=4, status=None, **changes):
    inputs = EvaluationInputs(NOW_US, HpaSpec((CPU_50,), 10), HpaSettings(), current, lambda: result)
    return evaluate(replace(inputs, **changes), status or HpaStatus(), HpaMemory())


def reasons(outcome):
    return {condition.type: condition.reason for condition in outcome.status.conditions}


def test_the_largest_proposal_wins_and_the_first_of_equals():
    result = combine([answer(3), answer(5, QUEUE), answer(5)], current=4)
    assert (result.replicas, result.winner, result.label) == (5, 1, "external metric queue(nil)")


def test_of_metrics_that_call_for_none_the_last_counts_and_for_less_than_none_as_for_none():
    """Source: Kubernetes 1.36, horizontal.go, computeReplicasForMetrics: a best proposal of 0 counts as none yet."""
    assert combine([answer(0), answer(0, QUEUE)], current=1).winner == 1
    outcome = run(combine([answer(-4)], 4), spec=HpaSpec((QUEUE,), 10, min_replicas=0))
    assert [entry.replicas for entry in outcome.memory.recommendations] == [4, 0]


def test_one_broken_metric_blocks_shrinking_but_not_growth():
    assert combine([broken(), answer(3)], current=4).replicas is None
    assert combine([broken(), answer(4)], current=4).replicas == 4
    assert combine([broken(), answer(6)], current=4).replicas == 6
    assert combine([broken()], current=0).replicas is None


def test_failed_metrics_keep_the_size_and_the_wish_of_the_status():
    outcome = run(combine([broken()], 4), status=HpaStatus(desired_replicas=7))
    assert (outcome.replicas, outcome.status.desired_replicas) == (4, 7)
    assert reasons(outcome)[ConditionType.ABLE_TO_SCALE] is ConditionReason.SUCCEEDED_GET_SCALE
    assert reasons(outcome)[ConditionType.SCALING_ACTIVE] is ConditionReason.FAILED_GET_EXTERNAL_METRIC
    assert [event.reason for event in outcome.events] == ["FailedGetExternalMetric", "FailedComputeMetricsReplicas"]


def test_a_conflict_is_tried_five_times_and_then_reported():
    assert run(combine([answer(6)], 4), writes=(WriteResult.CONFLICT, WriteResult.OK)).write_attempts == 2
    outcome = run(combine([answer(6)], 4), writes=(WriteResult.CONFLICT,))
    assert (outcome.replicas, outcome.write_attempts, outcome.has_error) == (4, 5, True)
    assert reasons(outcome)[ConditionType.ABLE_TO_SCALE] is ConditionReason.FAILED_UPDATE_SCALE


def test_a_target_that_cannot_be_read_touches_nothing_else():
    outcome = run(MetricsResult(6), current=None)
    assert (outcome.replicas, len(outcome.status.conditions), outcome.memory) == (None, 1, HpaMemory())


def test_an_unchanged_evaluation_does_not_change_the_status():
    first = run(combine([answer(4)], 4))
    second = run(combine([answer(4)], 4), status=first.status)
    assert first.status_changed and not second.status_changed


def test_only_the_autoscalers_own_zero_is_left_again():
    settings, spec = HpaSettings(scale_to_zero=True), HpaSpec((QUEUE,), 10, min_replicas=0)
    by_hand = run(combine([answer(2)], 0), 0, settings=settings, spec=spec)
    assert by_hand.replicas == 0
    narrow = replace(settings, downscale_stabilization_us=-1)
    to_zero = run(combine([answer(0)], 3), 3, settings=narrow, spec=spec)
    assert reasons(to_zero)[ConditionType.SCALED_TO_ZERO] is ConditionReason.SCALED_TO_ZERO
    assert run(combine([answer(2)], 0), 0, to_zero.status, settings=settings, spec=spec).replicas == 2


def test_a_minimum_that_was_raised_at_zero_is_the_reason_of_leaving_it_unless_a_metric_is():
    """Source: Kubernetes 1.36, horizontal.go, reconcileAutoscaler: only an empty reason is filled in."""
    settings, spec = HpaSettings(scale_to_zero=True), HpaSpec((QUEUE,), 10, min_replicas=0)
    to_zero = run(combine([answer(0)], 3), 3, settings=replace(settings, downscale_stabilization_us=-1), spec=spec)
    raised = replace(spec, min_replicas=2, behavior=a_behavior())
    for metric, want, size, reason in (
        (QUEUE, 0, 2, "Current number of replicas below Spec.MinReplicas"),
        (QUEUE, 1, 2, "external metric queue(nil) above target"),
        (QUEUE, 4, 4, "external metric queue(nil) above target"),
    ):
        outcome = run(combine([answer(want, metric)], 0), 0, to_zero.status, settings=settings, spec=raised)
        assert (outcome.replicas, outcome.rescale_reason) == (size, reason)


def test_without_the_gate_the_own_zero_is_forgotten_when_scaling_is_off_or_after_a_rescale():
    """Source: Kubernetes 1.36, horizontal.go, reconcileAutoscaler: an evaluation that keeps the size keeps it too."""
    kept = HpaStatus(conditions=(Condition(ConditionType.SCALED_TO_ZERO, True, ConditionReason.SCALED_TO_ZERO),))
    for current, want, is_kept in ((4, 4, True), (4, 5, False), (12, 5, False), (0, 5, False)):
        outcome = run(combine([answer(want)], current), current, kept)
        assert (ConditionType.SCALED_TO_ZERO in reasons(outcome)) is is_kept, current
    refused = run(combine([answer(8)], 4), 4, kept, writes=(WriteResult.ERROR,))
    assert ConditionType.SCALED_TO_ZERO in reasons(refused)


def test_autoscalers_that_select_the_same_pods_stop():
    outcome = run(ambiguous_selector(("first", "second")))
    assert (outcome.replicas, outcome.has_error) == (4, True)
    assert reasons(outcome)[ConditionType.SCALING_ACTIVE] is ConditionReason.AMBIGUOUS_SELECTOR
    assert [event.reason for event in outcome.events] == ["AmbiguousSelector", "FailedComputeMetricsReplicas"]


def test_the_tolerance_of_behavior_counts_per_direction_while_its_gate_is_on():
    up = replace(policies(("Pods", 1, 15)), tolerance=0.0)
    spec = HpaSpec((CPU_50,), 10, behavior=a_behavior(up=up))
    assert effective_tolerance(spec, HpaSettings()) == Tolerance(0.0, 0.1)
    assert effective_tolerance(spec, HpaSettings(configurable_tolerance=False)) == Tolerance(0.1, 0.1)


def test_metrics_are_named_as_the_controller_names_them():
    assert metric_label(CPU_50) == "cpu resource utilization (percentage of request)"
    of_container = replace(CPU_50, source=MetricSource.CONTAINER_RESOURCE, container="app")
    assert metric_label(of_container) == "cpu container resource utilization (percentage of request)"
    assert metric_label(MetricSpec(MetricSource.PODS, "rps", TargetType.AVERAGE_VALUE, 1)) == "pods metric rps"
    hits = MetricSpec(MetricSource.OBJECT, "hits", TargetType.VALUE, 1, described_kind="Ingress")
    assert metric_label(hits) == "Ingress metric hits"
