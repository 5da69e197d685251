"""Grow: when does which SLO, pool, quota or budget break as the load grows, and what does it cost until then?"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from planner.experiments.answers.answer import ExperimentAnswer, VariantAnswer
from planner.experiments.answers.figure_sense import headline_figures
from planner.experiments.answers.numbers import number
from planner.experiments.execution.breaks import BUDGET
from planner.experiments.kinds.cells import PlanCell, bounds_of, cells_of, figure_answers, left_out
from planner.experiments.kinds.grow.trend import DAYS_PER_MONTH, fitted_growth
from planner.experiments.kinds.sample import seeds_from
from planner.experiments.kinds.stress.load_headroom import scaled_load
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import RunnablePlan, runnable_plan
from planner.language.phrases import joined, phrase
from planner.plan.derived.reserves import HOURS_PER_MONTH
from planner.plan.model.experiments.grow import Grow, RepresentativeDay
from planner.plan.model.plan import Plan
from planner.plan.values.money import money_text
from planner.units import US_PER_H

_BUDGET = phrase(BUDGET)
_BUSIEST_PER_MONTH = DAYS_PER_MONTH / 7.0
_TODAY = 0
"""The number of the month before the load has grown."""
_END = sys.maxsize


@dataclass(frozen=True)
class _Month:
    """One month, or today: its load, what it costs, what broke."""

    number: int
    factor: float
    cost: float
    """Of the whole month."""
    breaks: tuple[str, ...]
    nodes_peak: float


def grow(plan: Plan, experiment: Grow, runs: Runs) -> ExperimentAnswer:
    """A plan over months. Raises PlanProblem or PlanProblems for a trend or plan that cannot be used."""
    base, confidence = runnable_plan(plan), experiment.confidence / 100.0
    rate, days = _rate_and_days(plan, experiment)
    factors = (1.0, *(_factor(experiment, rate, month) for month in range(1, experiment.months + 1)))
    wanted = [
        RunnablePlan(f"{_name(month)}, {day.name}", scaled_load(base.plan, factor * day.factor), base.inputs)
        for month, factor in enumerate(factors, _TODAY)
        for day in days
    ]
    seeds = tuple(seeds_from(plan.simulation.seed, experiment.seeds))
    cells = cells_of(runs, wanted, seeds)
    months = [
        _month(plan, number, factor, days, cells[number * len(days) : (number + 1) * len(days)])
        for number, factor in enumerate(factors, _TODAY)
    ]
    known = [month for month in months if month is not None]
    figures = figure_answers(cells, confidence, headline_figures(_names(cells)))
    return ExperimentAnswer(
        kind="grow",
        variants=tuple(VariantAnswer(cell.plan.name, cell.plan.digest) for cell in cells),
        figures=figures,
        seeds=seeds,
        confidence=confidence,
        looked_at=tuple(figures),
        sentence=_sentence(known, plan.costs.currency),
        notes=left_out(cells),
        latencies=bounds_of(cells),
        outcomes={cell.plan.name: cell.outcomes for cell in cells},
        table=tuple(_table(known, plan.costs.currency)),
        stopped=runs.stopped,
        more=_more(known, rate, days),
    )


def _name(month: int) -> str:
    return "today" if month == _TODAY else f"month {month}"


def _rate_and_days(plan: Plan, experiment: Grow) -> tuple[float, tuple[RepresentativeDay, ...]]:
    usual = RepresentativeDay(name="usual day", per_month=DAYS_PER_MONTH)
    if not experiment.trend_of:
        return experiment.rate / 100.0, experiment.days or (usual,)
    found = fitted_growth(plan, experiment.trend_of)
    busiest = RepresentativeDay(name="busiest weekday", per_month=_BUSIEST_PER_MONTH, factor=found.busiest)
    usual = usual.model_copy(update={"per_month": DAYS_PER_MONTH - _BUSIEST_PER_MONTH})
    return found.rate, experiment.days or (usual, busiest)


def _factor(experiment: Grow, rate: float, month: int) -> float:
    """The load of a month, as a multiple of the plan's; the first month has grown once."""
    factor = (1.0 + rate) ** month
    for event in experiment.growth_events:
        if event.month <= month < event.month + event.months:
            factor *= event.factor
    return factor


