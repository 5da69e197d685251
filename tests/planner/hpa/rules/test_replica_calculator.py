"""What one metric asks for."""

import pytest

from planner.hpa.rules.metric_errors import MetricErrorCode, MetricFailed
from planner.hpa.rules.metric_proposal import Observation, metric_proposal
from planner.hpa.rules.observations import Phase, Readings, ReadyStatus
from planner.hpa.rules.replica_calculator import Tolerance, replicas_for_total, replicas_for_value
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, TargetType
from planner.units import US_PER_S
from tests.planner.hpa.builders import CPU_50, NOW_US, a_pod, a_usage, observed

TENTH = Tolerance(0.1, 0.1)


def proposal(observation, metric=CPU_50, tolerance=TENTH):
    return metric_proposal(metric, observation, tolerance, HpaSettings())


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        pytest.param([250, 250], 2, id="on target nothing changes"),
        pytest.param([275, 275], 2, id="the edge of the tolerance belongs to it"),
        pytest.param([280, 280], 3, id="above the tolerance rounds up"),
        pytest.param([500, 500], 4, id="twice the target doubles"),
        pytest.param([125, 125], 1, id="half the target halves"),
        pytest.param([229, 229], 2, id="a fraction of a percent is cut off and the rest stays above the edge"),
        pytest.param([224, 224, 224], 3, id="44 percent is below the edge yet three pods are still needed"),
        pytest.param([0, 0], 0, id="no load asks for zero and leaves the floor to the caller"),
    ],
)
def test_replicas_follow_utilization(usage, expected):
    pods = [a_pod(f"p{i}") for i in range(len(usage))]
    readings = [a_usage(f"p{i}", milli) for i, milli in enumerate(usage)]
    assert proposal(observed(pods, readings)).replicas == expected


def test_missing_pods_count_as_idle_when_growing_and_as_busy_when_shrinking():
    pods = [a_pod("a"), a_pod("b"), a_pod("c")]
    growing = proposal(observed(pods, [a_usage("a", 500), a_usage("b", 500)]))
    assert growing.replicas == 4  # 66 % over three pods, not 100 % over two
    shrinking = proposal(observed(pods, [a_usage("a", 50), a_usage("b", 50)]))
    assert shrinking.replicas == 3  # 40 % over three pods


def test_a_starting_pod_keeps_its_sample_out_until_a_whole_window_after_it_became_ready():
    start_us, ready_us = NOW_US - 60 * US_PER_S, NOW_US - 20 * US_PER_S
    pods = [a_pod("a"), a_pod("b", start_us=start_us, ready_transition_us=ready_us)]
    early = [a_usage("a", 250), a_usage("b", 500, ready_us + 15 * US_PER_S - 1)]
    assert proposal(observed(pods, early)).utilization_pct == 50
    in_time = [a_usage("a", 250), a_usage("b", 500, ready_us + 15 * US_PER_S)]
    assert proposal(observed(pods, in_time)).utilization_pct == 75


@pytest.mark.parametrize(
    ("pods", "usage", "code"),
    [
        pytest.param([a_pod("a")], [], MetricErrorCode.NO_METRICS_RETURNED, id="empty answer"),
        pytest.param([], [a_usage("a", 1)], MetricErrorCode.NO_PODS, id="no pods"),
        pytest.param(
            [a_pod("a", phase=Phase.PENDING)], [a_usage("a", 1)], MetricErrorCode.NO_USABLE_METRICS, id="only pending"
        ),
        pytest.param(
            [a_pod("a"), a_pod("b", containers=[], sidecars=[]), a_pod("c", request_milli=0)],
            [a_usage("b", 1)],
            MetricErrorCode.ZERO_REQUESTS,
            id="requests add up to nothing",
        ),
    ],
)
def test_a_metric_that_cannot_be_computed_says_why(pods, usage, code):
    with pytest.raises(MetricFailed) as failure:
        proposal(observed(pods, usage))
    assert failure.value.code is code


def test_an_ignored_pod_without_request_fails_utilization_but_not_the_average():
    bare = a_pod("b", deleted=True, containers=[type(a_pod("x").containers[0])("app", {})])
    seen = observed([a_pod("a"), bare], [a_usage("a", 100)], current=1)
    with pytest.raises(MetricFailed):
        proposal(seen)
    average = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.AVERAGE_VALUE, 100)
    assert proposal(seen, average).replicas == 1


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
    assert replicas_for_value(total, target, 0, None, TENTH).replicas == replicas


def test_external_series_are_added_and_an_unready_pod_does_not_multiply():
    queue = MetricSpec(MetricSource.EXTERNAL, "queue", TargetType.VALUE, 1_000)
    pods = [a_pod("a"), a_pod("b", ready=ReadyStatus.FALSE)]
    seen = Observation(NOW_US, 2, 2, pods, Readings(external_metrics={"queue": (1_000, 2_000)}))
    assert proposal(seen, queue).replicas == 3
