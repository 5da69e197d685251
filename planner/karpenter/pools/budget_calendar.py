"""What budgets of a pool allow in the course of a week."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from planner.karpenter.pools.budget_schedule import DisruptionBudget, allowed
from planner.plan.values.cron import parse_cron

WEEK = timedelta(days=7)


class AllowedTime(NamedTuple):
    """A time in which the same number of nodes may be disrupted at once."""

    begins: datetime
    ends: datetime
    allowed: int


def allowed_times(
    budgets: Sequence[DisruptionBudget], nodes: int, reason: str, begins: datetime, length: timedelta = WEEK
) -> list[AllowedTime]:
    """What a pool of so many nodes allows for a reason, from `begins` on (UTC), in the order of time."""
    ends = begins + length
    own = [budget for budget in budgets if not budget.reasons or reason in budget.reasons]
    changes = {begins, ends}
    for budget in own:
        for hit in _hits(budget, begins, ends):
            changes |= {hit, hit + _length(budget)}
    times = sorted(at for at in changes if begins <= at <= ends)
    found: list[AllowedTime] = []
    for at, until in zip(times, times[1:], strict=False):
        count = allowed(own, nodes, reason, at)
        if found and found[-1].allowed == count:
            found[-1] = found[-1]._replace(ends=until)
        else:
            found.append(AllowedTime(at, until, count))
    return found


def _length(budget: DisruptionBudget) -> timedelta:
    return timedelta(microseconds=budget.duration_us or 0)


def _hits(budget: DisruptionBudget, begins: datetime, ends: datetime) -> Iterator[datetime]:
    """When the budget comes into force, if that matters between two times."""
    if not budget.schedule:
        return
    schedule = parse_cron(budget.schedule)
    hit = schedule.next_after(begins - _length(budget))
    while hit is not None and hit < ends:
        yield hit
        hit = schedule.next_after(hit)
