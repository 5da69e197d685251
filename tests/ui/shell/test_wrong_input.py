"""A text that is no value is a problem of the document: every place that speaks of the plan says so."""

import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from planner.plan.edits.edit import replace_at
from planner.plan.files.io import load_plan
from tests.ui.shell.conftest import FLASH_SALE
from ui.document.lost_plans import lost_plans
from ui.document.questions import Answer
from ui.document.recovery import RecoveryCopy
from ui.editor.values.inputs import LineInput
from ui.process.folders import recovery_folder
from ui.widgets.message_bar import MessageKind

MAXIMUM = ("node_groups", 0, "max_size")
WHERE = "nodeGroups[0].maxSize"


@pytest.fixture
def path(tmp_path):
    return shutil.copy(FLASH_SALE, tmp_path / "shop.headroom")


@pytest.fixture
def opened(window, path):
    window.open_path(path)
    return window


def type_into_the_form(window, text):
    window.workspace.editor.show_place(WHERE)
    field = window.workspace.editor.form.open_way(MAXIMUM)
    field.selectAll()
    QTest.keyClicks(field, text)


def type_into_the_table(window, text):
    editor = window.workspace.editor
    editor.show_place("nodeGroups[0]")
    column = next(at for at, one in enumerate(editor.rows.columns) if one.path == ("max_size",))
    editor.table.setCurrentIndex(editor.rows.index(0, column))
    editor.table.setFocus()
    QTest.keyClicks(editor.table.viewport(), text[0])
    line = editor.table.viewport().findChild(LineInput)
    QTest.keyClicks(line, text[1:])
    QTest.keyClick(line, Qt.Key.Key_Return)
    QGuiApplication.processEvents()


@pytest.mark.parametrize("type_into", [type_into_the_form, type_into_the_table])
def test_a_text_that_is_no_number_is_a_problem_in_all_places_and_one_undo_step(opened, type_into):
    before = opened.document.plan
    type_into(opened, "ten")
    editor = opened.workspace.editor
    assert opened.document.plan == before
    assert opened.status.validity.text() == "1 problem" and editor.problems.summary.text().startswith("1 problem")
    assert opened.isWindowModified() and opened.document.modified
    assert [problem.where for problem in opened.document.check.findings.problems] == [WHERE]
    assert opened.document.undo_stack.undoText() == "Type “ten” into Maximum of general"
    opened.document.undo_stack.undo()
    assert not opened.isWindowModified() and not opened.document.drafts
    assert opened.status.validity.text().startswith("Plan is valid")
    assert editor.form.open_way(MAXIMUM).text() == str(before.node_groups[0].max_size)
    opened.document.undo_stack.redo()
    assert editor.form.open_way(MAXIMUM).text() == "ten" and opened.isWindowModified()


@pytest.mark.parametrize("action", ["run_action", "step_action"])
def test_a_text_that_is_no_number_blocks_a_run_which_leads_to_it(opened, action):
    type_into_the_form(opened, "ten")
    opened.workspace.editor.show_place("workloads[0].replicas")
    getattr(opened.controls, action).trigger()
    assert opened.session.runs == ()
    (message,) = opened.messages.messages
    assert message.kind is MessageKind.ERROR and message.remedy.startswith(
        "Node pools · general · Maximum: 'ten' is not a whole number"
    )
    (go,) = message.buttons
    assert go.text() == "Go to problem"
    go.click()
    assert opened.workspace.editor.form.path == MAXIMUM[:2]
    assert opened.workspace.editor.form.open_way(MAXIMUM).hasFocus()


def test_a_search_for_headroom_is_blocked_too(opened):
    type_into_the_form(opened, "ten")
    opened.headroom.find()
    assert not opened.search.is_running and "was not run" in opened.messages.messages[0].text


