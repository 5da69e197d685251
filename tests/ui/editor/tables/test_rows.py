"""Add, duplicate, delete, move, copy and paste rows."""

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from planner.plan.edits.edit import replace_at
from ui.editor.tables.row_edits import ROWS_TYPE


def names(document, field="node_groups"):
    return [row.name for row in getattr(document.plan, field)]


@pytest.fixture
def verbs(editor):
    editor.show_place("nodeGroups[0]")
    return editor.actions_of_rows


def test_add_inserts_a_row_after_the_current_one_and_shows_it(verbs, editor, document):
    verbs.add.trigger()
    assert names(document) == ["general", "pool", "spot"]
    assert (editor.row, editor.table.positions()) == (1, [1])
    assert editor.form.page.body.editors["name"].input.text() == "pool"
    assert document.undo_stack.undoText() == "Add node pool pool"


@pytest.mark.parametrize("section", ["nodeGroups", "workloads", "horizontalPodAutoscalers", "overprovisioning",
                                     "priorityClasses"])  # fmt: skip
def test_every_list_can_be_started_and_emptied(editor, document, hand, section):
    editor.show_place(section)
    before = document.plan
    for _ in range(2):
        editor.actions_of_rows.add.trigger()
    rows = getattr(document.plan, editor.section.fields[0])
    assert len({row.name for row in rows}) == len(rows) >= 2
    editor.table.selectAll()
    editor.actions_of_rows.delete.trigger()
    assert getattr(document.plan, editor.section.fields[0]) == ()
    while document.undo_stack.canUndo():
        document.undo_stack.undo()
    assert document.plan is before


def test_an_added_autoscaler_takes_the_next_workload_without_one(editor, document):
    editor.show_place("horizontalPodAutoscalers")
    editor.actions_of_rows.add.trigger()
    assert document.plan.horizontal_pod_autoscalers[1].scale_target == "batch"


def test_duplicates_get_unique_names(verbs, editor, document):
    editor.table.selectAll()
    verbs.duplicate.trigger()
    assert names(document) == ["general", "spot", "general-2", "spot-2"]
    assert document.undo_stack.undoText() == "Duplicate 2 rows"
    assert editor.table.positions() == [2, 3]
    assert document.plan.node_groups[3].max_size == 5


def test_workloads_and_reserves_share_one_set_of_names(editor, document):
    editor.show_place("overprovisioning")
    editor.actions_of_rows.add.trigger()
    editor.edits.document.apply(replace_at(document.plan, ("overprovisioning", 0, "name"), "web-2"), "rename")
    editor.show_place("workloads[0]")
    editor.actions_of_rows.duplicate.trigger()
    assert names(document, "workloads") == ["web", "web-3", "batch"]


def test_delete_selects_the_next_row_and_names_the_undo_step(verbs, editor, document):
    verbs.delete.trigger()
    assert names(document) == ["spot"]
    assert document.undo_stack.undoText() == "Delete node pool general"
    assert editor.form_box.title.text() == "Node pool · spot"
    verbs.delete.trigger()
    assert (names(document), editor.row) == ([], None)
    assert not verbs.delete.isEnabled()


def test_deleting_a_scaled_workload_is_reported_as_a_problem(editor, hand):
    editor.show_place("workloads[0]")
    editor.actions_of_rows.delete.trigger()
    assert hand.problems()[0][0] == "horizontalPodAutoscalers[0].scaleTarget"


def test_rows_move_and_stay_selected(verbs, editor, document):
    verbs.down.trigger()
    assert (names(document), editor.row) == (["spot", "general"], 1)
    verbs.down.trigger()
    assert names(document) == ["spot", "general"]
    assert document.undo_stack.count() == 1
    verbs.up.trigger()
    assert (names(document), editor.row) == (["general", "spot"], 0)
    assert document.undo_stack.undoText() == "Move node pool general up"


