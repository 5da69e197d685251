"""How many nodes of a pool may be disrupted at a time.

Source: Karpenter 1.13, pkg/apis/v1/nodepool.go (GetAllowedDisruptionsByReason, IsActive) and
pkg/controllers/disruption/helpers.go (BuildDisruptionBudgetMapping). Schedules are in UTC.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple, Self

from planner.plan.model.karpenter.node_pools import PoolBudget
from planner.plan.values.cron import parse_cron

UNLIMITED = 2**31 - 1
"""What is allowed where no budget is in force."""


@dataclass(frozen=True)
class DisruptionBudget:
    """How many nodes of a pool may be disrupted at once."""

    nodes: int | None = None
    """A number of nodes."""
    percent: int | None = None
    """Or a share, rounded up."""
    reasons: tuple[str, ...] = ()
    """Reasons that it limits; none: all."""
    schedule: str = ""
    """Times at which it comes into force; empty: always."""
    duration_us: int | None = None
    """How long it then stays in force."""

    @classmethod
    def of(cls, budget: PoolBudget) -> Self:
        """The budget of a plan."""
        nodes = budget.nodes
        return cls(
            nodes=nodes if isinstance(nodes, int) else None,
            percent=int(nodes.rstrip("%")) if isinstance(nodes, str) else None,
            reasons=tuple(reason.value for reason in budget.reasons),
            schedule=budget.schedule,
            duration_us=budget.duration,
        )

    def is_active(self, now: datetime) -> bool:
        """Whether a hit of the schedule is no longer ago than the duration. Raises ValueError for a bad schedule.

        A schedule without any hit, such as the 31st of February, is always in force: the real program compares with
        the zero time of Go, which is past.
        """
        if not self.schedule:
            return True
        hit = parse_cron(self.schedule).next_after(now - timedelta(microseconds=self.duration_us or 0))
        return hit is None or hit <= now

    def allows(self, nodes: int) -> int:
        """Disruptions that it allows in a pool of some nodes."""
        if self.percent is not None:
            return -(-self.percent * nodes // 100)
        return self.nodes or 0


def allowed(budgets: Sequence[DisruptionBudget], nodes: int, reason: str, now: datetime) -> int:
    """The least that the budgets in force allow for a reason; a budget that cannot be read allows nothing."""
    try:
        active = [budget for budget in budgets if budget.is_active(now)]
    except ValueError:
        return 0
    limiting = (budget.allows(nodes) for budget in active if not budget.reasons or reason in budget.reasons)
    return min(limiting, default=UNLIMITED)


class ClosedTime(NamedTuple):
    """Whether budgets of 0 allow no disruption at present, whatever the cluster is like, and until when that holds."""

    is_closed: bool
    until: datetime | None
    """None: for ever."""


def closed_time(budgets: Sequence[DisruptionBudget], reason: str, now: datetime) -> ClosedTime:
    """Of the budgets for a reason."""
    ends: list[datetime] = []
    begins: list[datetime] = []
    for budget in budgets:
        if budget.nodes or budget.percent or (budget.reasons and reason not in budget.reasons):
            continue
        if not budget.schedule:
            return ClosedTime(True, None)
        length = timedelta(microseconds=budget.duration_us or 0)
        hit = parse_cron(budget.schedule).next_after(now - length)
        if hit is None:  # no time is found in the next years, and in the time of a run there is none either
            return ClosedTime(True, None)
        (ends if hit <= now else begins).append(hit + length if hit <= now else hit)
    if ends:
        return ClosedTime(True, max(ends))
    return ClosedTime(False, min(begins, default=None))


def left_to_disrupt(budgets: Sequence[DisruptionBudget], nodes: int, disrupted: int, reason: str, now: datetime) -> int:
    """Nodes of a pool that may still be disrupted.

    `nodes`: those that have been initialized and whose machine is not being deleted; `disrupted`: those of them that
    are not Ready or marked for deletion, whatever the reason.
    """
    return max(allowed(budgets, nodes, reason, now) - disrupted, 0)
