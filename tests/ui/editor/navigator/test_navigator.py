import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest

from planner.plan.edits.edit import replace_at
from planner.plan.model.workloads import Namespace
from tests.builders import a_plan, a_workload
from ui.editor.navigator.navigator_model import NOTE_ROLE

FAIL = QAbstractItemModelTester.FailureReportingMode.Fatal


def sections_of(tree, group):
    top = tree.index(group, 0)
    return [tree.index(number, 0, top) for number in range(tree.rowCount(top))]


def entry(editor, title, row=None):
    tree = editor.tree
    for group in range(tree.rowCount()):
        for index in sections_of(tree, group):
            if index.data() == title:
                return index if row is None else tree.index(row, 0, index)
    raise AssertionError(title)


def test_sections_stand_in_groups(editor):
    tree = editor.tree
    found = {tree.index(group, 0).data(): [index.data() for index in sections_of(tree, group)]
             for group in range(tree.rowCount())}  # fmt: skip
    assert list(found) == ["Cluster", "Workloads", "Autoscaling", "Load", "Goals", "Control plane", "Plan"]
    assert found["Cluster"] == ["Node pools", "Overprovisioning", "Kubelet and eviction", "Node lifecycle"]
    assert found["Goals"] == ["Objectives (SLO)", "Costs and budget"]
    assert found["Plan"][:2] == ["Name and notes", "Simulation"]
    assert {"Uncertain inputs", "Variants", "Experiments"} <= set(found["Plan"]), "fields without a section"


def test_a_group_is_passed_over_and_only_opens_and_closes(editor):
    group = editor.tree.index(1, 0)
    editor.navigator.setCurrentIndex(entry(editor, "Workloads", 1))
    editor.navigator.setCurrentIndex(group)
    assert (editor.section.key, editor.row) == ("workloads", 1)
    editor.navigator.collapse(group)
    editor.show_place("workloads[0].replicas")
    assert editor.navigator.isExpanded(group) and editor.navigator.currentIndex() == entry(editor, "Workloads", 0)


def test_sections_have_counts_and_rows_summaries(editor):
    assert entry(editor, "Workloads").data(NOTE_ROLE) == "2"
    assert entry(editor, "Simulation").data(NOTE_ROLE) == ""
    assert entry(editor, "Load profiles").data(NOTE_ROLE) == "0"
    assert entry(editor, "Workloads", 0).data() == "web"
    assert entry(editor, "Workloads", 0).data(NOTE_ROLE) == "HPA 1–10"
    assert entry(editor, "Workloads", 1).data(NOTE_ROLE) == "1 pod"
    assert entry(editor, "Node pools", 0).data(NOTE_ROLE) == "4 cores 16Gi · 0–10"
    assert entry(editor, "Autoscaling (HPA)", 0).data(NOTE_ROLE) == "web · 1–10"
    assert entry(editor, "Workloads").data(Qt.ItemDataRole.AccessibleTextRole) == "Workloads, 2"


def test_the_tree_stays_a_consistent_model_while_the_plan_changes(editor, document):
    tester = QAbstractItemModelTester(editor.tree, FAIL)
    for workloads in ([], ["a"], ["a", "b", "c"], ["c", "b"], ["x", "b", "y"]):
        rows = tuple(a_workload(name) for name in workloads)
        document.apply(replace_at(document.plan, ("workloads",), rows), "rows")
        parent = entry(editor, "Workloads")
        assert [editor.tree.index(row, 0, parent).data() for row in range(len(rows))] == workloads
    document.new(a_plan())
    assert entry(editor, "Workloads").data(NOTE_ROLE) == "1"
    assert tester.model() is editor.tree


def test_choosing_an_entry_shows_its_form_and_table(editor):
    editor.navigator.setCurrentIndex(entry(editor, "Workloads", 1))
    assert (editor.section.key, editor.row) == ("workloads", 1)
    assert editor.form_box.title.text() == "Workload · batch"
    assert editor.table.positions() == [1]
    editor.navigator.setCurrentIndex(entry(editor, "Scheduler"))
    assert not editor.table_box.isVisibleTo(editor) and not editor.parts.middle.isVisibleTo(editor)
    editor.navigator.setCurrentIndex(entry(editor, "Overprovisioning"))
    assert not editor.form_box.isVisibleTo(editor)
    assert not editor.table_box.empty.isHidden()


