"""When budgets of 0 close a pool, and what that spares."""

from datetime import UTC, datetime, timedelta

import pytest

from planner.karpenter.control.disruption_loop import DisruptionLoop
from planner.karpenter.disruption.commands import DisruptionMethod
from planner.karpenter.pools.budget_schedule import UNLIMITED, DisruptionBudget, allowed, closed_time
from planner.units import US_PER_H
from tests.planner.karpenter.karpenter_plans import karpenter_plan, pool, run
from tests.planner.nodes.small_plan import a_workload

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = DisruptionBudget(nodes=0, schedule="0 6 * * *", duration_us=16 * US_PER_H)
NEVER_HIT = DisruptionBudget(nodes=0, schedule="0 8 31 4,6 *", duration_us=US_PER_H, reasons=("Drifted",))
LATE = DisruptionBudget(percent=0, schedule="0 20 * * *", duration_us=4 * US_PER_H, reasons=("Empty",))


@pytest.mark.parametrize(("budgets", "reason", "at", "is_closed", "until"), [
    ((DisruptionBudget(nodes=0),), "Empty", NOON, True, None),
    ((DisruptionBudget(nodes=1),), "Empty", NOON, False, None),
    ((DAY,), "Drifted", NOON, True, NOON.replace(hour=22)),
    ((DAY,), "Drifted", NOON.replace(hour=22), False, NOON.replace(hour=6) + timedelta(days=1)),
    ((DAY, LATE), "Empty", NOON.replace(hour=21), True, NOON.replace(hour=0) + timedelta(days=1)),
    ((DAY, LATE), "Drifted", NOON.replace(hour=21), True, NOON.replace(hour=22)),
    ((DAY, NEVER_HIT), "Drifted", NOON.replace(hour=23), True, None),
    ((NEVER_HIT,), "Empty", NOON, False, None),
])  # fmt: skip
def test_a_budget_of_0_closes_a_pool_until_its_end(budgets, reason, at, is_closed, until):
    assert closed_time(budgets, reason, at) == (is_closed, until)


@pytest.mark.parametrize("reason", ["Empty", "Drifted"])
def test_a_pool_is_closed_exactly_while_its_budgets_allow_nothing(reason):
    budgets, at = (DAY, LATE, DisruptionBudget(nodes=2)), NOON
    found = closed_time(budgets, reason, at)
    for minutes in range(0, 3 * 1440, 7):
        at = NOON + timedelta(minutes=minutes)
        if found.until is None or at >= found.until:
            found = closed_time(budgets, reason, at)
        assert found.is_closed == (allowed(budgets, 10, reason, at) == 0), at


@pytest.mark.parametrize(("day", "expected"), [("31 2", 2), ("30 2", 2), ("28 2", UNLIMITED), ("3 3", UNLIMITED)])
def test_a_budget_whose_schedule_has_no_hit_is_always_in_force(day, expected):
    budgets = (DisruptionBudget(percent=5, schedule=f"0 7 {day} *", duration_us=US_PER_H),)
    assert allowed(budgets, 40, "Empty", NOON) == expected


@pytest.mark.parametrize("disruption", [{"budgets": [{"nodes": 0}]}, {}])
def test_methods_that_can_find_nothing_look_at_no_candidates(disruption, monkeypatch):
    looked, search = [], DisruptionLoop._candidates

    def candidates(self, method, view):
        looked.append(method)
        return search(self, method, view)

    monkeypatch.setattr(DisruptionLoop, "_candidates", candidates)
    run(karpenter_plan([pool(disruption=disruption)], workloads=[a_workload("web", 7)]), 1800)
    methods = set(looked)
    if disruption:
        assert methods == set()
    else:
        assert methods == {DisruptionMethod.MULTI_NODE, DisruptionMethod.SINGLE_NODE} and len(looked) < 40
