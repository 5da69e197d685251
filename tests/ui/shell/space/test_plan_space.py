"""The workspace Plan: the editor in the whole window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from planner.plan.edits.edit import replace_at
from tests.ui.shell.conftest import FLASH_SALE
from ui.editor.tables.table_model import SPARK_ROLE
from ui.shell.main_window import MainWindow


@pytest.fixture
def editor(window, qtbot):
    """The editor, with the plan of the flash sale in the workspace Plan."""
    window.start.sample_chosen.emit(FLASH_SALE)
    window.switch.actions_[0].trigger()
    window.workspace.editor.show_place("workloads[1]")
    return window.workspace.editor


def titles(editor):
    return [
        editor.rows.headerData(column, Qt.Orientation.Horizontal)
        for column in range(editor.rows.columnCount())
        if not editor.table.isColumnHidden(column)
    ]


def shown_names(editor):
    header = editor.table.verticalHeader()
    rows = [header.logicalIndex(place) for place in range(editor.rows.rowCount())]
    return [editor.rows.index(row, 0).data() for row in rows if not editor.table.isRowHidden(row)]


def test_the_plan_has_the_whole_window_and_one_key(window, editor):
    assert [space.key for space in window.switch.spaces] == [
        Qt.Key.Key_F9,
        Qt.Key.Key_F3,
        Qt.Key.Key_F4,
        Qt.Key.Key_F12,
    ]
    assert not window.workspace.dashboard.isVisible() and editor.width() > window.width() - 60
    places = [part.mapTo(editor, part.rect().topLeft()).x() for part in (editor.navigator, editor.table, editor.form)]
    assert places == sorted(places) and len(set(places)) == 3


def test_the_slim_column_comes_back_beside_the_plots(window, editor):
    row, section = editor.row, editor.section
    editor.form_box.only_set.setChecked(True)
    window.pages.show_plan()
    assert window.workspace.dashboard.isVisible() and editor.isVisible() and not editor.form_box.only_set.isVisible()
    assert (editor.row, editor.section) == (row, section)
    assert editor.form.page.body.editors["namespace"].isVisible()
    assert "Load" not in titles(editor)


def test_the_slim_column_keeps_its_width_also_over_a_restart(window, editor, qapp):
    window.pages.show_plan()
    window.workspace.columns.setSizes([444, 800])
    qapp.processEvents()
    width = editor.width()
    window.switch.actions_[0].trigger()
    qapp.processEvents()
    assert editor.width() > 2 * width
    window.workspace.keep(window.settings)
    window.pages.show_plan()
    qapp.processEvents()
    assert editor.width() == width
    window.workspace.columns.setSizes([300, 900])
    assert window.workspace.restore(window.settings)
    qapp.processEvents()
    assert editor.width() == width


def test_an_empty_plan_leaves_the_form_its_room_for_the_plans_after_it(window, editor, qapp):
    window.files.new()
    for space in (0, 1, 2, 0, 1):
        window.switch.actions_[space].trigger()
        qapp.processEvents()
    window.files.open_sample(FLASH_SALE)
    qapp.processEvents()
    navigator, _table, form = editor.parts.sizes()
    assert form > navigator
    window.switch.actions_[0].trigger()
    qapp.processEvents()
    assert editor.form_box.width() >= 340


def test_the_navigator_keeps_its_width_in_sections_without_rows(window, editor, qapp):
    before = editor.parts.sizes()
    editor.show_path(("costs", "currency"))
    qapp.processEvents()
    assert editor.navigator.width() == before[0] and editor.form_box.width() > before[2]
    editor.show_place("workloads[1]")
    qapp.processEvents()
    assert editor.parts.sizes() == before


def test_no_part_of_the_editor_gets_another_parent(window, editor):
    """That would take a third of a second for a long form."""
    parts = (editor, editor.navigator, editor.table, editor.form, editor.previews)
    before = [part.parentWidget() for part in parts]
    window.pages.show_plan()
    assert [part.parentWidget() for part in parts] == before


def test_another_section_is_not_marked_as_sorted(window, editor):
    editor.table.horizontalHeader().sectionClicked.emit(2)
    assert editor.table.horizontalHeader().isSortIndicatorShown()
    editor.show_place("nodeGroups[0]")
    assert not editor.table.horizontalHeader().isSortIndicatorShown()


def test_rows_say_their_load_and_what_the_last_run_says_of_them(window, editor, qtbot):
    heads = titles(editor)
    assert heads[-4:] == ["Scaled by", "Load", "SLO met", "Cost"]
    load, scaled = (editor.rows.index(1, heads.index(head)) for head in ("Load", "Scaled by"))
    assert editor.table.columnWidth(load.column()) >= 120
    assert max(load.data(SPARK_ROLE)) == 1.0 and scaled.data() == "HPA 10–90"
    window.controls.run_action.trigger()
    qtbot.waitUntil(lambda: not window.controller.state.is_live, timeout=60_000)
    assert not editor.parts.is_wide  # a run is watched where its plots are
    window.switch.actions_[0].trigger()
    assert editor.rows.index(1, heads.index("SLO met")).data().endswith("%")
    assert editor.rows.index(1, heads.index("Cost")).data().startswith("$")


def test_the_table_filters_and_sorts_and_the_plan_keeps_its_order(window, editor):
    plan = window.document.plan
    names = [one.name for one in plan.workloads]
    editor.table_box.filter.line.setText("deployment")
    assert shown_names(editor) == [one.name for one in plan.workloads if one.kind.value == "Deployment"]
    editor.table_box.filter.line.clear()
    replicas = titles(editor).index("Replicas")
    editor.table.horizontalHeader().sectionClicked.emit(replicas)
    assert shown_names(editor) == [one.name for one in sorted(plan.workloads, key=lambda one: one.replicas)]
    editor.table.horizontalHeader().sectionClicked.emit(replicas)
    assert shown_names(editor)[0] == max(plan.workloads, key=lambda one: one.replicas).name
    assert window.document.plan is plan
    window.pages.show_plan()
    assert shown_names(editor) == names


def test_several_rows_are_edited_at_once(window, editor):
    editor.table.choose([0, 1, 2])
    column = titles(editor).index("CPU")
    editor.rows.setData(editor.rows.index(1, column), "300m")
    requests = [one.pod.containers[0].requests.cpu for one in window.document.plan.workloads]
    assert requests == [300, 300, 300]


def test_columns_are_hidden_and_stay_so(window, editor):
    editor.table_box.filter.show_column(titles(editor).index("Kind"), False)
    assert "Kind" not in titles(editor)
    editor.show_place("nodeGroups[0]")
    editor.show_place("workloads[0]")
    assert "Kind" not in titles(editor)


def test_hidden_columns_are_hidden_again_after_a_restart(window, editor, theme, answers, qtbot):
    for title in ("Cost", "Kind"):
        editor.table_box.filter.show_column(titles(editor).index(title), False)
    window.end()
    again = MainWindow(theme, window.settings, answers)
    qtbot.addWidget(again, before_close_func=lambda window: window.end())
    again.restore_layout()
    again.show()
    again.start.sample_chosen.emit(FLASH_SALE)
    again.switch.actions_[0].trigger()
    again.workspace.editor.show_place("workloads[1]")
    shown = titles(again.workspace.editor)
    assert "Replicas" in shown and not {"Kind", "Cost"} & set(shown)


def test_only_what_differs_from_the_default_is_shown(window, editor):
    fields = editor.form.page.body.editors
    assert fields["namespace"].isVisible()
    editor.form_box.only_set.setChecked(True)
    assert fields["name"].isVisible() and fields["replicas"].isVisible() and not fields["namespace"].isVisible()
    plan = replace_at(window.document.plan, ("workloads", 1, "namespace"), "shop")
    window.document.apply(plan, "Move")
    assert fields["namespace"].isVisible()


@pytest.mark.parametrize(("words", "place"), [
    ("Scan interval", ("cluster_autoscaler", "scan_interval")),
    ("back-office", ("workloads", 2)),
    ("shop · Replicas", ("workloads", 1, "replicas")),
])  # fmt: skip
def test_a_search_leads_to_every_field_and_object(window, editor, qtbot, words, place):
    window.workspace.plan_space.focus_finder()
    finder = window.workspace.plan_space.finder
    finder.renew()
    finder.setText(words)
    with qtbot.waitSignal(finder.chosen) as chosen:
        finder.returnPressed.emit()
    assert chosen.args[0] == place
    assert editor.section.fields[0] == place[0] and finder.text() == ""


def test_load_and_reaction_are_shown_large(window, editor, qtbot):
    assert editor.previews.isVisible() and editor.previews.load.isVisible() and editor.previews.reaction.isVisible()
    editor.show_place("nodeGroups[0]")
    assert not editor.previews.isVisible()


def test_the_tool_bar_fits_into_a_small_window(window, editor):
    window.resize(1280, 800)
    assert window.controls.baseline.isVisible() and window.tools.findChild(QToolButton, "export").isVisible()


def test_the_search_is_one_for_fields_and_actions_in_every_workspace(window, editor):
    window.actions_.find.trigger()
    finder = window.workspace.plan_space.finder
    assert finder.hasFocus() and not window.palette_.isVisible()
    QTest.keyClicks(finder, "dark")
    QTest.keyClick(finder, Qt.Key.Key_Return)
    assert window.theme.choice == "dark" and finder.text() == ""
    window.pages.show_plan()
    window.actions_.find.trigger()
    assert window.palette_.isVisible()


def test_escape_empties_the_search_and_goes_back_to_the_table(window, editor):
    window.actions_.find.trigger()
    finder = window.workspace.plan_space.finder
    QTest.keyClicks(finder, "nonsense")
    QTest.keyClick(finder, Qt.Key.Key_Escape)
    assert finder.text() == "" and editor.table.hasFocus()


def test_what_is_said_of_a_row_stands_before_its_rarer_columns(editor):
    header = editor.table.horizontalHeader()
    heads = [editor.rows.headerData(header.logicalIndex(at), Qt.Orientation.Horizontal) for at in range(header.count())]
    assert heads[4:10] == ["Memory", "Scaled by", "Load", "SLO met", "Cost", "Limits CPU"]
    editor.show_place("nodeGroups[0]")
    assert [header.logicalIndex(at) for at in range(header.count())] == list(range(header.count()))


def test_names_of_rows_that_come_later_can_be_told_apart(window, editor):
    editor.show_place("nodeGroups[0]")
    pool = window.document.plan.node_groups[0]
    others = tuple(pool.model_copy(update={"name": f"general-eu-central-1{zone}"}) for zone in "abc")
    window.document.apply(replace_at(window.document.plan, ("node_groups",), (pool, *others)), "Add")
    assert editor.table.columnWidth(0) > editor.table.fontMetrics().horizontalAdvance(others[0].name)


def test_a_plan_that_cannot_be_run_is_mended_where_it_is_edited(window, editor):
    window.document.apply(replace_at(window.document.plan, ("node_groups", 0, "min_size"), 90), "Too many")
    window.controls.run_action.trigger()
    assert window.pages.shown is window.workspace.plan_space and window.messages.messages
    window.document.undo_stack.undo()
    window.controls.run_action.trigger()
    assert window.pages.shown is window.workspace


@pytest.mark.parametrize("is_filtered_first", [True, False])
def test_rows_that_a_filter_hides_are_neither_edited_nor_deleted(window, editor, qtbot, is_filtered_first):
    editor.table.choose([1])
    if is_filtered_first:
        editor.table_box.filter.line.setText("back-office")
        editor.table.selectAll()
    else:
        editor.table.selectAll()
        editor.table_box.filter.line.setText("back-office")
    assert editor.table.positions() == [2]
    before = window.document.plan.workloads
    editor.rows.setData(editor.rows.index(2, titles(editor).index("Replicas")), "9")
    assert [one.replicas for one in window.document.plan.workloads] == [before[0].replicas, before[1].replicas, 9]
    editor.actions_of_rows.delete.trigger()
    assert window.document.plan.workloads == before[:2]


@pytest.mark.parametrize("bring", ["paste", "duplicate", "search"])
def test_rows_that_are_new_or_searched_are_seen_whatever_the_filter_says(window, editor, bring):
    editor.table.choose([1])
    editor.table_box.filter.line.setText("back-office")
    if bring == "paste":
        QGuiApplication.clipboard().setText("newcomer\tDeployment\t7\nsecond\tDeployment\t7\n")
        editor.actions_of_rows.paste.trigger()
    elif bring == "duplicate":
        editor.actions_of_rows.duplicate.trigger()
    else:
        editor.show_path(("workloads", 0, "replicas"))
    row = 0 if bring == "search" else 2
    assert not editor.table.isRowHidden(row) and editor.table.currentIndex().row() == row == editor.row
    assert editor.table.positions() == ([2, 3] if bring == "paste" else [row])


def test_a_range_over_hidden_rows_leaves_them_out(window, editor, qtbot):
    editor.table_box.filter.line.setText("-")
    hidden = [row for row in range(3) if editor.table.isRowHidden(row)]
    assert hidden == [1]
    qtbot.mouseClick(editor.table.viewport(), Qt.MouseButton.LeftButton, pos=_middle(editor, 0))
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mouseClick(editor.table.viewport(), Qt.MouseButton.LeftButton, shift, _middle(editor, 2))
    assert editor.table.positions() == [0, 2] and editor.rows.together == [0, 2]


def _middle(editor, row):
    return editor.table.visualRect(editor.rows.index(row, 0)).center()


def test_only_what_differs_counts_in_the_parts_of_a_form_too(window, editor):
    container = ("workloads", 1, "pod", "containers", 0)
    requests = editor.form.open_way((*container, "requests", "cpu")).parentWidget()
    unset = editor.form.open_way((*container, "image")).parentWidget()
    assert requests.isVisible() and unset.isVisible()
    editor.form_box.only_set.setChecked(True)
    assert requests.isVisible() and not unset.isVisible()
    editor.form_box.only_set.setChecked(False)
    assert unset.isVisible()
