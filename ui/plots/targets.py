"""What curves are held against: limits that stay the same, and budgets that grow with the time."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from planner.units import US_PER_H, US_PER_MS, US_PER_S

translate = QCoreApplication.translate


class Limit(NamedTuple):
    """A value that a curve should stay under; None as subject means the cluster."""

    subject: str | None
    value: float
    text: str
    """Name of the line; `{subjects}` and `{value}` are filled in where equal limits share one."""
    stretches: bool = True
    """Whether it is kept in view where it is far above the curves."""


class Ramp(NamedTuple):
    """A straight line that a sum should stay under."""

    per_s: float
    until_s: float
    text: str


def no_limits(_: Plan) -> Iterator[Limit]:
    """For views that have none."""
    return iter(())


def no_ramps(_: Plan) -> Iterator[Ramp]:
    """For views that have none."""
    return iter(())


def slo_limits(plan: Plan) -> Iterator[Limit]:
    """Latency targets of the workloads, in ms; those with calls too."""
    own = translate("plots", "SLO {subjects} p{percentile} ≤ {value}")
    with_calls = translate("plots", "SLO {subjects} p{percentile} with calls ≤ {value}")
    for workload in plan.workloads:
        if workload.slo is None or workload.traffic is None:
            continue
        slo, percentile = workload.slo, str(workload.slo.percentile)
        yield Limit(workload.name, slo.target / US_PER_MS, own.replace("{percentile}", percentile))
        if slo.end_to_end_target is not None:
            text = with_calls.replace("{percentile}", percentile)
            yield Limit(workload.name, slo.end_to_end_target / US_PER_MS, text, stretches=False)


def budget_limits(plan: Plan) -> Iterator[Limit]:
    """What an hour may cost: the budget of a month spread evenly."""
    per_h = plan.costs.budget_per_month / HOURS_PER_MONTH
    if per_h > 0.0:
        text = translate("plots", "budget {money} /h").format(money=money_text(per_h, plan.costs.currency))
        yield Limit(None, per_h, text, stretches=False)


def budget_ramps(plan: Plan) -> Iterator[Ramp]:
    """What the run may have cost by any time of it."""
    per_h, until_us = plan.costs.budget_per_month / HOURS_PER_MONTH, plan.simulation.duration
    if per_h > 0.0:
        money = money_text(per_h * until_us / US_PER_H, plan.costs.currency)
        text = translate("plots", "budget {money} by the end").format(money=money)
        yield Ramp(per_h / 3600.0, until_us / US_PER_S, text)
