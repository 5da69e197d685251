"""Like is compared with like, and figures of an older plan are marked."""

import pytest

from planner.plan.edits.edit import replace_at
from tests.builders import a_plan
from ui.document.plan_document import PlanDocument
from ui.runs.controls.run_notes import RunNotes
from ui.runs.likeness import is_of_older_plan
from ui.runs.run_data import RunData, RunState

PLAN = a_plan()
LONGER = replace_at(PLAN, ("simulation", "duration"), PLAN.simulation.duration * 2)


def a_run(session, plan=PLAN, state=RunState.FINISHED):
    number = session.next_number()
    run = RunData(number, f"run {number}", plan, 1)
    run.state = state
    session.add(run)
    return run


@pytest.fixture
def notes(document, session, theme, qtbot):
    notes = RunNotes(document, session, theme)
    qtbot.addWidget(notes)
    notes.show()
    return notes


@pytest.mark.parametrize("between", [
    pytest.param(lambda session: a_run(session, state=RunState.STOPPED), id="a stopped run"),
    pytest.param(lambda session: a_run(session, state=RunState.FAILED), id="a failed run"),
    pytest.param(lambda session: a_run(session, LONGER), id="a longer run"),
])  # fmt: skip
def test_the_baseline_is_the_like_run_before(session, between):
    first = a_run(session)
    between(session)
    a_run(session)
    assert session.baseline is first


def test_a_run_of_another_plan_is_no_baseline_by_itself_but_that_of_a_file_opened_again_is(session, tmp_path):
    session.begin_plan(tmp_path / "a.headroom")
    first = a_run(session)
    session.begin_plan(None)
    a_run(session)
    assert session.baseline is None
    session.begin_plan(tmp_path / "a.headroom")
    a_run(session)
    assert session.baseline is first


def test_a_file_that_is_read_again_keeps_the_run_that_is_shown(session, tmp_path):
    session.begin_plan(tmp_path / "a.headroom")
    run = a_run(session)
    session.begin_plan(tmp_path / "a.headroom")
    assert session.current is run
    session.begin_plan(tmp_path / "b.headroom")
    assert session.current is None


def test_a_new_plan_that_is_saved_stays_the_same_plan(session, tmp_path):
    session.begin_plan(None)
    first = a_run(session)
    session.name_plan(tmp_path / "a.headroom")
    session.begin_plan(tmp_path / "a.headroom")
    a_run(session)
    assert session.baseline is first


def test_a_chosen_baseline_stays_and_what_it_differs_by_is_said(session, notes, tmp_path):
    chosen = a_run(session, LONGER, RunState.STOPPED)
    chosen.done_us = 60_000_000
    session.choose_baseline(chosen)
    session.begin_plan(tmp_path / "b.headroom")
    a_run(session)
    assert session.baseline is chosen and not notes.isHidden()
    for words in ("run 1", "is of another plan", "simulates", "was stopped at 00:01:00"):
        assert words in notes.other.text()
    session.compare_with_previous()
    assert session.baseline is None and notes.other.text() == ""


def test_a_run_that_is_stopped_later_is_said_to_be(session, notes):
    before = a_run(session)
    a_run(session)
    assert notes.isHidden()
    before.set_state(RunState.STOPPED)
    assert "was stopped" in notes.other.text()


@pytest.mark.parametrize(("path", "value", "is_older"), [
    (("workloads", 0, "replicas"), 9, True),
    (("simulation", "seed"), 9, True),
    (("name",), "Other", False),
    (("notes",), "Why", False),
])  # fmt: skip
def test_figures_are_older_once_a_change_would_give_other_ones(session, path, value, is_older):
    run = a_run(session)
    assert is_of_older_plan(run, replace_at(PLAN, path, value)) is is_older


def test_an_edit_marks_the_figures_and_one_click_runs(session, theme, qtbot):
    document = PlanDocument(PLAN)
    notes = RunNotes(document, session, theme)
    qtbot.addWidget(notes)
    notes.show()
    a_run(session, document.plan)
    assert notes.isHidden()
    document.apply(replace_at(document.plan, ("workloads", 0, "replicas"), 9), "Set")
    assert not notes.isHidden() and "since run 1" in notes.older.text()
    with qtbot.waitSignal(notes.run_wanted):
        notes.run_button.click()
    document.undo_stack.undo()
    assert notes.isHidden()
