"""A pool whose nodes never register, beside a healthy one that costs more."""

import pytest

from planner.plan.hints.all_hints import find_hints
from planner.plan.model.plan import Plan
from planner.record.decisions import Actor, Decision, Verdict
from planner.record.details.node_groups import GroupProblem, ScaleUpEvent
from planner.record.text.explain import why
from planner.simulation.run import run_plan
from planner.units import US_PER_S
from tests.planner.nodes.small_plan import a_group, a_plan, a_workload


def _plan(kind: str = "neverRegisters", **autoscaler: object) -> Plan:
    return a_plan(
        simulation={"duration": "40m"},
        nodeGroups=[a_group("cheap", 1, pricePerHour=1), a_group("dear", 1, pricePerHour=2)],
        workloads=[a_workload("web", 10)],
        clusterAutoscaler={"expander": ["price"], **autoscaler},
        events=[{"type": "provisioningFailure", "nodeGroup": "cheap", "kind": kind}],
    )


def _triggered(decisions: tuple[Decision, ...]) -> list[str]:
    return [one.subject for one in decisions if one.actor is Actor.SCALE_UP and one.verdict is Verdict.TRIGGERED]


def _problems(decisions: tuple[Decision, ...]) -> list[Decision]:
    return [one for one in decisions if isinstance(one.details, GroupProblem)]


def test_with_frequent_loops_the_pool_is_chosen_again_without_back_off_and_the_reason_says_so() -> None:
    decisions = run_plan(_plan()).decisions
    assert set(_triggered(decisions)) == {"cheap"}
    problems = _problems(decisions)
    assert [one.details.event for one in problems] == [ScaleUpEvent.DELETE_UNREGISTERED] * 2
    assert all("not in back-off and may be chosen again" in why(one) for one in problems)


def test_with_fixed_loops_the_request_times_out_and_the_healthy_pool_is_used() -> None:
    decisions = run_plan(_plan(frequentLoopsEnabled=False)).decisions
    assert _triggered(decisions) == ["cheap", "dear"]
    events = [(one.time_us // US_PER_S, one.details.event) for one in _problems(decisions)]
    assert events[0] == (920, ScaleUpEvent.TIMED_OUT)
    assert events[-1] == (930, ScaleUpEvent.DELETE_UNREGISTERED)
    assert "not in back-off" not in why(_problems(decisions)[-1])


@pytest.mark.parametrize(
    ("plan", "is_said"),
    [
        (_plan(), True),
        (_plan(frequentLoopsEnabled=False), False),
        (_plan("neverReady"), False),
        (_plan(enabled=False), False),
    ],
)
def test_a_hint_says_when_no_fallback_is_to_be_expected(plan: Plan, is_said: bool) -> None:
    found = [hint for hint in find_hints(plan) if hint.where == "events[0].kind"]
    assert bool(found) is is_said
    assert all("does not back off" in hint.text for hint in found)
