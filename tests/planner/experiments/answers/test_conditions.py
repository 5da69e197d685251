"""Conditions on a comparison."""

import pytest

from planner.errors import PlanProblem
from planner.experiments.answers.answer import ExperimentAnswer, FigureAnswer, VariantAnswer
from planner.experiments.answers.conditions import condition
from planner.experiments.statistics.estimates import MeanEstimate


def exactly(value):
    return MeanEstimate(value, value, value, 2, "constant")


ANSWER = ExperimentAnswer(
    kind="compare",
    variants=(VariantAnswer("old", "a"), VariantAnswer("new", "b")),
    figures={
        "cost": FigureAnswer("USD", {"old": exactly(100.0), "new": exactly(106.0)}),
        "slo_attainment[shop]": FigureAnswer("ratio", {"old": exactly(1.0), "new": exactly(0.98)}),
    },
    seeds=(1, 2),
    confidence=0.95,
)


@pytest.mark.parametrize(("text", "holds"), [
    ("cost>+5%", True), ("cost>+6%", False), ("cost>=+6%", True), ("cost > +5.5", True), ("cost>+7", False),
    ("cost<-5%", False), ("cost>105", True), ("cost<200", True), ("slo_attainment[shop]<0.99", True),
    ("slo_attainment[shop]<97%", False), ("slo_attainment[shop]<-1%", True),
])  # fmt: skip
def test_a_condition_is_about_the_change_with_a_sign_and_about_the_new_plan_without(text, holds):
    assert condition(text).holds(ANSWER) is holds


@pytest.mark.parametrize("text", ["cost", "cost>", "cost>+x%", ">5", "cost=5"])
def test_what_is_no_condition_is_refused(text):
    with pytest.raises(ValueError, match="is not a condition; write for example"):
        condition(text)


def test_a_figure_that_is_not_there_is_refused_with_the_nearest_one():
    with pytest.raises(PlanProblem, match="Did you mean cost"):
        condition("costs>+5%").holds(ANSWER)
