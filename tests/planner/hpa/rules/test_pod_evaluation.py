"""Which pods count, what is assumed of the others, and why a metric of pods fails."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.hpa.rules.pod_evaluation import evaluate_pods, evaluate_steady, steady_pods
from planner.hpa.rules.replica_calculator import MetricErrorCode, MetricFailed
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.units import US_PER_S
from tests.planner.hpa.builders import CPU_50, NOW_US, TENTH, Pod, columns, proposal

AVERAGE_100 = MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.AVERAGE_VALUE, 100)


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
        pytest.param([0, 0], 0, id="no load means zero and leaves the floor to the caller"),
    ],
)
def test_replicas_follow_utilization(usage, expected):
    assert proposal(columns(*(Pod(milli) for milli in usage))).replicas == expected


def test_missing_pods_count_as_idle_when_growing_and_as_busy_when_shrinking():
    assert proposal(columns(Pod(500), Pod(500), Pod())).replicas == 4  # 66 % over three pods, not 100 % over two
    assert proposal(columns(Pod(50), Pod(50), Pod())).replicas == 3  # 40 % over three pods


def test_a_starting_pod_keeps_its_sample_out_until_a_whole_window_after_it_became_ready():
    ready_us = NOW_US - 20 * US_PER_S
    young = Pod(500, start_us=NOW_US - 60 * US_PER_S, ready_transition_us=ready_us)
    early = young._replace(sample_us=ready_us + 15 * US_PER_S - 1)
    assert proposal(columns(Pod(250), early)).utilization_pct == 50
    in_time = young._replace(sample_us=ready_us + 15 * US_PER_S)
    assert proposal(columns(Pod(250), in_time)).utilization_pct == 75


@pytest.mark.parametrize(
    ("pod", "unready"),
    [
        pytest.param(Pod(500), 0, id="ready for long"),
        pytest.param(Pod(500, pending=True), 1, id="pending"),
        pytest.param(Pod(500, start_us=-1), 1, id="not yet acknowledged by its kubelet"),
        pytest.param(Pod(500, ready_transition_us=-1), 1, id="no Ready condition"),
        pytest.param(Pod(500, not_ready=True, ready_transition_us=NOW_US), 0, id="not ready any more"),
        pytest.param(Pod(500, not_ready=True, ready_transition_us=29 * US_PER_S), 1, id="never ready"),
        pytest.param(Pod(500, not_ready=True, ready_transition_us=30 * US_PER_S), 0, id="ready once, at the limit"),
        pytest.param(Pod(500, not_ready=True, start_us=NOW_US - 299 * US_PER_S), 1, id="young and not ready"),
        pytest.param(
            Pod(500, not_ready=True, start_us=NOW_US - 300 * US_PER_S, ready_transition_us=NOW_US),
            0,
            id="just old enough",
        ),
    ],
)
def test_a_cpu_sample_is_set_aside_while_its_pod_starts_up_or_was_never_ready(pod, unready):
    assert proposal(columns(Pod(500), pod)).unready == unready


def test_samples_of_vanished_pods_count_for_the_average_and_in_the_number_only_for_utilization():
    found = proposal(columns(Pod(100), vanished=(300,)), current=1, metric=AVERAGE_100)
    assert (found.value_milli, found.replicas) == (200, 2)
    shrinking = columns(Pod(50), Pod(50), Pod(), vanished=(900,))
    assert (proposal(shrinking).utilization_pct, proposal(shrinking, current=9).replicas) == (10, 4)


def test_only_vanished_pods_leave_utilization_without_requests_to_compare_with():
    with pytest.raises(MetricFailed) as failure:
        proposal(columns(Pod(), vanished=(300,)))
    assert failure.value.code is MetricErrorCode.ZERO_REQUESTS


@pytest.mark.parametrize(
    ("pods", "code"),
    [
        pytest.param(columns(Pod(), answered=-1), "MetricsAPIError", id="the API fails"),
        pytest.param(columns(Pod()), "NoMetricsReturned", id="an empty answer"),
        pytest.param(columns(lacks_container=True), "NoMetricsReturned", id="an empty answer before its containers"),
        pytest.param(columns(lacks_container=True, answered=1), "ContainerNotInMetrics", id="the container, then pods"),
        pytest.param(columns(vanished=(1,)), "NoPods", id="samples but no pods"),
        pytest.param(columns(answered=1), "NoPods", id="pods before samples"),
        pytest.param(columns(Pod(1, pending=True)), "NoUsableMetrics", id="only pending"),
        pytest.param(columns(Pod(1, request=-1, pending=True)), "NoUsableMetrics", id="samples before requests"),
        pytest.param(columns(Pod(1), Pod(request=-1)), "MissingRequest", id="one pod without request"),
        pytest.param(columns(Pod(1), Pod(request=-1, ignored=True)), "MissingRequest", id="even an ignored one"),
        pytest.param(columns(Pod(1, request=0), Pod(request=0)), "ZeroRequests", id="requests add up to nothing"),
    ],
)
def test_a_metric_that_cannot_be_computed_says_why(pods, code):
    with pytest.raises(MetricFailed) as failure:
        proposal(pods)
    assert failure.value.code == code


def test_a_missing_request_does_not_matter_to_the_average():
    assert proposal(columns(Pod(100, request=-1)), metric=AVERAGE_100).replicas == 1


def result_of(compute):
    try:
        return compute()
    except MetricFailed as failure:
        return failure.code


seconds_ago = st.sampled_from([0, 5, 14, 15, 16, 30, 299, 300, 301, 320, 330, 331, 2_000])
times = seconds_ago.map(lambda ago: NOW_US - ago * US_PER_S)
requests = st.sampled_from([-1, 0, *[100, 250, 333] * 5])
any_pods = st.builds(
    Pod,
    usage=st.none() | st.integers(0, 2_000),
    request=requests,
    ignored=st.sampled_from([False] * 3 + [True]),
    pending=st.sampled_from([False] * 3 + [True]),
    not_ready=st.sampled_from([False] * 2 + [True]),
    start_us=st.just(-1) | times,
    ready_transition_us=times,
    sample_us=times,
)
calm_pods = st.builds(
    Pod, usage=st.integers(0, 2_000), request=requests, start_us=times, ready_transition_us=times, sample_us=times
)
targets = st.sampled_from([CPU_50, AVERAGE_100])


@given(st.lists(any_pods, min_size=1, max_size=5) | st.lists(calm_pods, min_size=1, max_size=5),
       st.integers(1, 8), st.integers(0, 400), targets)  # fmt: skip
def test_steady_pods_need_only_their_sums(pods, current, later_s, metric):
    arrays, settings, now_us = columns(*pods), HpaSettings(), NOW_US + later_s * US_PER_S
    steady = steady_pods(arrays, settings)
    if steady is None or now_us < steady.from_us or steady.request_milli < 0:
        return
    short = result_of(lambda: evaluate_steady(metric, steady, int(arrays.usage.sum()), current, TENTH))
    assert short == result_of(lambda: evaluate_pods(metric, arrays, current, now_us, TENTH, settings))


@given(st.lists(any_pods, min_size=1, max_size=8), st.integers(1, 8), targets)
def test_the_order_of_pods_changes_nothing(pods, current, metric):
    there, back = columns(*pods), columns(*reversed(pods))
    assert result_of(lambda: proposal(there, current, metric)) == result_of(lambda: proposal(back, current, metric))


def test_pods_are_steady_once_the_youngest_is_initialised():
    older = Pod(50, 100, start_us=NOW_US - 400 * US_PER_S, ready_transition_us=NOW_US - 5 * US_PER_S)
    young = older._replace(start_us=NOW_US - 10 * US_PER_S)
    steady = steady_pods(columns(young, older), HpaSettings())
    assert steady == (NOW_US - 10 * US_PER_S + HpaSettings().cpu_initialization_us, 2, 200)


@pytest.mark.parametrize(
    "pods",
    [
        pytest.param(columns(Pod(50), Pod()), id="a pod without sample"),
        pytest.param(columns(Pod(50), vanished=(1,)), id="a vanished pod"),
        pytest.param(columns(Pod(50), lacks_container=True), id="a container that is not there"),
        pytest.param(columns(Pod(50), answered=-1), id="no answer"),
        pytest.param(columns(), id="no pods"),
    ],
)
def test_pods_are_not_steady_with(pods):
    assert steady_pods(pods, HpaSettings()) is None
