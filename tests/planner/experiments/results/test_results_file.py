"""The file of results: found again by what a run depends on."""

import sqlite3

import pytest

from planner import __version__
from planner.errors import ResultFileError
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.kinds.registry import run_experiment
from planner.experiments.results.results_file import FORMAT, ResultsFile, results_path
from planner.experiments.runs import Runs
from planner.experiments.variants.runnable_plan import runnable_plan
from planner.plan.edits.edit import replace_at
from planner.plan.model.experiments.experiment import Compare
from tests.planner.experiments.small_plans import LARGER, a_small_plan

QUESTION = Compare(type="compare", name="q", seeds=3)


def answered(path, plan, cancelled=lambda: False, version=__version__):
    results = ResultsFile(path, version)
    runs = Runs(results=results, cancelled=cancelled)
    try:
        return run_experiment(plan, QUESTION, runs), runs.made
    finally:
        results.close()


def test_a_run_is_read_as_it_was_kept(tmp_path):
    tested = runnable_plan(a_small_plan())
    outcome = run_job(RunJob(tested.parcel, 3), lambda: False)
    for path in (None, tmp_path / "a.headroom-results"):
        results = ResultsFile(path, outcome.version)
        results.keep(outcome, outcome.until_us)
        assert results.find(tested.digest, 3, outcome.until_us) == outcome
        assert results.find(tested.digest, 4, outcome.until_us) is None
        results.close()


def test_an_experiment_opened_again_runs_nothing_and_answers_the_same(tmp_path):
    path, plan = tmp_path / "a.headroom-results", a_small_plan(variants=(LARGER,))
    first, made = answered(path, plan)
    again, made_again = answered(path, plan)
    assert (made, made_again) == (6, 0)
    assert again.figures == first.figures and again.first_parting == first.first_parting


def test_a_plan_that_changed_runs_anew_and_only_what_changed(tmp_path):
    path, plan = tmp_path / "a.headroom-results", a_small_plan(variants=(LARGER,))
    answered(path, plan)
    renamed = replace_at(plan, ("name",), "Another name")
    assert answered(path, renamed)[1] == 0
    dearer = replace_at(plan, ("variants", 0, "changes"), (*LARGER.changes, "nodeGroups[pool].pricePerHour = 2"))
    assert answered(path, dearer)[1] == 3
    assert answered(path, plan, version="another")[1] == 6


def test_an_interrupted_experiment_goes_on_where_it_was(tmp_path):
    path, plan = tmp_path / "a.headroom-results", a_small_plan(variants=(LARGER,))
    calls = iter(range(10_000))
    partial, made = answered(path, plan, lambda: next(calls) > 1_500)
    assert partial.stopped and made < 6
    whole, rest = answered(path, plan)
    assert (made + rest, len(whole.seeds)) == (6, 3)


@pytest.mark.parametrize(("content", "problem"), [
    (b"no database at all, but a text", "or it is damaged"),
    ("CREATE TABLE a (b)", "not a file of results"),
    (f"PRAGMA user_version = {FORMAT + 1}", "knows formats up to"),
])  # fmt: skip
def test_a_file_that_is_in_the_way_is_left_alone(tmp_path, content, problem):
    path = tmp_path / "a.headroom-results"
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as base:
            base.execute(content)
    before = path.read_bytes()
    with pytest.raises(ResultFileError, match=problem):
        ResultsFile(path, "1")
    assert path.read_bytes() == before


@pytest.mark.parametrize("damage", ["figures = '{nope'", "series = x'0011'", "breaks = '[1]'"])
def test_a_run_that_cannot_be_read_is_made_again(tmp_path, damage):
    path, plan = tmp_path / "a.headroom-results", a_small_plan(variants=(LARGER,))
    whole, made = answered(path, plan)
    with sqlite3.connect(path) as base:
        base.execute(f"UPDATE outcomes SET {damage} WHERE seed = 11")
    again, repaired = answered(path, plan)
    assert (repaired, again.sentence, made) == (2, whole.sentence, 6)
    assert answered(path, plan)[1] == 0


def test_an_experiment_goes_on_without_a_file_that_turns_out_to_be_damaged(tmp_path):
    path, plan = tmp_path / "a.headroom-results", a_small_plan(variants=(LARGER,))
    whole, made = answered(path, plan)
    content = path.read_bytes()
    path.write_bytes(content[:4096] + b"x" * (len(content) - 4096))
    results = ResultsFile(path, __version__)
    runs = Runs(None, results)
    again = run_experiment(plan, QUESTION, runs)
    results.close()
    assert (runs.made, again.sentence) == (made, whole.sentence)
    assert "or it is damaged" in str(runs.unkept) and "Move it away" in str(runs.unkept)


def test_results_lie_beside_their_plan(tmp_path):
    assert results_path(tmp_path / "shop.headroom") == tmp_path / "shop.headroom-results"


def test_results_of_another_file_join_those_that_are_there(tmp_path):
    plan, other = a_small_plan(variants=(LARGER,)), a_small_plan()
    mine, theirs = tmp_path / "a.headroom-results", tmp_path / "b.headroom-results"
    answered(mine, other)
    _, made = answered(theirs, plan)
    results = ResultsFile(mine, __version__)
    results.take_over(theirs)
    results.take_over(theirs)  # what is there already stays
    results.close()
    assert made > 0 and answered(mine, plan)[1] == 0
    assert answered(mine, other)[1] == 0 and answered(theirs, plan)[1] == 0


def test_a_file_that_is_none_of_results_is_not_taken_over(tmp_path):
    (tmp_path / "notes").write_text("notes " * 100)
    results = ResultsFile(tmp_path / "a.headroom-results", __version__)
    with pytest.raises(ResultFileError):
        results.take_over(tmp_path / "notes")
    results.close()
