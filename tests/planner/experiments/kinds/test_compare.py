"""Plans under the same seeds."""

import json

import pytest

from planner.errors import PlanProblem
from planner.experiments.answers.answer_json import answer_json
from planner.experiments.execution.process_pool import ProcessPool
from planner.experiments.kinds.registry import experiment_named, run_experiment
from planner.experiments.runs import Runs
from planner.plan.model.experiments.experiment import Compare
from planner.plan.model.experiments.variants import Variant
from tests.planner.experiments.small_plans import LARGER, REFUSED, SAME, a_small_plan

PLAN = a_small_plan(variants=(LARGER, SAME, REFUSED))


def asked(*names, **settings):
    question = Compare(**{"type": "compare", "name": "q", "variants": names, "seeds": 4} | settings)
    return run_experiment(PLAN, question, Runs())


def test_a_plan_compared_with_itself_differs_by_exactly_zero_in_every_figure():
    answer = asked("same")
    found = [one for figure in answer.figures.values() for one in figure.differences]
    assert len(found) == len(answer.figures) > 30
    assert all(one.estimate.mean == one.estimate.low == one.estimate.high == 0.0 for one in found)
    assert {str(one.verdict) for one in found} == {"same"}
    assert answer.first_parting is None
    assert "every figure is the same" in answer.sentence


def test_every_figure_of_both_plans_has_its_interval():
    answer = asked("larger")
    for name, figure in answer.figures.items():
        for estimate in figure.variants.values():
            assert estimate.low <= estimate.mean <= estimate.high, name
        for one in figure.differences:
            mean = figure.variants[one.b].mean - figure.variants[one.a].mean
            if one.estimate.n == 4:
                assert one.estimate.mean == pytest.approx(mean, rel=1e-9, abs=1e-6), name
    cost = answer.figures["cost"].differences[0]
    assert (cost.a, cost.b, cost.verdict) == ("as planned", "larger", "higher")
    assert answer.sentence.startswith("larger against as planned, 4 seeds: cost is")


def test_the_first_decision_at_which_the_runs_part_is_shown_from_both_sides():
    parting = asked("larger").first_parting
    assert parting["atS"] >= 0.0
    assert parting["a"] != parting["b"]
    assert all(kind["a"] != kind["b"] for kind in parting["decisions"])


def test_a_variant_that_the_plan_refuses_is_named_and_the_others_run():
    answer = asked()
    assert [one.name for one in answer.variants] == ["as planned", "larger", "same"]
    assert any("refused" in note and "Did you mean nodeGroups[pool].maxSize?" in note for note in answer.notes)


def test_plans_that_run_for_different_times_are_compared_with_a_warning():
    longer = a_small_plan(variants=(Variant(name="longer", changes=("simulation.duration = 6m",)), SAME))
    question = Compare(type="compare", name="q", variants=("longer",), seeds=1)
    assert any("different times" in note for note in run_experiment(longer, question, Runs()).notes)
    alike = run_experiment(longer, question.model_copy(update={"variants": ("same",)}), Runs())
    assert not any("different times" in note for note in alike.notes)


def test_more_than_two_plans_are_compared_with_the_best_one_together():
    answer = asked()
    best = answer.figures["cost"].best
    assert best["larger"].low == 0.0 < best["larger"].high
    assert best["as planned"].mean == best["same"].mean == 0.0
    assert "cost is lowest with as planned, which cannot be told from same" in answer.sentence


def test_the_changes_are_named_in_words():
    assert asked("larger").variants[1].changes == ("pool minSize 0 -> 3", "pool initialSize 1 -> 3")


@pytest.mark.parametrize(("settings", "problem"), [
    ({"variants": ("largr",)}, "Did you mean larger?"),
    ({"figures": ("costs",)}, "Did you mean cost?"),
])  # fmt: skip
def test_what_is_not_there_is_refused_with_the_nearest_that_is(settings, problem):
    with pytest.raises(PlanProblem) as refused:
        asked(**settings)
    assert problem in str(refused.value)


def test_an_experiment_is_found_by_its_name():
    plan = a_small_plan(experiments=(Compare(type="compare", name="reserve"),))
    assert experiment_named(plan, "reserve") is plan.experiments[0]
    with pytest.raises(PlanProblem, match="Did you mean reserve"):
        experiment_named(plan, "reserv")


def test_seeds_are_added_until_the_intervals_are_narrow_or_the_budget_is_spent():
    narrow = asked("larger", seeds=30, half_width=50.0)
    assert len(narrow.seeds) == 10
    wide = asked("larger", seeds=13, half_width=0.01)
    assert len(wide.seeds) == 13
    assert any("was not reached within 13 seeds" in note for note in wide.notes)


def test_the_same_question_has_the_same_bytes_from_any_number_of_processes():
    pool = ProcessPool(2)
    try:
        beside = run_experiment(PLAN, Compare(type="compare", name="q", seeds=4, variants=("larger",)), Runs(pool))
    finally:
        pool.close()
    assert json.dumps(answer_json(beside)) == json.dumps(answer_json(asked("larger")))


def test_every_cell_names_its_plan_seed_version_and_digest():
    cells = answer_json(asked("larger"))["cells"]
    assert len(cells) == 8
    assert all(len(cell["planDigest"]) == len(cell["digest"]) == 64 and cell["version"] for cell in cells)
