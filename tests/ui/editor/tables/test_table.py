import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from planner.plan.edits.edit import insert_at, remove_at, replace_at
from tests.builders import a_node_group
from ui.editor.navigator.sections import sections
from ui.editor.tables.columns import columns_of
from ui.editor.values.inputs import LineInput

FAIL = QAbstractItemModelTester.FailureReportingMode.Fatal


@pytest.fixture
def table(editor):
    editor.model_tester = QAbstractItemModelTester(editor.rows, FAIL)
    editor.show_place("nodeGroups[0]")
    return editor.rows


def cell(table, row, title):
    titles = [column.title for column in table.columns]
    return table.index(row, titles.index(title))


def test_every_list_has_columns_that_read_its_rows():
    for section in sections():
        if section.is_list:
            assert all(column.title and column.help for column in columns_of(section)), section.key


def test_cells_show_text_unit_and_help(table):
    assert cell(table, 0, "Memory").data() == "16Gi"
    assert "16 GiB" in cell(table, 0, "Memory").data(Qt.ItemDataRole.ToolTipRole)
    assert table.headerData(1, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)


def test_a_cell_is_edited_in_place(table, hand):
    assert table.setData(cell(table, 1, "Maximum"), "8")
    assert hand.value("nodeGroups[1].maxSize") == 8
    assert hand.undo_text() == "Set Maximum of spot to 8"
    hand.document.undo_stack.undo()
    assert cell(table, 1, "Maximum").data() == "5"


def test_a_cell_with_an_invalid_value_keeps_its_text_and_shows_the_remedy(table, hand):
    index = cell(table, 1, "Maximum")
    table.setData(index, "many")
    assert index.data() == "many"
    assert hand.value("nodeGroups[1].maxSize") == 5
    assert "Enter digits only" in index.data(Qt.ItemDataRole.ToolTipRole)
    assert not index.data(Qt.ItemDataRole.DecorationRole).isNull()
    assert hand.field("nodeGroups[1].maxSize").text() == "many"
    table.setData(index, "lots")
    assert hand.editor.form.page.body.editors["max_size"].input.text() == "lots"
    table.setData(index, "7")
    assert index.data(Qt.ItemDataRole.DecorationRole) is None
    assert hand.value("nodeGroups[1].maxSize") == 7


def test_editing_one_selected_row_edits_all_selected_rows(table, hand, editor):
    editor.table.selectAll()
    table.setData(cell(table, 0, "Price"), "0.5")
    assert [group.price_per_hour for group in hand.document.plan.node_groups] == [0.5, 0.5]
    assert hand.document.undo_stack.count() == 1
    assert hand.undo_text() == "Set Price of 2 rows to 0.5"


def test_the_table_follows_the_plan_and_keeps_its_selection(table, hand, editor):
    hand.editor.table.choose([1])
    document = hand.document
    document.apply(insert_at(document.plan, ("node_groups", 0), a_node_group("first")), "insert")
    assert [table.index(row, 0).data() for row in range(3)] == ["first", "general", "spot"]
    document.apply(replace_at(document.plan, ("node_groups", 2, "max_size"), 9), "set")
    assert cell(table, 2, "Maximum").data() == "9"
    document.apply(remove_at(document.plan, ("node_groups", 1)), "remove")
    document.apply(remove_at(document.plan, ("node_groups", 0)), "remove")
    document.apply(remove_at(document.plan, ("node_groups", 0)), "remove")
    assert table.rowCount() == 0
    for _ in range(document.undo_stack.count()):
        document.undo_stack.undo()
    assert [table.index(row, 0).data() for row in range(2)] == ["general", "spot"]


def test_choices_and_switches_can_be_edited_in_cells(editor, hand):
    QAbstractItemModelTester(editor.rows, FAIL, editor)
    editor.show_place("workloads[0]")
    editor.rows.setData(cell(editor.rows, 0, "Kind"), "DaemonSet")
    assert hand.value("workloads[0].kind") == "DaemonSet"
    editor.show_place("priorityClasses")
    editor.actions_of_rows.add.trigger()
    index = cell(editor.rows, 0, "Default")
    assert index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Unchecked
    assert editor.rows.setData(index, Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    assert hand.value("priorityClasses[0].globalDefault") is True


def test_a_cell_without_its_part_cannot_be_edited(editor):
    editor._show(next(one for one in editor.tree.sections if one.key == "slos"), 0)
    index = next(i for i in range(editor.rows.columnCount()) if editor.rows.columns[i].path == ("slo", "target"))
    assert not editor.rows.flags(editor.rows.index(0, index)) & Qt.ItemFlag.ItemIsEditable


def test_typing_into_a_cell_edits_it(editor, hand, qtbot):
    editor.show_place("nodeGroups[0]")
    index = cell(editor.rows, 0, "Minimum")
    editor.table.setCurrentIndex(index)
    editor.table.edit(index)
    line = editor.table.viewport().findChild(LineInput)
    line.selectAll()
    QTest.keyClicks(line, "2")
    QTest.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: hand.value("nodeGroups[0].minSize") == 2)
