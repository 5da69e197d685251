"""A week of disruption budgets."""

from datetime import UTC, datetime, timedelta

import pytest

from planner.karpenter.pools.budget_calendar import allowed_times
from planner.karpenter.pools.budget_schedule import UNLIMITED, DisruptionBudget, allowed

MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
HOUR_US = 3_600_000_000
TENTH = DisruptionBudget(percent=10)
SHUT_AT_WORK = DisruptionBudget(nodes=0, schedule="0 9 * * 1-5", duration_us=8 * HOUR_US)
OVER_MIDNIGHT = DisruptionBudget(nodes=3, schedule="0 22 * * 0", duration_us=4 * HOUR_US, reasons=("Drifted",))


def hours(budgets, reason="Underutilized", nodes=25):
    """Begin and end of each time in hours since Monday, and what is allowed."""
    found = allowed_times(budgets, nodes, reason, MONDAY)
    return [
        ((t.begins - MONDAY) / timedelta(hours=1), (t.ends - MONDAY) / timedelta(hours=1), t.allowed) for t in found
    ]


@pytest.mark.parametrize(
    ("budgets", "reason", "expected"),
    [
        ([], "Empty", [(0, 168, UNLIMITED)]),
        ([TENTH], "Empty", [(0, 168, 3)]),
        ([OVER_MIDNIGHT], "Empty", [(0, 168, UNLIMITED)]),
        ([OVER_MIDNIGHT], "Drifted", [(0, 2, 3), (2, 166, UNLIMITED), (166, 168, 3)]),
        ([DisruptionBudget(nodes=1, schedule="@hourly", duration_us=HOUR_US)], "Empty", [(0, 168, 1)]),
    ],
)
def test_times_begin_and_end_with_the_schedules(budgets, reason, expected):
    assert hours(budgets, reason) == expected


def test_the_smallest_budget_in_force_counts():
    found = hours([TENTH, SHUT_AT_WORK])
    assert found[:3] == [(0, 9, 3), (9, 17, 0), (17, 33, 3)] and found[-1] == (113, 168, 3)


@pytest.mark.parametrize("reason", ["Underutilized", "Drifted"])
def test_the_calendar_says_what_a_pass_at_any_time_would_find(reason):
    budgets = [TENTH, SHUT_AT_WORK, OVER_MIDNIGHT]
    for time in allowed_times(budgets, 60, reason, MONDAY):
        at = time.begins
        while at < time.ends:
            assert allowed(budgets, 60, reason, at) == time.allowed, at
            at += timedelta(minutes=20)
