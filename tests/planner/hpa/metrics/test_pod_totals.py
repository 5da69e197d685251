"""The kernel that sums up the pods of an autoscaler says what the rules say that look at each of them."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.hpa.metrics.metric_reader import MetricReader
from planner.hpa.metrics.metrics_pipeline import NEVER_US, UsageSamples
from planner.hpa.metrics.series_values import SeriesValues
from planner.hpa.rules.replica_calculator import MetricFailed, Tolerance
from planner.hpa.rules.settings import HpaSettings
from planner.hpa.rules.spec import MetricSpec
from planner.kernels import switch
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from planner.state.specs import PodRunning
from planner.units import US_PER_S

NOW_US = 600 * US_PER_S
TOLERANCE = Tolerance(0.1, 0.1)
RULES = HpaSettings(cpu_initialization_us=300 * US_PER_S, initial_readiness_us=30 * US_PER_S)
METRICS = [
    MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 60),
    MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.UTILIZATION, 120),
    MetricSpec(MetricSource.RESOURCE, "cpu", TargetType.AVERAGE_VALUE, 250),
]
times = st.sampled_from([-3_600.5, 100, 299.4, 300, 301, 560, 585, 590.7, 600]).map(lambda at: int(at * US_PER_S))
pods = st.lists(
    st.tuples(
        st.one_of(st.just(-1), st.just(-1), times),  # deletion
        times,  # binding
        st.one_of(st.just(-1), times),  # change of readiness
        st.sampled_from([0, 1, 1, 1, 1, 2]),  # phase
        st.sampled_from([True, True, True, False]),
        st.sampled_from([0, 0, 0, 1, 2]),  # template
        st.sampled_from([-1, -1, -1, 0, 1]),  # the one that a resize asks for
        st.one_of(times, st.just(NEVER_US)),  # sample
        st.integers(0, 900),
    ),
    max_size=8,
)
COLUMNS = (
    ("deletion_us", np.int64), ("bound_us", np.int64), ("ready_change_us", np.int64), ("phase", np.int8),
    ("ready", np.bool_), ("spec", np.int32), ("desired", np.int32),
)  # fmt: skip


def _readers(given, metric, requests):
    """With the kernel, and without."""
    columns = {name: np.array([one[at] for one in given], kind) for at, (name, kind) in enumerate(COLUMNS)}
    samples = UsageSamples()
    samples.reserve(max(1, len(given)))
    samples.window_us[:] = 15 * US_PER_S
    for row, one in enumerate(given):
        samples.time_us[row], samples.usage_milli[row] = one[-2:]
    specs = [
        SimpleNamespace(
            index=index,
            running=PodRunning(cpu_request_milli=max(0, milli), has_cpu_requests=milli >= 0),
        )
        for index, milli in enumerate(requests)
    ]
    cluster = SimpleNamespace(
        pods=SimpleNamespace(**columns),
        workloads=SimpleNamespace(version=np.array([3]), active=np.array([len(given)])),
        workload_pods=[dict.fromkeys(range(len(given)))],
        pod_specs=specs,
    )
    with_kernel, plain = (MetricReader(cluster, samples, SeriesValues(), RULES, 0, (metric,)) for _ in range(2))
    plain._cpu = [None]
    return with_kernel, plain


def _found(reader):
    try:
        proposal = reader.propose(0, 4, NOW_US, TOLERANCE)
    except MetricFailed as failure:
        return failure.code
    is_timeless, counted = reader.is_timeless(NOW_US), reader.counted_pods()
    known = None if counted is None or not is_timeless else (counted.rows.tolist(), counted.request_milli)
    return proposal, is_timeless, known


@pytest.mark.skipif(not switch.in_use(), reason="there are no kernels to compare")
@settings(max_examples=400)
@given(pods, st.sampled_from(METRICS), st.sampled_from([(200, 350, 500), (200, 350, -1), (0, 0, 0)]))
def test_the_kernel_says_what_the_rules_say(given, metric, requests):
    with_kernel, plain = _readers(given, metric, requests)
    assert _found(with_kernel) == _found(plain)