def test_another_document_is_shown_from_the_top(editor, document):
    editor.show_place("simulation.seed")
    document.new(a_plan(workloads=()))
    assert (editor.section.key, editor.row) == ("node_groups", 0)
    assert editor.tree.rowCount(entry(editor, "Workloads")) == 0


def test_problems_mark_their_entries(editor, hand):
    hand.type("nodeGroups[1].maxSize", "0")
    hand.problems()
    assert not entry(editor, "Node pools", 1).data(Qt.ItemDataRole.DecorationRole).isNull()
    assert entry(editor, "Node pools", 0).data(Qt.ItemDataRole.DecorationRole) is None
    assert not entry(editor, "Node pools").data(Qt.ItemDataRole.DecorationRole).isNull()


def test_the_sign_of_a_problem_is_drawn_at_the_right_end(editor, hand, theme):
    def colors(row):
        area = editor.navigator.visualRect(entry(editor, "Node pools", row))
        picture = editor.navigator.viewport().grab(area).toImage()
        right = range(picture.width() - 26, picture.width())
        return {picture.pixelColor(x, y).name() for x in right for y in range(picture.height())}

    hand.type("nodeGroups[1].maxSize", "0")
    hand.problems()
    assert theme.current.bad in colors(1)
    assert theme.current.bad not in colors(0)


def test_return_goes_from_the_tree_to_the_form(editor, qtbot):
    with qtbot.waitActive(editor):
        editor.activateWindow()
    editor.navigator.setCurrentIndex(entry(editor, "Workloads", 1))
    editor.navigator.setFocus()
    QTest.keyClick(editor.navigator, Qt.Key.Key_Return)
    assert editor.focusWidget() is editor.form.page.body.editors["name"].input


def test_a_field_far_down_is_scrolled_into_view(editor, document, qtbot):
    load = {"profile": {"type": "constant", "rate": 1}}
    document.apply(replace_at(document.plan, ("workloads", 1, "traffic"), load), "load")
    editor.show_place("workloads[1].traffic.profile.rate")
    field = editor.form.open_way(("workloads", 1, "traffic", "profile", "rate"))

    def is_in_sight():
        top = field.mapTo(editor.form.viewport(), field.rect().topLeft()).y()
        return 0 <= top <= editor.form.viewport().height() - field.height()

    qtbot.waitUntil(is_in_sight)


@pytest.mark.parametrize(
    ("space", "summary"),
    [
        ({"labels": {"team": "a"}}, "team=a"),
        (
            {"resourceQuotas": [{"name": "small", "pods": 20, "requests": {"cpu": "4"}}]},
            "small · 20 pods · requests CPU 4",
        ),
        ({"resourceQuotas": [{"name": "a", "pods": 1}, {"name": "b", "pods": 2}]}, "2 quotas: a, b"),
    ],
)
def test_namespaces_show_their_quotas(editor, document, space, summary):
    row = Namespace.model_validate({"name": "shop"} | space)
    document.apply(replace_at(document.plan, ("namespaces",), (row,)), "rows")
    assert entry(editor, "Namespaces", 0).data(NOTE_ROLE) == summary


def test_a_long_list_stays_closed_and_its_section_is_marked_while_its_rows_are_edited(editor, document):
    rows = tuple(a_workload(f"w{number}") for number in range(60))
    document.new(replace_at(a_plan(), ("workloads",), rows))
    workloads = entry(editor, "Workloads")
    editor.show_place("workloads[7].replicas")
    assert (editor.section.key, editor.row) == ("workloads", 7)
    assert not editor.navigator.isExpanded(workloads) and editor.navigator.currentIndex() == workloads
    editor.table.choose([9])
    assert editor.row == 9 and not editor.navigator.isExpanded(workloads)
    editor.navigator.expand(workloads)
    editor.show_place("workloads[50].replicas")
    assert editor.navigator.currentIndex() == entry(editor, "Workloads", 50)


def test_the_title_of_a_section_stays_in_sight_above_its_rows(editor, document):
    editor.navigator.verticalScrollBar().setValue(editor.navigator.verticalScrollBar().maximum())
    document.new(document.plan)
    title = editor.navigator.visualRect(entry(editor, "Node pools"))
    assert editor.navigator.viewport().rect().contains(title)
