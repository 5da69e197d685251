"""Replicas from one value for the whole workload, and the limits of its arithmetic."""

import pytest

from planner.hpa.rules.replica_calculator import (
    MetricErrorCode,
    MetricFailed,
    UtilizationTotals,
    replicas_for_average,
    replicas_for_total,
    replicas_for_utilization,
    replicas_for_value,
)
from planner.hpa.rules.series_evaluation import evaluate_series, series_total
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from tests.planner.hpa.builders import TENTH

QUEUE = MetricSpec(MetricSource.EXTERNAL, "queue", TargetType.VALUE, 1_000)


def test_values_from_outside_use_the_tolerance_only_above_zero():
    assert replicas_for_value(1_050, 1_000, 3, 3, TENTH).replicas == 3
    assert replicas_for_value(1_050, 1_000, 0, None, TENTH).replicas == 2
    assert replicas_for_value(2_000, 1_000, 3, 2, TENTH).replicas == 4
    assert replicas_for_total(9_000, 1_000, 5, TENTH).replicas == 9
    assert replicas_for_total(5_100, 1_000, 5, TENTH).replicas == 5
    assert replicas_for_total(0, 1_000, 0, TENTH).replicas == 0


@pytest.mark.parametrize(
    ("total", "target", "replicas"),
    [
        pytest.param(1_292_357_691_506_786_717, 379_745_450_415, 3_403_222, id="beyond 2^53 a double is not exact"),
        pytest.param(2**63 - 1, 1, 2**31 - 1, id="the most replicas there can be"),
        pytest.param(2**53, 2**23, 2**30, id="exact"),
        pytest.param(1, 2**40, 1, id="the smallest need takes one"),
    ],
)
def test_totals_are_divided_as_doubles(total, target, replicas):
    assert replicas_for_total(total, target, 0, TENTH).replicas == replicas
    assert replicas_for_total(total, target, 3, TENTH).replicas == replicas
    assert replicas_for_value(total, target, 3, 1, TENTH).replicas == replicas


def test_numbers_beyond_an_int32_turn_over_as_in_the_controller():
    """Source: Kubernetes 1.36, replica_calculator.go: only Value metrics above 0 replicas and totals of External
    metrics are capped; elsewhere the conversion of Go on amd64 gives the smallest int32.
    """
    most, least, far = 2**31 - 1, -(2**31), 2**40
    assert replicas_for_value(far, 1, 1, 1, TENTH).replicas == most
    assert replicas_for_value(far, 1, 0, None, TENTH).replicas == least
    assert replicas_for_total(far, 1, 3, TENTH, is_capped=True).replicas == most
    assert replicas_for_total(far, 1, 3, TENTH, is_capped=False).replicas == least
    assert replicas_for_average(far, 1, 1, 0, 0, current=3, target=1, tolerance=TENTH).replicas == least
    assert replicas_for_average(far, 1, 1, 0, 1, current=3, target=1, tolerance=TENTH).replicas == 3, "second pass"
    full = UtilizationTotals(2**30, 100, 1, 1, 1, 0, 0, 0, 0, 0)
    assert replicas_for_utilization(full, 3, 50, TENTH).utilization_pct == 2**30
    over = full._replace(usage=2**32 + 7)
    assert replicas_for_utilization(over, 3, 50, TENTH).utilization_pct == 7


def test_negative_averages_are_truncated():
    """Go divides integers towards zero: -250 and -1 over 3 pods average -83, not -84."""
    proposal = replicas_for_average(-251, 3, 3, 0, 0, current=3, target=100, tolerance=TENTH)
    assert (proposal.value_milli, proposal.ratio) == (-83, -0.83)
    second = replicas_for_average(-251, 3, 3, 0, 1, current=3, target=100, tolerance=TENTH)
    assert (second.value_milli, second.ratio) == (-83, -0.37), "a missing pod counts as one at its target"


def test_external_series_are_added_and_an_unready_pod_does_not_multiply():
    total = series_total((1_000, 2_000))
    assert evaluate_series(QUEUE, total, current=2, status_replicas=2, ready_pods=1, tolerance=TENTH).replicas == 3


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        pytest.param(None, MetricErrorCode.METRICS_API_ERROR, id="the API fails"),
        pytest.param((), MetricErrorCode.NO_METRICS_RETURNED, id="the API knows no series"),
    ],
)
def test_a_series_without_value_says_why(answer, code):
    with pytest.raises(MetricFailed) as failure:
        series_total(answer)
    assert failure.value.code is code


def test_the_sum_of_series_ends_at_the_largest_int64():
    assert series_total((2**62, 2**62, 2**62)) == 2**63 - 1


def test_a_value_outside_the_tolerance_needs_pods():
    with pytest.raises(MetricFailed) as failure:
        evaluate_series(QUEUE, 3_000, current=2, status_replicas=2, ready_pods=None, tolerance=TENTH)
    assert failure.value.code is MetricErrorCode.NO_PODS


@pytest.mark.parametrize(
    ("source", "replicas", "value_milli"),
    [
        pytest.param(
            MetricSource.EXTERNAL, 2**31 - 1, 2**63 - 1, id="a sum below zero counts as one that is too large"
        ),
        pytest.param(MetricSource.OBJECT, -5, -2_500, id="a single value stays what it is"),
    ],
)
def test_a_total_below_zero(source, replicas, value_milli):
    """Source: Kubernetes 1.36, replica_calculator.go: GetExternalPerPodMetricReplicas takes it for an overflow."""
    metric = MetricSpec(source, "queue", TargetType.AVERAGE_VALUE, 1_000)
    found = evaluate_series(metric, -5_000, current=2, status_replicas=2, ready_pods=2, tolerance=TENTH)
    assert (found.replicas, found.value_milli) == (replicas, value_milli)
