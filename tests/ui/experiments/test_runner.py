"""Experiments beside the window: answers, cancelling, resuming, and what is kept."""

import threading

from planner.experiments.execution.executor import ExecutorLost
from planner.experiments.execution.in_process import InProcess
from planner.plan.edits.edit import replace_at
from planner.plan.model.experiments.vary import Vary
from tests.ui.experiments.conftest import SAME, SIZE, SURE, a_plan_with_questions, finish
from ui.experiments.report import ExperimentState, RunCount, is_same_question
from ui.experiments.runner import ExperimentRunner
from ui.runs.failure import failure_of


class CountingExecutor(InProcess):
    """Counts its jobs, and waits after some of them."""

    def __init__(self, jobs, stop_after=None):
        self.jobs, self.stop_after = jobs, stop_after
        self.paused = threading.Event()

    def results(self, work, jobs, cancelled):
        for position, result in super().results(work, jobs, cancelled):
            if self.stop_after is not None and len(self.jobs) >= self.stop_after:
                self.paused.set()
                while not cancelled():
                    threading.Event().wait(0.01)
                return
            self.jobs.append(position)
            yield position, result


def test_an_experiment_is_answered_without_the_window_waiting(runner, document, qtbot):
    runner.start(document.plan, SIZE)
    assert runner.report("size").state is ExperimentState.RUNNING
    report = finish(runner, "size", qtbot)
    assert report.state is ExperimentState.DONE
    assert [one.name for one in report.answer.variants] == ["as planned", "larger"]
    assert (report.pace.done, report.pace.total) == (6, 6)
    assert is_same_question(report, document.plan, SIZE)


def test_a_second_experiment_waits_for_the_first(runner, document, qtbot):
    runner.start(document.plan, SIZE)
    runner.start(document.plan, SURE)
    assert runner.report("sure").state is ExperimentState.WAITING
    assert finish(runner, "sure", qtbot).state is ExperimentState.DONE
    assert runner.report("size").state is ExperimentState.DONE


def test_what_is_finished_is_found_again_without_a_run(document, place, qtbot):
    jobs = []
    first = ExperimentRunner(place, lambda: CountingExecutor(jobs))
    first.start(document.plan, SIZE)
    before = finish(first, "size", qtbot).answer
    first.shutdown()
    count = len(jobs)
    again = ExperimentRunner(place, lambda: CountingExecutor(jobs))
    again.look_up(document.plan, [SIZE, SURE])
    qtbot.waitUntil(lambda: again.report("sure").state is ExperimentState.DONE, timeout=60_000)
    assert again.report("size").answer.figures == before.figures
    assert again.report("size").answer.first_parting == before.first_parting
    assert len(jobs) == count, "the runs of the plan itself serve both experiments"
    again.shutdown()


def test_a_cancelled_experiment_keeps_its_runs_and_goes_on_from_there(document, place, qtbot):
    jobs = []
    executors = [CountingExecutor(jobs, stop_after=3), CountingExecutor(jobs)]
    first_one = executors[0]
    runner = ExperimentRunner(place, lambda: executors.pop(0))
    runner.start(document.plan, SIZE)
    qtbot.waitUntil(first_one.paused.is_set, timeout=60_000)
    runner.cancel()
    report = finish(runner, "size", qtbot)
    assert report.state is ExperimentState.STOPPED and len(report.answer.seeds) == 1
    runner.start(document.plan, SIZE)
    assert finish(runner, "size", qtbot).state is ExperimentState.DONE
    assert len(jobs) == 6 + 1, "three runs were kept, three were made, and the parting was looked for"
    runner.shutdown()


def test_closing_ends_an_experiment_at_once(document, place, qtbot):
    executor = CountingExecutor([], stop_after=1)
    runner = ExperimentRunner(place, lambda: executor)
    runner.start(document.plan, SIZE)
    qtbot.waitUntil(executor.paused.is_set, timeout=60_000)
    runner.shutdown()
    assert not runner.is_running and runner.report("size").answer is None


def test_a_plan_that_cannot_be_run_is_a_failure_with_its_place(runner, document, qtbot):
    failures = []
    runner.failed.connect(failures.append)
    plan = replace_at(document.plan, ("node_groups", 0, "max_size"), 0)
    runner.start(plan, SIZE)
    qtbot.waitUntil(lambda: bool(failures))
    assert failures[0].where.startswith("nodeGroups[0]")
    assert runner.report("size").state is ExperimentState.FAILED


def test_an_answer_is_old_once_the_plan_the_variants_or_the_experiment_differ(runner, document, qtbot):
    runner.start(document.plan, SIZE)
    report = finish(runner, "size", qtbot)
    plan = document.plan
    assert is_same_question(report, replace_at(plan, ("notes",), "other"), SIZE)
    assert not is_same_question(report, replace_at(plan, ("node_groups", 0, "max_size"), 9), SIZE)
    assert not is_same_question(report, a_plan_with_questions(SAME), SIZE)
    assert not is_same_question(report, plan, SIZE.model_copy(update={"seeds": 4}))


def test_the_time_left_follows_from_the_runs_that_were_made():
    assert RunCount(0, 10, 0.0, lambda: 5.0).left_s is None
    assert RunCount(4, 10, 0.0, lambda: 8.0).left_s == 12.0


def test_an_experiment_runs_beside_a_file_that_is_none_of_results(runner, document, place, qtbot):
    path = place.path
    path.write_bytes(b"notes that somebody has put here")
    runner.start(document.plan, SIZE)
    with qtbot.waitSignal(runner.unkept, timeout=60_000) as unkept:
        report = finish(runner, "size", qtbot)
    assert report.state is ExperimentState.DONE and report.answer.seeds
    assert "Move it away" in str(unkept.args[0]) and path.read_bytes().startswith(b"notes")


def test_an_experiment_none_of_whose_runs_are_known_was_not_begun(document, place, qtbot):
    vary = Vary(type="vary", name="loads", over=("load = 0.5, 2",), seeds=2)
    runner = ExperimentRunner(place)
    runner.look_up(document.plan, [vary])
    qtbot.waitUntil(lambda: not runner.looks_up("loads"), timeout=60_000)
    assert runner.report("loads").state is ExperimentState.NEW and runner.report("loads").answer is None


def test_processes_that_are_lost_are_no_bug_of_the_program():
    failure = failure_of(ExecutorLost("The processes have ended. Use fewer of them."))
    assert (failure.problem, failure.remedy, failure.report) == ("The processes have ended", "Use fewer of them.", "")
