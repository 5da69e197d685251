"""The worked examples of the Kubernetes documentation on node resources and eviction, recomputed."""

import pytest

from planner.nodes.kubelet.oom import OomClaims, oom_score_adj
from planner.nodes.kubelet.pressure import EvictionMemory, EvictionSettings, Observation, eviction_pass
from planner.nodes.kubelet.qos import QosClass
from planner.plan.derived.allocatable import node_offer
from planner.plan.model.budgets import UnhealthyPodEvictionPolicy
from planner.plan.values.thresholds import Signal, parse_thresholds
from planner.units import GIB, MIB
from planner.workloads.disruption.budgets import BudgetRule, BudgetStatus, EvictionCode, answer_eviction

TEN = 10 * GIB
HALF = 500 * MIB


def test_allocatable_of_a_10gi_node_with_threshold_500mi_and_1_5gi_reserved() -> None:
    thresholds = parse_thresholds({"memory.available": "500Mi"})
    offer = node_offer({"cpu": 4000, "memory": TEN}, {}, {"memory": 1536 * MIB}, thresholds, 110)
    assert offer.allocatable["memory"] == 8204 * MIB
    assert offer.pods_memory_limit == 8704 * MIB


@pytest.mark.parametrize(("used_mib", "pressed"), [(9740, False), (9741, True)])
def test_pressure_begins_when_more_than_9740mi_are_used(used_mib: int, pressed: bool) -> None:
    settings = EvictionSettings(parse_thresholds({"memory.available": "500Mi"}, enforce_pods=False))
    seen = {Signal.MEMORY: Observation(TEN - used_mib * MIB, TEN, 1)}
    assert bool(eviction_pass(settings, EvictionMemory(), seen, 1).conditions) is pressed


def test_ten_percent_of_10gi_by_float32() -> None:
    (threshold, _) = parse_thresholds({"memory.available": "10%"})
    assert threshold.value.of(TEN) == 1_073_741_840


def test_minimum_reclaim_decides_where_reclaiming_stops() -> None:
    hard = {"memory.available": "500Mi", "nodefs.available": "1Gi", "imagefs.available": "100Gi"}
    reclaim = {"memory.available": "0Mi", "nodefs.available": "500Mi", "imagefs.available": "2Gi"}
    levels = {t.signal: t.level(TEN, with_reclaim=True) for t in parse_thresholds(hard, min_reclaim=reclaim)}
    assert levels[Signal.NODEFS] == 1_598_029_824
    assert levels[Signal.IMAGEFS] == 102 * GIB
    assert levels[Signal.MEMORY] == HALF


def test_a_soft_threshold_without_grace_period_is_an_error() -> None:
    with pytest.raises(ValueError, match="grace period"):
        parse_thresholds({}, soft={"memory.available": "1Gi"})


def test_only_the_hard_thresholds_that_are_given_are_watched() -> None:
    assert {t.signal for t in parse_thresholds({"nodefs.available": "1Gi"})} == {Signal.NODEFS}


@pytest.mark.parametrize(
    ("qos", "request_bytes", "score"),
    [
        pytest.param(QosClass.GUARANTEED, 4 * GIB, -997, id="Guaranteed"),
        pytest.param(QosClass.BEST_EFFORT, 0, 1000, id="BestEffort"),
        pytest.param(QosClass.BURSTABLE, 4 * GIB, 600, id="Burstable by its share of the node"),
        pytest.param(QosClass.BURSTABLE, TEN, 3, id="not below 3"),
        pytest.param(QosClass.BURSTABLE, 1, 999, id="not as high as BestEffort"),
    ],
)
def test_oom_scores(qos: QosClass, request_bytes: int, score: int) -> None:
    assert oom_score_adj(OomClaims(qos, False, [request_bytes]), request_bytes, False, TEN) == score


RULE = BudgetRule(max_unavailable=1)


@pytest.mark.parametrize(
    ("budgets", "code"),
    [
        pytest.param([(RULE, BudgetStatus(3, 2, 3, 1))], EvictionCode.ALLOWED, id="the budget has room"),
        pytest.param([(RULE, BudgetStatus(2, 2, 3, 0))], EvictionCode.TOO_MANY_REQUESTS, id="it has none: 429"),
        pytest.param([(RULE, BudgetStatus(3, 2, 3, 1))] * 2, EvictionCode.SEVERAL_BUDGETS, id="two match: 500"),
    ],
)
def test_answers_of_the_eviction_api(budgets: list[tuple[BudgetRule, BudgetStatus]], code: EvictionCode) -> None:
    assert answer_eviction(False, True, budgets).code is code


def test_a_pod_that_is_not_ready_is_free_to_go_only_while_the_budget_is_met() -> None:
    short, met = BudgetStatus(1, 2, 3, 0), BudgetStatus(2, 2, 3, 0)
    always = BudgetRule(max_unavailable=1, unhealthy_policy=UnhealthyPodEvictionPolicy.ALWAYS_ALLOW)
    assert answer_eviction(False, False, [(RULE, met)]).allowed
    assert not answer_eviction(False, False, [(RULE, short)]).allowed
    assert answer_eviction(False, False, [(always, short)]).allowed


@pytest.mark.parametrize("text", ["1e39%", "1e400%", "-1e400%", "-1%"])
def test_a_percentage_beyond_all_bounds_is_an_error_and_no_infinite_reserve(text: str) -> None:
    with pytest.raises(ValueError, match="%"):
        parse_thresholds({"memory.available": text})
    with pytest.raises(ValueError, match="%"):
        parse_thresholds({"memory.available": "1Gi"}, min_reclaim={"memory.available": text})


def test_a_minimum_reclaim_may_exceed_the_whole_capacity() -> None:
    (threshold, _) = parse_thresholds({"memory.available": "1Gi"}, min_reclaim={"memory.available": "150%"})
    assert threshold.level(TEN, with_reclaim=True) == 16 * GIB