def _month(
    plan: Plan, number: int, factor: float, days: Sequence[RepresentativeDay], cells: Sequence[PlanCell]
) -> _Month | None:
    """None where a day has no finished run."""
    if not all(cell.outcomes for cell in cells):
        return None
    whole, cost = sum(day.per_month for day in days), 0.0
    for day, cell in zip(days, cells, strict=True):
        per_hour = [one.figures["cost"].value / (one.until_us / US_PER_H) for one in cell.outcomes]
        cost += sum(per_hour) / len(per_hour) * HOURS_PER_MONTH * day.per_month / whole
    found = [one.what for cell in cells for outcome in cell.outcomes for one in outcome.breaks if one.what != _BUDGET]
    if 0.0 < plan.costs.budget_per_month < cost:
        found.append(_BUDGET)
    peak = max(one.figures["nodes_peak"].value for cell in cells for one in cell.outcomes)
    return _Month(number, factor, cost, tuple(dict.fromkeys(found)), peak)


def _names(cells: Sequence[PlanCell]) -> dict[str, None]:
    return dict.fromkeys(name for cell in cells for one in cell.outcomes for name in one.figures)


def _first_months(months: Sequence[_Month]) -> dict[str, int]:
    """By what breaks, the first month of it, the earliest first; what breaks already comes with today."""
    found: dict[str, int] = {}
    for month in months:
        for what in month.breaks:
            found.setdefault(what, month.number)
    return found


def _more(months: Sequence[_Month], rate: float, days: Sequence[RepresentativeDay]) -> dict[str, Any]:
    first = _first_months(months)
    until = min(first.values(), default=_END)
    told = [
        {
            "month": one.number,
            "load": one.factor,
            "cost": one.cost,
            "nodesPeak": one.nodes_peak,
            "breaks": [*one.breaks],
        }
        for one in months
    ]
    return {
        "rate": rate,
        "days": [{"name": day.name, "perMonth": day.per_month, "factor": day.factor} for day in days],
        "today": next((one for one in told if one["month"] == _TODAY), None),
        "months": [one for one in told if one["month"] != _TODAY],
        "firstMonths": [{"what": what, "month": month} for what, month in first.items()],
        "costUntilFirstBreak": _cost_before(until, months),
    }


def _cost_before(month: int, months: Sequence[_Month]) -> float:
    """Of the months to come before this one."""
    return sum(one.cost for one in months if _TODAY < one.number < month)


def _table(months: Sequence[_Month], currency: str) -> Iterator[tuple[str, ...]]:
    """A row for today, and one per month."""
    yield (phrase("Month"), phrase("Load"), phrase("Cost"), phrase("Nodes, peak"), phrase("Breaks"))
    for one in months:
        text = joined(", ", one.breaks) if one.breaks else "–"
        month = phrase("today") if one.number == _TODAY else str(one.number)
        yield (month, f"{one.factor:.3g}", money_text(one.cost, currency), number(one.nodes_peak), text)


def _sentence(months: Sequence[_Month], currency: str) -> str:
    if not months:
        return phrase("No month was finished, so there is nothing to say yet.")
    first = _first_months(months)
    if not first:
        count = sum(one.number > _TODAY for one in months)
        cost = money_text(_cost_before(_END, months), currency)
        return phrase("The plan holds for all {count} months, which cost {cost}.", count=count, cost=cost)
    month = min(first.values())
    what = joined(", ", (name for name, at in first.items() if at == month))
    if month == _TODAY:
        parts = [phrase("The plan breaks today already, before the load has grown: {what}", what=what)]
    else:
        load = next(one.factor for one in months if one.number == month)
        parts = [
            phrase("In month {month}, at {load:.3g} times the load, {what} breaks", month=month, load=load, what=what)
        ]
        before = _cost_before(month, months)
        if before > 0.0:
            cost = money_text(before, currency)
            parts.append(phrase("until then the plan costs {cost}", cost=cost))
    later = [phrase("{name} in month {at}", name=name, at=at) for name, at in first.items() if at > month]
    if later:
        parts.append(phrase("later {list}", list=joined(", ", later)))
    return joined("", (joined("; ", parts), "."))
