"""DaemonSets whose pods fail again and again do not fight with the kubelet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.record.decisions import Actor, Verdict
from planner.units import US_PER_MIN, US_PER_S
from planner.workloads.controllers.daemon_backoff import (
    FORGIVEN_AFTER_US,
    LONGEST_US,
    FailedPodBackoff,
    after_replacement,
    replacement_due_us,
)
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload, decisions_of, run_of, seconds


@pytest.mark.parametrize(
    ("state", "failed_s", "due_s", "delay_s"),
    [
        pytest.param(None, 7, 7, 1, id="the first failure at once"),
        pytest.param((1, 10), 10, 11, 2, id="the second one waits a second"),
        pytest.param((8, 10), 15, 18, 16, id="counted from the last replacement"),
        pytest.param((8, 10), 18, 18, 16, id="exactly over"),
        pytest.param((8, 10), 60, 60, 16, id="a pod that lived longer at once; the delay grows all the same"),
        pytest.param((600, 0), 1, 600, 900, id="not above a quarter of an hour"),
        pytest.param((900, 0), 1800, 1800, 900, id="half an hour is not forgotten"),
        pytest.param((900, 0), 1801, 1801, 1, id="more than half an hour is"),
    ],
)
def test_when_a_failed_pod_is_replaced(state: tuple[int, int] | None, failed_s: int, due_s: int, delay_s: int) -> None:
    known = None if state is None else FailedPodBackoff(state[0] * US_PER_S, state[1] * US_PER_S)
    due_us = replacement_due_us(known, failed_s * US_PER_S)
    assert due_us == due_s * US_PER_S
    assert after_replacement(known, due_us) == FailedPodBackoff(delay_s * US_PER_S, due_us)


@given(st.lists(st.integers(0, FORGIVEN_AFTER_US + US_PER_MIN), max_size=30))
def test_a_replacement_never_comes_before_the_failure_nor_later_than_the_longest_delay(lives_us: list[int]) -> None:
    state, now_us = None, 0
    for life_us in lives_us:
        failed_us = now_us + life_us
        now_us = replacement_due_us(state, failed_us)
        assert failed_us <= now_us <= failed_us + LONGEST_US
        state = after_replacement(state, now_us)


def test_an_agent_that_is_evicted_as_soon_as_it_runs_comes_back_at_growing_intervals() -> None:
    agent = {"name": "agent", "kind": "DaemonSet", "memoryUse": {"start": "2500Mi"}}
    agent["pod"] = {"containers": [{"name": "main", "requests": {"cpu": "100m"}}]}
    big = {"containers": [{"name": "main", "requests": {"cpu": "1", "memory": "14Gi"}}]}
    plan = a_plan(
        nodeGroups=[a_group("pool", 1, memory="16Gi", kubelet={})],
        workloads=[agent, a_workload("big", 1, memoryUse={"start": "13Gi"}, pod=big)],
    )
    sim = run_of(plan)
    back = seconds(
        [one for one in decisions_of(sim, Actor.SCHEDULER, Verdict.BOUND) if one.subject.startswith("agent")]
    )
    waits = [later - earlier for earlier, later in zip(back, back[1:], strict=False)]
    assert waits[-3:] == pytest.approx([128, 256, 512], abs=30)
    assert len(decisions_of(sim, Actor.KUBELET, Verdict.EVICTED)) == len(back)
