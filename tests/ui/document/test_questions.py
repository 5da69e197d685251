"""The questions as the platform shows them."""

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget

from tests.builders import a_plan
from ui.document.questions import Answer, Conflict, Questions
from ui.runs.run_data import RunData, RunState


@pytest.fixture
def questions(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    questions = Questions(window)
    return questions


@pytest.fixture
def run(qapp):
    run = RunData(1, "run 1 · Flash sale", a_plan(), 1)
    run.set_state(RunState.RUNNING)
    return run


def answer(words):
    """Click this button of the question as soon as it is shown."""

    def click():
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        (button,) = [one for one in box.buttons() if one.text().replace("&", "") == words]
        button.click()

    QTimer.singleShot(50, click)


@pytest.mark.parametrize(("words", "stops"), [("Stop and close", True), ("Keep running", False)])
def test_a_run_is_stopped_only_on_confirmation(questions, run, words, stops):
    answer(words)
    assert questions.may_stop_run(run) is stops


@pytest.mark.parametrize("state", [RunState.FINISHED, RunState.FAILED])
def test_the_question_closes_when_the_run_ends_by_itself(questions, run, state):
    QTimer.singleShot(50, lambda: run.set_state(state))
    assert questions.may_stop_run(run) is False
    assert QApplication.activeModalWidget() is None


def test_pausing_keeps_the_question_open(questions, run):
    QTimer.singleShot(20, lambda: run.set_state(RunState.PAUSED))
    answer("Stop and close")
    assert questions.may_stop_run(run)


@pytest.mark.parametrize(
    ("words", "expected"), [("Save", Answer.SAVE), ("Discard", Answer.DISCARD), ("Cancel", Answer.CANCEL)]
)
def test_unsaved_changes_can_be_saved_discarded_or_kept_open(questions, words, expected):
    answer(words)
    assert questions.unsaved_changes("a.headroom") is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Save mine as…", Conflict.COPY),
        ("Overwrite", Conflict.OVERWRITE),
        ("Reload", Conflict.RELOAD),
        ("Cancel", Conflict.CANCEL),
    ],
)
def test_a_file_changed_by_another_program_can_be_kept_replaced_or_read_again(questions, words, expected):
    answer(words)
    assert questions.changed_on_disk("a.headroom") is expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Save it here again", Conflict.OVERWRITE), ("Save as…", Conflict.COPY), ("Cancel", Conflict.CANCEL)],
)
def test_a_file_that_is_gone_can_be_written_again_or_elsewhere(questions, words, expected):
    answer(words)
    assert questions.gone_from_disk("a.headroom") is expected
