"""Results go with their plan when it is saved under another name."""

from planner import __version__
from planner.experiments.execution.work import RunJob, run_job
from planner.experiments.results.results_file import ResultsFile
from planner.experiments.variants.runnable_plan import runnable_plan
from tests.planner.experiments.small_plans import a_small_plan

PARCEL = runnable_plan(a_small_plan()).parcel
BRIEF_US = 10_000_000


def keep(path, seed):
    results = ResultsFile(path, __version__)
    results.keep(run_job(RunJob(PARCEL, seed, BRIEF_US), lambda: False), BRIEF_US)
    results.close()


def kept(path):
    results = ResultsFile(path, __version__)
    found = [seed for seed in range(1, 5) if results.find(PARCEL.digest, seed, BRIEF_US) is not None]
    results.close()
    return found


def test_saved_as_a_new_file_results_go_along(place, tmp_path):
    keep(place.path, 1)
    place.move(tmp_path / "a.headroom")
    assert place.path == tmp_path / "a.headroom-results" and kept(place.path) == [1]


def test_saved_as_a_file_with_results_both_are_there(place, tmp_path):
    keep(tmp_path / "b.headroom-results", 2)
    keep(place.path, 1)
    place.move(tmp_path / "b.headroom")
    assert kept(place.path) == [1, 2]


def test_a_file_in_the_way_that_holds_no_results_stays_as_it_is(place, tmp_path):
    (tmp_path / "c.headroom-results").write_text("notes " * 100)
    keep(place.path, 1)
    place.move(tmp_path / "c.headroom")
    assert (tmp_path / "c.headroom-results").read_text().startswith("notes")
