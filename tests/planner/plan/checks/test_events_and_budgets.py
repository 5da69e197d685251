"""Checks of events and disruption budgets."""

from typing import Any

import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.hints.disruption import disruption_hints
from planner.plan.model.plan import Plan
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload

BUDGET: dict[str, Any] = {"name": "web", "selector": {"matchLabels": {"app": "web"}}, "maxUnavailable": 1}


def places(**parts: Any) -> list[str]:
    """Where the plan has problems."""
    return [problem.where for problem in check_plan(a_plan(**parts))]


@pytest.mark.parametrize(
    ("event", "where"),
    [
        pytest.param({"type": "drain", "nodeGroup": "poll"}, "nodeGroup", id="unknown pool"),
        pytest.param({"type": "rollout", "workload": "wab"}, "workload", id="unknown workload"),
        pytest.param({"type": "zoneOutage", "zone": "z"}, "zone", id="unknown zone"),
        pytest.param({"type": "drain", "nodeGroup": "pool", "at": "31m"}, "at", id="after the end"),
        pytest.param({"type": "metricsOutage", "perHour": 3600}, None, id="a high rate in a short run"),
        pytest.param(
            {"type": "nodeUpgrade", "nodeGroup": "pool", "maxSurge": 0}, "maxSurge", id="an upgrade that cannot begin"
        ),
        pytest.param(
            {"type": "taint", "nodeGroup": "pool", "taint": {"key": "a b", "effect": "NoExecute"}},
            "taint[0].key",
            id="a taint that is none",
        ),
    ],
)
def test_events_that_cannot_happen_are_refused(event: dict[str, Any], where: str | None) -> None:
    assert places(events=[event]) == ([] if where is None else [f"events[0].{where}"])


def test_a_rollout_of_a_daemon_set_is_refused() -> None:
    agent = a_workload("agent", 0, kind="DaemonSet")
    assert places(workloads=[agent], events=[{"type": "rollout", "workload": "agent"}]) == ["events[0].workload"]


@pytest.mark.parametrize(
    ("budgets", "where"),
    [
        pytest.param([BUDGET], [], id="fine"),
        pytest.param([BUDGET, BUDGET], ["podDisruptionBudgets[1].name"], id="the same name twice"),
        pytest.param([{**BUDGET, "minAvailable": 1}], ["podDisruptionBudgets[0].minAvailable"], id="both portions"),
        pytest.param([{"name": "none"}], ["podDisruptionBudgets[0].maxUnavailable"], id="neither portion"),
    ],
)
def test_budgets_have_one_portion_and_a_name_of_their_own(budgets: list[dict[str, Any]], where: list[str]) -> None:
    assert places(podDisruptionBudgets=budgets) == where


@pytest.mark.parametrize(
    ("budgets", "hinted"),
    [
        pytest.param([BUDGET], [], id="fine"),
        pytest.param([{**BUDGET, "maxUnavailable": 0}], ["[0].maxUnavailable"], id="no pod may be evicted"),
        pytest.param([{**BUDGET, "maxUnavailable": None, "minAvailable": "100%"}], ["[0].minAvailable"], id="all stay"),
        pytest.param([{**BUDGET, "selector": {"matchLabels": {"app": "x"}}}], ["[0].selector"], id="matches nothing"),
        pytest.param([BUDGET, {**BUDGET, "name": "b"}], ["[1].selector"], id="two on the same pods"),
    ],
)
def test_budgets_that_stand_in_the_way_are_hinted_at(budgets: list[dict[str, Any]], hinted: list[str]) -> None:
    found = [hint.where for hint in disruption_hints(a_plan(podDisruptionBudgets=budgets))]
    assert found == [f"podDisruptionBudgets{place}" for place in hinted]


@pytest.mark.parametrize("text", ["1.5%", "x", "", "-1", "10 %"])
def test_a_portion_is_a_count_or_a_whole_percentage(text: str) -> None:
    with pytest.raises(ValueError, match="portion|range"):
        a_plan(podDisruptionBudgets=[{**BUDGET, "maxUnavailable": text}])


def test_a_plan_with_events_and_budgets_survives_its_file() -> None:
    events = [
        {"type": "nodeLoss", "nodeGroup": "pool", "at": "10s", "count": 2},
        {"type": "taint", "nodeGroup": "pool", "taint": {"key": "k", "effect": "NoExecute"}, "perHour": 2.5},
        {"type": "controllerRestart", "controller": "horizontalPodAutoscaler"},
    ]
    plan = a_plan(nodeGroups=[a_group("pool", 2)], events=events, podDisruptionBudgets=[BUDGET])
    assert Plan.model_validate(plan.model_dump(mode="json", by_alias=True)) == plan
