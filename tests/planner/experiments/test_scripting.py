"""Experiments from a script, by the public face of the core."""

import pytest

from planner import api
from planner.errors import PlanProblem
from tests.planner.experiments.small_plans import LARGER, a_small_plan


def test_a_script_compares_a_plan_with_a_change_and_finds_its_runs_again(tmp_path):
    plan = a_small_plan(variants=(LARGER,))
    asked, seen = api.Compare(type="compare", name="size", seeds=2), []
    first = api.run_experiment(
        plan, asked, tmp_path / "r", on_progress=lambda done, needed: seen.append((done, needed))
    )
    again = api.run_experiment(plan, asked, tmp_path / "r", on_progress=lambda done, _: seen.append(done))
    assert api.answer_json(first) == api.answer_json(again)
    assert (4, 4) in seen and seen[-1] == 0, "nothing is made twice"
    assert api.answer_json(first)["figures"]["cost"]["differences"][0]["b"] == "larger"


def test_an_experiment_of_the_plan_is_run_by_its_name():
    sure = api.Replicate(type="replicate", name="sure", seeds=2)
    plan = api.with_changes(a_small_plan(), ["load = 0.5"]).model_copy(update={"experiments": (sure,)})
    assert api.run_experiment(plan, "sure").kind == "replicate"
    with pytest.raises(PlanProblem, match="Did you mean sure"):
        api.run_experiment(plan, "sur")
