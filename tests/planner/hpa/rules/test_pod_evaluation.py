"""The vectorised cpu metric gives what the rule over single pods gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from planner.hpa.rules.metric_errors import MetricFailed
from planner.hpa.rules.metric_proposal import Observation, metric_proposal
from planner.hpa.rules.observations import ContainerRequests, ObservedPod, Phase, Readings, ReadyStatus
from planner.hpa.rules.pod_evaluation import PodColumns, evaluate_pods, evaluate_steady, steady_pods
from planner.hpa.rules.replica_calculator import Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.plan.model.autoscalers.hpa_spec import MetricSource, MetricSpec, TargetType
from planner.units import US_PER_S
from tests.planner.hpa.builders import NOW_US, a_usage

seconds_ago = st.sampled_from([0, 5, 14, 15, 16, 30, 299, 300, 301, 320, 330, 331, 2_000])
pods = st.lists(
    st.fixed_dictionaries(
        {
            "usage": st.none() | st.integers(0, 2_000),
            "request": st.sampled_from([None, 0, *[100, 250, 333] * 5]),
            "deleted": st.sampled_from([False, False, False, True]),
            "pending": st.sampled_from([False, False, False, True]),
            "ready": st.sampled_from([True, True, False]),
            "start": st.none() | seconds_ago,
            "ready_change": seconds_ago,
            "sample": seconds_ago,
        }
    ),
    min_size=1,
    max_size=8,
)


def as_arrays(rows):
    def times(name):
        return np.array([-1 if r[name] is None else NOW_US - r[name] * US_PER_S for r in rows])

    return PodColumns(
        usage=np.array([r["usage"] or 0 for r in rows]),
        request=np.array([-1 if r["request"] is None else r["request"] for r in rows]),
        deleted=np.array([r["deleted"] for r in rows]),
        pending=np.array([r["pending"] for r in rows]),
        ready=np.array([r["ready"] for r in rows]),
        has_sample=np.array([r["usage"] is not None for r in rows]),
        start_us=times("start"),
        ready_transition_us=times("ready_change"),
        sample_us=times("sample"),
        window_us=np.full(len(rows), 15 * US_PER_S),
    )


def as_pod(number, row):
    return ObservedPod(
        name=f"p{number}",
        phase=Phase.PENDING if row["pending"] else Phase.RUNNING,
        deleted=row["deleted"],
        start_us=None if row["start"] is None else NOW_US - row["start"] * US_PER_S,
        ready=ReadyStatus.TRUE if row["ready"] else ReadyStatus.FALSE,
        ready_transition_us=NOW_US - row["ready_change"] * US_PER_S,
        containers=[ContainerRequests("app", {} if row["request"] is None else {"cpu": row["request"]})],
    )


def result_of(compute):
    try:
        return compute()
    except MetricFailed as failure:
        return failure.code


@given(pods, st.integers(1, 8), st.sampled_from([(TargetType.UTILIZATION, 50), (TargetType.AVERAGE_VALUE, 200)]))
def test_arrays_and_single_pods_agree(rows, current, target):
    metric, settings, tolerance = MetricSpec(MetricSource.RESOURCE, "cpu", *target), HpaSettings(), Tolerance(0.1, 0.1)
    usage = [
        a_usage(f"p{i}", r["usage"], NOW_US - r["sample"] * US_PER_S)
        for i, r in enumerate(rows)
        if r["usage"] is not None
    ]
    seen = Observation(NOW_US, current, current, [as_pod(i, r) for i, r in enumerate(rows)], Readings(pod_usage=usage))
    single = result_of(lambda: metric_proposal(metric, seen, tolerance, settings))
    fast = result_of(lambda: evaluate_pods(metric, as_arrays(rows), current, NOW_US, tolerance, settings))
    assert fast == single


calm_pods = st.lists(
    st.fixed_dictionaries(
        {
            "usage": st.none() | st.integers(0, 2_000) | st.integers(0, 2_000),
            "request": st.sampled_from([None, 0, *[100, 250, 333] * 9]),
            "deleted": st.just(False),
            "pending": st.just(False),
            "ready": st.sampled_from([True] * 9 + [False]),
            "start": seconds_ago,
            "ready_change": seconds_ago,
            "sample": seconds_ago,
        }
    ),
    min_size=1,
    max_size=5,
)


@given(
    pods | calm_pods,
    st.integers(1, 8),
    st.integers(0, 400),
    st.sampled_from([(TargetType.UTILIZATION, 50), (TargetType.AVERAGE_VALUE, 200)]),
)
def test_steady_pods_need_only_their_sums(rows, current, later_s, target):
    metric, settings, tolerance = MetricSpec(MetricSource.RESOURCE, "cpu", *target), HpaSettings(), Tolerance(0.1, 0.1)
    arrays, now_us = as_arrays(rows), NOW_US + later_s * US_PER_S
    steady = steady_pods(arrays, settings)
    if steady is None or now_us < steady.from_us:
        return
    short = result_of(lambda: evaluate_steady(metric, steady, int(arrays.usage.sum()), current, tolerance))
    assert short == result_of(lambda: evaluate_pods(metric, arrays, current, now_us, tolerance, settings))


def test_pods_are_steady_once_the_youngest_is_initialised():
    row = {
        "usage": 50,
        "request": 100,
        "deleted": False,
        "pending": False,
        "ready": True,
        "ready_change": 5,
        "sample": 0,
    }
    arrays = as_arrays([{**row, "start": 10}, {**row, "start": 400}])
    steady = steady_pods(arrays, HpaSettings())
    assert steady == (NOW_US - 10 * US_PER_S + HpaSettings().cpu_initialization_us, 2, 200)
    assert steady_pods(as_arrays([{**row, "start": 10, "usage": None}]), HpaSettings()) is None