@pytest.mark.parametrize("view", ["table", "navigator"])
def test_keys_act_on_rows(editor, document, view, qtbot):
    editor.show_place("nodeGroups[0]")
    with qtbot.waitActive(editor):
        editor.activateWindow()
    widget = getattr(editor, view)
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert names(document) == ["general", "general-2", "spot"]
    QTest.keyClick(widget, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert names(document) == ["general-2", "general", "spot"]
    QTest.keyClick(widget, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(widget, Qt.Key.Key_Delete)
    assert names(document) == ["general", "spot"]
    QTest.keyClick(widget, Qt.Key.Key_Insert)
    assert names(document) == ["general", "spot", "pool"]
    QTest.keyClick(widget, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(widget, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert names(document) == ["general", "spot", "pool", "pool-2"]


def test_delete_in_a_field_deletes_a_character_not_the_row(hand, document):
    field = hand.field("nodeGroups[0].name")
    field.setCursorPosition(0)
    QTest.keyClick(field, Qt.Key.Key_Delete)
    assert names(document) == ["eneral", "spot"]


def test_copied_rows_are_tab_separated_text(verbs, editor):
    editor.table.selectAll()
    verbs.copy.trigger()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:4] == ["Name", "At start", "Minimum", "Maximum"]
    assert lines[1].split("\t")[:6] == ["general", "1", "0", "10", "4", "16Gi"]
    assert len(lines) == 3


def test_pasted_rows_keep_values_that_no_column_shows(editor, document, hand):
    editor.show_place("workloads[0]")
    hand.type("workloads[0].pod.terminationTime", "9s")
    editor.show_place("workloads[0]")
    editor.actions_of_rows.copy.trigger()
    editor.actions_of_rows.paste.trigger()
    assert names(document, "workloads") == ["web", "web-2", "batch"]
    assert document.plan.workloads[1].pod.termination_time == 9_000_000
    assert document.undo_stack.undoText() == "Paste workload web"


def paste(editor, text):
    data = QMimeData()
    data.setText(text)
    QGuiApplication.clipboard().setMimeData(data)
    editor.actions_of_rows.paste.trigger()


def test_spreadsheet_rows_with_a_header_may_have_columns_in_any_order(verbs, editor, document):
    paste(editor, "maximum\tname\tPrice\tcomment\r\n30\tbig\t0.4\thi\r\n20\tsmall\t0.1\t\r\n")
    assert names(document) == ["general", "big", "small", "spot"]
    assert [(one.max_size, one.price_per_hour, one.cpu) for one in document.plan.node_groups[1:3]] == [
        (30, 0.4, 4000),
        (20, 0.1, 4000),
    ]
    assert document.undo_stack.count() == 1


def test_rows_without_a_header_follow_the_column_order(verbs, editor, document):
    paste(editor, "big\t2\t1\t30\t8\t32Gi")
    pool = document.plan.node_groups[1]
    assert (pool.name, pool.initial_size, pool.min_size, pool.max_size, pool.cpu) == ("big", 2, 1, 30, 8000)


def test_pasted_cells_with_invalid_values_stay_marked_in_place(verbs, editor, document, hand):
    paste(editor, "Name\tMaximum\tCPU\nbig\tlots\t8\n")
    assert (document.plan.node_groups[1].max_size, document.plan.node_groups[1].cpu) == (10, 8000)
    assert hand.field("nodeGroups[1].maxSize").text() == "lots"
    assert ("nodeGroups[1].maxSize", "'lots' is not a whole number. Enter digits only, for example 3.") in (
        hand.problems()
    )


def test_a_pasted_word_that_is_not_a_choice_is_shown_in_its_box(editor, hand):
    editor.show_place("workloads[0]")
    paste(editor, "Name\tKind\nnightly\tCronJob\n")
    box = hand.field("workloads[1].kind")
    assert box.currentText() == "CronJob"
    assert "Enter one of Deployment, DaemonSet" in box.parent().message.text()
    hand.choose("workloads[1].kind", "DaemonSet")
    assert "CronJob" not in [box.itemText(number) for number in range(box.count())]


def test_cells_that_depend_on_each_other_or_on_a_part_are_set(editor, document):
    editor.show_place("horizontalPodAutoscalers")
    paste(editor, "Name\tWorkload\tMinimum\tMaximum\tAverage utilization\nb\tbatch\t20\t60\t55\n")
    row = document.plan.horizontal_pod_autoscalers[1]
    assert (row.min_replicas, row.max_replicas, row.metrics[0].average_utilization) == (20, 60, 55)


@pytest.mark.parametrize("text", ["", "\n \n"])
def test_an_empty_clipboard_is_reported(verbs, editor, document, text):
    paste(editor, text)
    assert not document.undo_stack.canUndo()
    assert "does not contain rows" in editor._note.text()


def test_damaged_row_data_falls_back_to_the_text(verbs, editor, document):
    data = QMimeData()
    data.setText("Name\tMaximum\nbig\t3\n")
    data.setData(ROWS_TYPE, b'{"node_groups": [{"name": 3}]}')
    QGuiApplication.clipboard().setMimeData(data)
    verbs.paste.trigger()
    assert names(document) == ["general", "big", "spot"]


def test_a_load_is_added_to_and_removed_from_a_workload(editor, document):
    loads = next(section for section in editor.tree.sections if section.key == "load_profiles")
    editor._show(loads, 1)
    assert not editor.actions_of_rows.duplicate.isEnabled()
    editor.actions_of_rows.add.trigger()
    assert document.plan.workloads[1].traffic is not None
    assert loads.count(document.plan) == 1
    assert document.undo_stack.undoText() == "Add load to batch"
    assert set(editor.form.page.body.editors) == {"traffic", "demand"}
    editor.actions_of_rows.delete.trigger()
    assert document.plan.workloads[1].traffic is None
    assert names(document, "workloads") == ["web", "batch"]


def test_columns_are_fitted_to_the_first_row_of_a_table(editor):
    editor.show_place("nodeGroups[0]")
    editor.table.choose([0, 1])
    editor.actions_of_rows.delete.trigger()
    QGuiApplication.clipboard().setText("Name\tMemory\tMaximum\ngeneral\t16393292123Ki\t15000\n")
    editor.actions_of_rows.paste.trigger()
    header, table = editor.table.horizontalHeader(), editor.table
    cut = [
        table.model().headerData(column, Qt.Orientation.Horizontal)
        for column in range(header.count())
        if header.sectionSize(column) < table.sizeHintForColumn(column)
    ]
    assert cut == []