def test_saving_says_what_the_file_cannot_hold_and_the_text_stays_unsaved(opened, path):
    old = opened.document.plan.node_groups[0].max_size
    type_into_the_form(opened, "ten")
    assert opened.files.save()
    assert load_plan(path).node_groups[0].max_size == old
    (message,) = opened.messages.messages
    assert message.kind is MessageKind.WARNING and message.remedy.startswith(
        "Node pools · general · Maximum: 'ten' is not a whole number"
    )
    assert opened.isWindowModified() and list(opened.document.drafts) == [MAXIMUM]
    type_into_the_form(opened, "7")
    assert opened.files.save() and load_plan(path).node_groups[0].max_size == 7
    assert not opened.isWindowModified() and opened.messages.messages == ()


def test_closing_with_save_stays_open_as_long_as_a_text_cannot_be_saved(opened, answers):
    type_into_the_form(opened, "ten")
    answers.changes = Answer.SAVE
    assert not opened.files.may_leave()
    answers.changes = Answer.DISCARD
    assert opened.files.may_leave()


def test_the_text_is_kept_with_the_recovery_copy_and_comes_back_with_it(opened, monkeypatch):
    type_into_the_form(opened, "ten")
    assert opened.recovery.write() and opened.recovery.file.exists()
    monkeypatch.setattr("ui.document.lost_plans.lock_of", lambda file: _Free())
    (lost,) = lost_plans(recovery_folder())
    assert {path: draft.text for path, draft in lost.drafts.items()} == {MAXIMUM: "ten"}
    opened.document.new()
    assert not opened.document.drafts and opened.workspace.editor.problems.summary.text().startswith("Plan is valid")
    opened.document.open_copy(lost.plan, lost.path, lost.version, lost.drafts)
    assert opened.status.validity.text() == "1 problem" and opened.isWindowModified()
    type_into_the_form(opened, "9")
    assert opened.document.plan.node_groups[0].max_size == 9 and not opened.document.drafts


class _Free:
    """The lock of a process that is gone."""

    def tryLock(self, _wait):
        return True

    def unlock(self):
        pass


def test_a_copy_holds_the_latest_of_plan_and_texts(opened, tmp_path):
    copy = RecoveryCopy(opened.document, tmp_path / "copies")
    type_into_the_form(opened, "ten")
    assert copy.write()
    opened.document.apply(replace_at(opened.document.plan, ("name",), "Other"), "Rename")
    assert copy.write() and "Other" in copy.file.read_text(encoding="utf-8")
    assert '"ten"' in copy.file.read_text(encoding="utf-8")
    opened.document.undo_stack.setIndex(0)
    assert not copy.file.exists()


def test_typing_over_several_rows_marks_each_of_them(opened):
    editor = opened.workspace.editor
    editor.show_place("nodeGroups[0]")
    editor.actions_of_rows.add.trigger()
    editor.table.selectAll()
    rows = editor.rows.rowCount()
    column = next(at for at, one in enumerate(editor.rows.columns) if one.path == ("max_size",))
    editor.rows.setData(editor.rows.index(1, column), "ten")
    assert list(opened.document.drafts) == [("node_groups", row, "max_size") for row in range(rows)]
    editor.rows.setData(editor.rows.index(1, column), "20")
    assert not opened.document.drafts and {pool.max_size for pool in opened.document.plan.node_groups} == {20}


@pytest.mark.parametrize("mend", ["undo", "another plan"])
def test_the_message_of_a_refused_run_goes_when_its_problem_has_gone(opened, mend, qtbot):
    autoscalers = ("horizontal_pod_autoscalers", 0, "scale_target")
    opened.document.apply(replace_at(opened.document.plan, autoscalers, "nothing"), "Wrong")
    opened.controls.run_action.trigger()
    qtbot.waitUntil(lambda: any(one.kind is MessageKind.ERROR for one in opened.messages.messages))
    opened.document.apply(replace_at(opened.document.plan, ("name",), "Other"), "Rename")
    opened.workspace.editor.marks.refresh()
    assert opened.messages.messages
    opened.document.undo_stack.setIndex(0)
    if mend == "another plan":
        opened.files.new()
    opened.workspace.editor.marks.refresh()
    assert not [one for one in opened.messages.messages if one.kind is MessageKind.ERROR]
