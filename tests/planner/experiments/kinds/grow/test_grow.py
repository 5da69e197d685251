"""The load grows by month: when what breaks, and what it costs until then."""

import numpy as np
import pytest

from planner.errors import PlanProblem
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.kinds.grow.trend import fitted_growth
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.runs import Runs
from planner.plan.model.experiments.grow import Grow, GrowthEvent, RepresentativeDay
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.pricing import CostSettings
from planner.plan.model.traffic import LoadPoint, TraceLoad, Traffic
from planner.plan.values.money import money_text
from planner.units import US_PER_DAY, US_PER_H
from tests.planner.experiments.small_plans import a_small_plan

BRIEF = SimulationSettings(duration="30s", seed=11)


def grown(plan=None, **settings):
    parts = {"type": "grow", "name": "grow", "months": 3, "seeds": 1, "rate": 100.0} | settings
    return answer_json(run_experiment(plan or a_small_plan(simulation=BRIEF), Grow(**parts), Runs()))


def test_the_month_of_the_first_break_and_the_cost_until_then_are_told():
    found = grown(months=4)
    assert [month["load"] for month in found["months"]] == [2.0, 4.0, 8.0, 16.0]
    broken = [month["month"] for month in found["months"] if month["breaks"]]
    first = found["firstMonths"][0]
    assert first["month"] == broken[0] > 1 and "SLO of shop" in " ".join(one["what"] for one in found["firstMonths"])
    assert found["costUntilFirstBreak"] == pytest.approx(
        sum(month["cost"] for month in found["months"] if month["month"] < broken[0])
    )
    assert found["answer"].startswith(f"In month {broken[0]}, at ")
    assert f"until then the plan costs {money_text(found['costUntilFirstBreak'], 'USD')}" in found["answer"]


def test_what_breaks_before_the_load_has_grown_is_told_first():
    plan = a_small_plan(simulation=BRIEF, costs=CostSettings(budget_per_month=5.0))
    found = grown(plan, months=5)
    assert found["today"]["load"] == 1.0 and found["today"]["breaks"] == ["the budget"]
    assert [one["month"] for one in found["months"]] == [1, 2, 3, 4, 5] and found["costUntilFirstBreak"] == 0.0
    assert found["firstMonths"][0] == {"what": "the budget", "month": 0}
    start = "The plan breaks today already, before the load has grown: the budget; later the SLO of shop in month "
    assert found["answer"].startswith(start)
    answer = run_experiment(plan, Grow(type="grow", name="grow", months=2, seeds=1), Runs())
    assert [row[0] for row in answer.table] == ["Month", "today", "1", "2"]


def test_a_plan_that_holds_costs_what_its_months_cost_without_today():
    found = grown(months=2, rate=0.0)
    assert found["today"]["breaks"] == [] and found["answer"].startswith("The plan holds for all 2 months, which cost")
    assert found["costUntilFirstBreak"] == pytest.approx(2 * found["today"]["cost"])


def test_a_budget_breaks_in_the_month_that_costs_more():
    """A node or two of 1 an hour, 730 hours a month."""
    plan = a_small_plan(simulation=BRIEF, costs=CostSettings(budget_per_month=5000.0))
    held, broken = grown(plan, months=1, rate=0.0), grown(plan.model_copy(update={"costs":
        CostSettings(budget_per_month=500.0)}), months=1, rate=0.0)  # fmt: skip
    assert "the budget" not in held["months"][0]["breaks"]
    assert "the budget" in broken["months"][0]["breaks"] and "until then" not in broken["answer"]


def test_events_and_kinds_of_days_multiply_the_load():
    sale = GrowthEvent(name="sale", month=2, factor=3.0)
    days = (RepresentativeDay(name="quiet", per_month=29, factor=0.5), RepresentativeDay(name="busy", per_month=1))
    found = grown(months=3, rate=0.0, growth_events=(sale,), days=days)
    assert [month["load"] for month in found["months"]] == [1.0, 3.0, 1.0]
    assert {"month 1, quiet", "month 1, busy"} <= {one["name"] for one in found["variants"]}


def recorded(days, growth=0.0):
    moments = np.arange(days * 24 + 1)
    weekend = np.where(moments // 24 % 7 >= 5, 0.5, 1.0)
    points = tuple(
        LoadPoint(at=int(hour) * US_PER_H, rate=float(100.0 * np.exp(growth * (hour // 24)) * factor))
        for hour, factor in zip(moments, weekend, strict=True)
    )
    trace = TraceLoad(type="trace", points=points, interpolation="step")
    plan = a_small_plan(simulation=BRIEF)
    shop = plan.workloads[0].model_copy(update={"traffic": Traffic(profile=trace)})
    return plan.model_copy(update={"workloads": (shop,)})


def test_trend_and_week_of_a_recorded_load_are_fitted():
    found = fitted_growth(recorded(28, growth=0.002), "shop")
    assert found.rate == pytest.approx(np.expm1(0.002 * 365.25 / 12.0), rel=1e-6)
    assert found.busiest == pytest.approx(7.0 / 6.0, rel=1e-3)
    assert US_PER_DAY == 24 * US_PER_H


@pytest.mark.parametrize(
    ("days", "name", "message"), [(5, "shop", "5 whole days"), (20, "shopp", "Choose one of shop")]
)
def test_a_trend_without_a_record_is_refused(days, name, message):
    with pytest.raises(PlanProblem, match=message):
        fitted_growth(recorded(days), name)
