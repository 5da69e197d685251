"""The known examples of the documentation, and how old documents differ from what is computed here.

| Topic | Old | Current, tested below |
|---|---|---|
| back-off after a rescale | 3 min up, 5 min down | none up; down a rolling maximum of 5 min |
| default rate of growth | 4 pods or double per 60 s | per 15 s with `behavior`; the doubling limit without |
| tolerance | one for both directions | one per direction in `behavior` |
| missing pods when shrinking | 100 % of the request | max(100 %, target) |
| one failing metric | blocks everything | blocks shrinking only |
| sync period | 30 s | 15 s |
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.hpa.rules.multi_metric import combine, outcome_of
from planner.hpa.rules.replica_calculator import (
    MetricErrorCode,
    Proposal,
    Tolerance,
    replicas_for_average,
)
from planner.hpa.rules.spec import MetricSpec
from planner.plan.model.autoscalers.horizontal_pod_autoscaler import HpaControllerSettings
from planner.plan.model.autoscalers.hpa_metric import MetricSource, TargetType
from tests.planner.hpa.builders import CPU_50, TENTH, Pod, a_behavior, columns, proposal, sizes

MIB_MILLI = (1 << 20) * 1000


def average(use, target, tolerance=TENTH, pods=4):
    return replicas_for_average(use * pods, pods, pods, 0, 0, pods, target, tolerance).replicas


@pytest.mark.parametrize(("use", "expected"), [(200, 8), (50, 2), (110, 4), (111, 5)])
def test_twice_the_target_doubles_half_of_it_halves_and_a_tenth_more_stays(use, expected):
    assert average(use, 100) == expected


@pytest.mark.parametrize(("mebibytes", "expected"), [(105, 4), (106, 5)])
def test_memory_target_with_a_tolerance_of_a_twentieth(mebibytes, expected):
    assert average(mebibytes * MIB_MILLI, 100 * MIB_MILLI, Tolerance(0.05, 0.1)) == expected


def test_a_renamed_container_fails_its_metric_and_blocks_shrinking_unless_both_names_are_tracked():
    """Half of a rollout: two pods have `app`, two already `server`."""
    half = columns(Pod(100), Pod(100), Pod(), Pod(), answered=4, lacks_container=True)
    metric = MetricSpec(MetricSource.CONTAINER_RESOURCE, "cpu", TargetType.UTILIZATION, 50, container="app")
    failed = outcome_of(metric, lambda: proposal(half, metric=metric))
    assert failed.error is MetricErrorCode.CONTAINER_NOT_IN_METRICS
    working = outcome_of(CPU_50, lambda: Proposal(2, 0.5, 100, 20))
    assert combine([failed, working], current=4).replicas is None
    growing = outcome_of(CPU_50, lambda: Proposal(6, 1.5, 100, 75))
    assert combine([failed, growing], current=4).replicas == 6


def test_growth_needs_no_pause_after_a_rescale():
    assert sizes([100] * 4, start=1) == [4, 8, 16, 32]


def test_the_way_down_waits_for_the_rolling_maximum():
    assert sizes([10, *[2] * 21], start=10).index(2) == 21


def test_default_rates_hold_per_fifteen_seconds():
    assert sizes([100] * 4, start=1, behavior=a_behavior()) == [5, 10, 20, 40]


def test_the_sync_period_is_fifteen_seconds():
    assert HpaControllerSettings().sync_period == 15_000_000


recommendations = st.lists(st.integers(1, 40), min_size=1, max_size=40)


@given(steps=st.lists(st.floats(1.0, 2.0), max_size=6), start=st.integers(4, 20), low=st.integers(1, 4))
def test_an_empty_behavior_is_like_none_where_neither_rates_nor_the_edge_of_the_window_matter(steps, start, low):
    """Growth within a doubling, then a fall: both code paths agree (evaluations never meet the window's edge)."""
    wants = [start]
    for step in steps:
        wants.append(int(wants[-1] * step))
    wants += [low] * 20
    assert sizes(wants, start, a_behavior(), step_s=17) == sizes(wants, start, None, step_s=17)


@given(wants=recommendations, start=st.integers(1, 20))
def test_repeating_an_evaluation_at_the_same_time_changes_nothing(wants, start):
    """Splitting a run: an evaluation repeated at once, its size written, finds nothing to do."""
    once = sizes(wants, start, step_s=15)
    for index, size in enumerate(once):
        again = sizes([*wants[: index + 1], wants[index]], start, step_s=15)
        assert again[: index + 1] == once[: index + 1]
        if size == wants[index]:
            assert again[-1] == size
